import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRejectionPace } from './rejection-pace.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

test('rejections beyond twenty in a tenth of a second are sent later, and a thousand at most are delayed', () => {
  const pace = createRejectionPace();
  let sent = 0;
  const refuse = (times: number) => {
    for (let at = 0; at < times; at += 1) pace(() => (sent += 1));
  };
  refuse(20);
  expect(sent).toBe(20);
  refuse(1_000);
  expect(sent).toBe(20);
  refuse(80);
  expect(sent).toBe(100);
  vi.advanceTimersByTime(250);
  expect(sent).toBe(1_100);
  refuse(21);
  expect(sent).toBe(1_120);
});
