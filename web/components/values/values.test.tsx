// @vitest-environment happy-dom
import userEvent from '@testing-library/user-event';
import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { momentText } from '../../lib/moment-text.ts';
import { setSite } from '../../lib/site.ts';
import { SITE } from '../../testing/made-up.ts';
import { pass, useTestPage, draw } from '../../testing/screen.tsx';
import { Digest } from './digest.tsx';
import { Evidence, EvidenceLook } from './evidence.tsx';
import { TimeLeft } from './time-left.tsx';
import { RelativeTime, distanceToNow } from './relative-time.tsx';
import { TermsLine } from './terms-line.tsx';
import { openText, spanText, waitsText } from './wait-text.ts';
import { nextItem } from '../../ui/menu.tsx';
import { imageSrcSet } from '../project/project-image.tsx';
import { ordinal } from './rank-badge.tsx';
import { displayName } from '../user/user-avatar.tsx';

useTestPage();

test('a share shows its interval, the other share, the last 30 days and its day, and nothing without votes [R44 R58 R94]', () => {
  const beside = '50% of 2 verified votes';
  const { container, rerender } = render(<Evidence votes={{ bullish: 3, bearish: 1 }} beside={beside} day={null} />);
  expect(container).toHaveTextContent('likely 30–95% 50% of 2 verified votes first figures tomorrow');
  rerender(<Evidence votes={{ bullish: 9, bearish: 9 }} beside={beside} now="last 30 days: 18%" day="2026-11-27" />);
  expect(container).toHaveTextContent(/ last 30 days: 18% as of 27 Nov 2026$/);
  for (const part of container.querySelectorAll('[data-evidence] span')) expect(part).toHaveAttribute('title');
  rerender(<Evidence votes={{ bullish: 0, bearish: 0 }} beside={beside} day={null} />);
  expect(container).toBeEmptyDOMElement();
});

test('the evidence of a share opens by hover, focus and press, and closes by Escape or a press elsewhere [R44]', async () => {
  const user = userEvent.setup();
  render(
    <EvidenceLook
      project={{
        name: 'Coral',
        bullishCount: 9,
        bearishCount: 3,
        verified: { bullish: 1, bearish: 1 },
        now: { bullish: 8, bearish: 2 },
        figuresOn: '2026-11-27',
      }}
      place="right-0"
    />,
  );
  const sign = screen.getByRole('button', { name: 'Evidence for Coral' });
  const words = screen.getByText('likely 47–91%');
  expect(sign).toHaveAccessibleDescription(
    /likely 47–91% 50% of 2 verified votes last 30 days: 80% of 10 as of 27 Nov 2026/,
  );
  expect(words).not.toBeVisible();
  await user.hover(sign);
  expect(words).toBeVisible();
  await user.unhover(sign);
  expect(words).not.toBeVisible();
  await user.tab();
  expect(words).toBeVisible();
  await user.keyboard('{Escape}');
  expect(words).not.toBeVisible();
  await user.click(sign);
  expect(words).toBeVisible();
  await user.tab();
  await user.unhover(sign);
  expect(words).not.toBeVisible();
});

const DIGEST = 'ABCDEFGHIJ/klmnopqrstuvwxyz';

test.each([[null], ['javascript:alert(1)']])('a digest is plain text when the explorer is %j', (explorerUrl) => {
  setSite({ ...SITE, explorerUrl });
  render(<Digest digest={DIGEST} />);
  expect(screen.queryByRole('link')).toBeNull();
});

test('the time left advances past its end, with the exact time beside it [S4.6]', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] });
  const end = new Date(Date.now() + 86_400_000 + 3_600_000 + 20_000);
  const { unmount } = render(<TimeLeft iso={end.toISOString()} />);
  const time = screen.getByText('1d 1h remaining');
  expect(time).toHaveAttribute('datetime', end.toISOString());
  expect(time).toHaveAttribute('title', momentText(end.toISOString()));
  expect(time.title).toMatch(/^\d{1,2} [A-Z][a-z]+ 20\d\d, \d\d:\d\d$/);
  await pass(30_000);
  expect(time).toHaveTextContent('1d 0h remaining');
  await pass(2 * 86_400_000);
  expect(time).toHaveTextContent('Expired 0d 23h ago');
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});

test('a relative time advances every half minute [S9.16]', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] });
  render(<RelativeTime iso={new Date(Date.now() - 20_000).toISOString()} />);
  expect(screen.getByText('less than a minute ago')).toBeVisible();
  await pass(30_000);
  expect(screen.getByText('1 minute ago')).toBeVisible();
  await pass(60_000);
  expect(screen.getByText('2 minutes ago')).toBeVisible();
});

test.each([
  [null, [], 'By signing in you agree to the terms (opens in a new tab).'],
  [
    18,
    [],
    'By signing in you agree to the terms (opens in a new tab). You confirm that you are at least 18 years old.',
  ],
  [
    null,
    ['Cuba', 'Iran', 'North Korea'],
    'By signing in you agree to the terms (opens in a new tab). You confirm that you are not in, nor a resident of, Cuba, Iran, or North Korea.',
  ],
  [
    21,
    ['Cuba'],
    'By signing in you agree to the terms (opens in a new tab). You confirm that you are at least 21 years old and not in, nor a resident of, Cuba.',
  ],
])('the terms line names the required age %s, and leaves out %j [R80]', (minAge, excludedRegions, words) => {
  setSite({ ...SITE, minAge, excludedRegions });
  const { container } = draw(
    <p>
      <TermsLine doing="signing in" />
    </p>,
  );
  expect(container.querySelector('p')?.textContent).toBe(words);
  expect(container.querySelector('a')?.getAttribute('href')).toBe('/terms');
});

test('a span names its two largest units [R79]', () => {
  expect([30, 60, 3_600, 7_500, 90_000, 86_400 * 3].map(spanText)).toEqual([
    'less than a minute',
    '1 minute',
    '1 hour',
    '2 hours 5 minutes',
    '1 day 1 hour',
    '3 days',
  ]);
});

test('the text about waits names median and slowest, or that nothing was paid [R79]', () => {
  const none = { paid: 0, medianSeconds: null, longestSeconds: null, open: 0, oldestOpenSeconds: null };
  expect([waitsText(none), openText(none)]).toEqual(['No payouts in the last 30 days.', null]);
  const waits = { paid: 4, medianSeconds: 120, longestSeconds: 7_200, open: 1, oldestOpenSeconds: 600 };
  expect(waitsText(waits)).toBe(
    'Last 30 days: 4 withdrawals paid, half of them in 2 minutes or less, the slowest in 2 hours.',
  );
  expect(openText(waits)).toBe('1 withdrawal open now, the oldest for 10 minutes.');
});

test('ranks are written 1st, 2nd, 3rd … [S2.37]', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 103, 111].map(ordinal)).toEqual([
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
    '22nd',
    '103rd',
    '111th',
  ]);
});

test('a user without a name is shown by the first 6 and last 4 characters of the address [S2.16 S9.12]', () => {
  const walletAddress = `0x1234${'0'.repeat(56)}cdef`;
  expect(displayName({ username: 'ana', walletAddress })).toBe('ana');
  expect(displayName({ username: null, walletAddress })).toBe('0x1234...cdef');
});

test('only a stored image has smaller copies [R25]', () => {
  expect(imageSrcSet('/images/ab12.webp')).toBe(
    '/images/ab12-96.webp 96w, /images/ab12-192.webp 192w, /images/ab12-320.webp 320w, /images/ab12-640.webp 640w',
  );
  expect(imageSrcSet('https://example.org/images/a.webp')).toBeUndefined();
  expect(imageSrcSet('data:image/png;base64,AA==')).toBeUndefined();
});

test('arrow keys wrap around a menu, and Home and End go to its ends [S2.10]', () => {
  expect(nextItem('ArrowDown', 3, 4)).toBe(0);
  expect(nextItem('ArrowUp', 0, 4)).toBe(3);
  expect(nextItem('Home', 2, 4)).toBe(0);
  expect(nextItem('End', 0, 4)).toBe(3);
  expect(nextItem('a', 0, 4)).toBeNull();
});

test("relative times end in 'ago' and are never in the future [S9.16]", () => {
  const nowMs = Date.UTC(2026, 0, 31);
  const ago = (ms: number) => distanceToNow(nowMs - ms, nowMs);
  expect(ago(5_000)).toBe('less than a minute ago');
  expect(ago(60_000)).toBe('1 minute ago');
  expect(ago(59 * 60_000)).toBe('about 1 hour ago');
  expect(ago(3 * 3_600_000)).toBe('about 3 hours ago');
  expect(ago(2 * 86_400_000)).toBe('2 days ago');
  expect(ago(400 * 86_400_000)).toBe('about 1 year ago');
  // A server clock ahead of ours.
  expect(ago(-3_000)).toBe('less than a minute ago');
});
