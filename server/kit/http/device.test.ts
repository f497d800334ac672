import { expect, test } from 'vitest';
import { deviceName } from './device.ts';

const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';

test.each([
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} Mobile Safari/537.36`],
  ['Chrome on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Safari/537.36`],
  ['Edge on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Safari/537.36 Edg/140.0.0.0`],
  [
    'Safari on iPhone',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${APPLE} Version/18.5 Mobile/15E148 Safari/604.1`,
  ],
  ['Safari on iPad', `Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) ${APPLE} Version/17.0 Mobile/15E148 Safari/604.1`],
  ['Safari on macOS', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/18.5 Safari/605.1.15`],
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'],
  ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${BLINK} Safari/537.36`],
])('a user agent is named %s', (name, userAgent) => {
  expect(deviceName(userAgent)).toBe(name);
});

test.each([
  ['nothing', undefined],
  ['an empty header', ''],
  ['a script', '<script>alert(1)</script>'],
  ['control characters', 'x'],
  ['a browser named where nobody reads', `Mozilla/5.0 ${'x'.repeat(400)} ${BLINK} Safari/537.36`],
  ['a very long header', `Mozilla/5.0 ${'('.repeat(200_000)}`],
])('a header with %s is an unknown browser, and none of its words are shown', (_what, userAgent) => {
  expect(deviceName(userAgent)).toBe('Unknown browser');
});

test('reads the first 400 characters of a header, using little processor time', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
  expect(deviceName(chrome.padStart(400))).toBe('Chrome on Linux');
  expect(deviceName(`${' '.repeat(400)}${chrome}`)).toBe('Unknown browser');
  const before = process.cpuUsage();
  for (const piece of ['a', ' ', '/', '(', 'Version/1 ', 'Chrome/', ';']) deviceName(piece.repeat(16_000));
  expect(process.cpuUsage(before).user).toBeLessThan(500_000);
});
