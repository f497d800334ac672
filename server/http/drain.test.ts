import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDrain } from './drain.ts';

const KB = 1024;

interface TestBody extends Readable {
  complete: boolean;
  headers: Record<string, string>;
}

/** A body of so many chunks of 64 KB, and how many were taken from it. */
function bodyOf(chunks: number, complete = false): { body: TestBody; taken: () => number } {
  let made = 0;
  const body = new Readable({
    highWaterMark: 64 * KB,
    read() {
      made += 1;
      this.push(made > chunks ? null : Buffer.alloc(64 * KB));
    },
  });
  const headers = { 'content-length': String(chunks * 64 * KB) };
  return { body: Object.assign(body, { complete, headers }), taken: () => made };
}
const response = () => ({ shouldKeepAlive: true });

/** Lets streams go on as far as they can without a timer. */
async function rest(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => process.nextTick(resolve));
}

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

test('reads one slice, and the next when its time has come', async () => {
  const { body, taken } = bodyOf(100);
  createDrain()(body, response());
  await rest();
  const first = taken();
  expect(first).toBeLessThanOrEqual(6);
  await rest();
  expect(taken()).toBe(first);
  vi.advanceTimersByTime(63);
  await rest();
  expect(taken()).toBeGreaterThan(first);
  expect(taken()).toBeLessThanOrEqual(2 * first);
});

test('reads a body to its end', async () => {
  const { body } = bodyOf(40);
  createDrain()(body, response());
  for (let slice = 0; slice < 20 && !body.readableEnded; slice += 1) {
    await rest();
    vi.advanceTimersByTime(63);
  }
  expect(body.readableEnded).toBe(true);
});

test('bodies share one pace', async () => {
  const drain = createDrain();
  const bodies = Array.from({ length: 8 }, () => bodyOf(100));
  for (const { body } of bodies) drain(body, response());
  await rest();
  const total = () => bodies.reduce((sum, { taken }) => sum + taken(), 0);
  const before = total();
  vi.advanceTimersByTime(63);
  await rest();
  // Not all eight go on: one slice's time has passed.
  expect(total() - before).toBeGreaterThan(0);
  expect(total() - before).toBeLessThanOrEqual(12);
});

test('a body that is drained already is left alone', async () => {
  const { body } = bodyOf(100);
  const drain = createDrain();
  drain(body, response());
  drain(body, response());
  await rest();
  expect(body.listenerCount('data')).toBe(1);
});

/** A drain with eight bodies that take their time. */
function busyDrain(): { drain: ReturnType<typeof createDrain>; first: TestBody } {
  const drain = createDrain();
  const bodies = Array.from({ length: 8 }, () => bodyOf(100).body);
  for (const body of bodies) drain(body, response());
  const [first = bodyOf(0).body] = bodies;
  return { drain, first };
}

test('beyond eight bodies the next one waits for its turn', async () => {
  const { drain, first } = busyDrain();
  const [ninth, own] = [bodyOf(100), response()];
  drain(ninth.body, own);
  await rest();
  expect([own.shouldKeepAlive, ninth.taken()]).toEqual([true, 0]);
  first.destroy();
  await rest();
  expect(ninth.taken()).toBeGreaterThan(0);
});

test('when a hundred wait, a connection ends with its response; a body that is gone frees a place', async () => {
  const { drain } = busyDrain();
  const waiting = Array.from({ length: 100 }, () => bodyOf(100).body);
  for (const body of waiting) drain(body, response());
  const refused = response();
  drain(bodyOf(100).body, refused);
  expect(refused.shouldKeepAlive).toBe(false);
  waiting[50]?.destroy();
  await rest();
  const accepted = response();
  drain(bodyOf(100).body, accepted);
  expect(accepted.shouldKeepAlive).toBe(true);
});

test.each([
  ['that has arrived', bodyOf(2, true)],
  ['of a few bytes', bodyOf(1)],
])('a body %s does not wait: its connection goes on', async (_which, { body }) => {
  const { drain } = busyDrain();
  const own = response();
  body.pause();
  drain(body, own);
  await rest();
  expect([own.shouldKeepAlive, body.readableEnded]).toEqual([true, true]);
});
