import { beforeEach, expect, test, vi } from 'vitest';

const LOCAL_MS = Date.UTC(2026, 0, 1, 12);
const header = (ms: number) => new Date(ms).toUTCString();

async function clock() {
  vi.resetModules();
  return import('./server-clock.ts');
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(LOCAL_MS);
  return () => vi.useRealTimers();
});

test('time follows the clock of the server [R28]', async () => {
  const { noteServerDate, serverNow } = await clock();
  noteServerDate(header(LOCAL_MS + 7_200_000), LOCAL_MS, LOCAL_MS);
  expect(Math.abs(serverNow() - (LOCAL_MS + 7_200_000))).toBeLessThan(1_000);
});

test('the whole seconds of a Date header do not make the time jump [R28]', async () => {
  const { noteServerDate, serverNow } = await clock();
  noteServerDate(header(LOCAL_MS), LOCAL_MS + 900, LOCAL_MS + 950);
  expect(serverNow()).toBe(LOCAL_MS);
  noteServerDate(header(LOCAL_MS + 3_600_000), LOCAL_MS, LOCAL_MS);
  const before = serverNow();
  noteServerDate(header(LOCAL_MS + 3_600_000), LOCAL_MS + 400, LOCAL_MS + 600);
  expect(serverNow()).toBe(before);
});

test('a slow response is dated to the middle of its round trip [R28]', async () => {
  const { noteServerDate, serverNow } = await clock();
  const aheadMs = 3_600_000;
  noteServerDate(header(LOCAL_MS + aheadMs + 3_000), LOCAL_MS, LOCAL_MS + 6_000);
  expect(serverNow()).toBe(LOCAL_MS + aheadMs + 500);
});

test('a response without a usable Date header changes nothing [R28]', async () => {
  const { noteServerDate, serverNow } = await clock();
  noteServerDate(null, 0, 0);
  noteServerDate('yesterday', 0, 0);
  expect(serverNow()).toBe(LOCAL_MS);
});
