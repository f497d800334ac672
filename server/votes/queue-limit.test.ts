import { expect, test } from 'vitest';
import { createQueueLimit } from './queue-limit.ts';

const OPTIONS = { maxBatch: 100, maxQueue: 5_000, maxWaitMs: 250 };

/** The limit after `batches` of `size` votes, each of which took `ms`. */
function after(batches: number, size: number, ms: number): number {
  const limit = createQueueLimit(OPTIONS);
  for (let at = 0; at < batches; at += 1) limit.finished(size, at * ms, (at + 1) * ms);
  return limit.votes();
}

test('the queue limit holds the longest wait at any pace', () => {
  expect(after(50, 100, 10)).toBe(2_500);
  expect(after(50, 100, 20)).toBe(1_250);
});

test('the queue limit is never longer than the maximum, nor so short that the database waits for votes', () => {
  expect(after(50, 100, 1)).toBe(5_000);
  expect(after(50, 100, 10_000)).toBe(400);
});

test('the queue limit counts batches that overlap once', () => {
  const limit = createQueueLimit(OPTIONS);
  // Three in flight at a time, each of 30 ms: one is decided every 10 ms.
  for (let at = 1; at < 60; at += 1) limit.finished(100, at * 10 - 30, at * 10);
  expect(limit.votes()).toBeGreaterThan(2_300);
});

test('small batches do not change the queue limit, because nothing was waiting', () => {
  expect(after(50, 3, 20)).toBe(5_000);
});

test('the queue limit follows the pace both ways, and recovers from a stall', () => {
  const limit = createQueueLimit(OPTIONS);
  let atMs = 0;
  const finish = (count: number, ms: number) => {
    for (let each = 0; each < count; each += 1) limit.finished(100, atMs, (atMs += ms));
    return limit.votes();
  };
  expect(finish(50, 10)).toBe(2_500);
  expect(finish(1, 15_000)).toBe(400);
  expect(finish(60, 10)).toBeGreaterThan(2_300);
  expect(finish(60, 40)).toBeLessThan(650);
});
