import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDrain } from './drain.ts';

const KB = 1024;

/** A body of so many chunks of 64 KB, and how many were taken from it. */
function bodyOf(chunks: number): { body: Readable; taken: () => number } {
  let made = 0;
  const body = new Readable({
    highWaterMark: 64 * KB,
    read() {
      made += 1;
      this.push(made > chunks ? null : Buffer.alloc(64 * KB));
    },
  });
  return { body, taken: () => made };
}

/** Lets streams go on as far as they can without a timer. */
async function rest(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => process.nextTick(resolve));
}

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

test('reads one slice, and the next when its time has come', async () => {
  const { body, taken } = bodyOf(100);
  createDrain()(body);
  await rest();
  const first = taken();
  expect(first).toBeLessThanOrEqual(6);
  await rest();
  expect(taken()).toBe(first);
  vi.advanceTimersByTime(8);
  await rest();
  expect(taken()).toBeGreaterThan(first);
  expect(taken()).toBeLessThanOrEqual(2 * first);
});

test('reads a body to its end', async () => {
  const { body } = bodyOf(40);
  createDrain()(body);
  for (let slice = 0; slice < 20 && !body.readableEnded; slice += 1) {
    await rest();
    vi.advanceTimersByTime(8);
  }
  expect(body.readableEnded).toBe(true);
});

test('bodies share one pace', async () => {
  const drain = createDrain();
  const bodies = Array.from({ length: 10 }, () => bodyOf(100));
  for (const { body } of bodies) drain(body);
  await rest();
  const total = () => bodies.reduce((sum, { taken }) => sum + taken(), 0);
  const before = total();
  vi.advanceTimersByTime(8);
  await rest();
  // Not all ten go on: one slice's time has passed.
  expect(total() - before).toBeGreaterThan(0);
  expect(total() - before).toBeLessThanOrEqual(12);
});

test('a body that is drained already is left alone', async () => {
  const { body } = bodyOf(100);
  const drain = createDrain();
  drain(body);
  drain(body);
  await rest();
  expect(body.listenerCount('data')).toBe(1);
});
