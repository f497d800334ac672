import { expect, onTestFinished, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import { notReadable } from '../http/errors.ts';
import { createSnapshots } from './snapshot.ts';

/** Reads of a clock that the test moves: each value says how many reads there have been. */
function reader({ freshMs = 1_000, busyShare = 1 / 10 } = {}) {
  const snapshotOf = createSnapshots<number>({ freshMs, busyShare, notNow: notReadable });
  const one = {} as Db;
  const state = {
    nowMs: 0,
    reads: 0,
    takesMs: 0,
    fails: false,
    ask: (db = one): Promise<number> =>
      snapshotOf(
        db,
        async () => {
          state.reads += 1;
          const read = state.reads;
          await Promise.resolve();
          state.nowMs += state.takesMs;
          if (state.fails) throw new Error(`read ${read} failed`);
          return read;
        },
        () => state.nowMs,
      ),
  };
  return state;
}

test('a request during the read waits for that read', async () => {
  const state = reader();
  expect(await Promise.all([state.ask(), state.ask(), state.ask()])).toEqual([1, 1, 1]);
});

test('a value is given to all until it is too old, counted from the start of its read', async () => {
  const state = reader();
  await state.ask();
  state.nowMs = 999;
  expect(await state.ask()).toBe(1);
  state.nowMs = 1_000;
  expect(await state.ask()).toBe(2);
  state.nowMs = 1_999;
  expect(await state.ask()).toBe(2);
});

test('a failure reaches the requests that waited for it, and those within ten times its duration get a Retry-After', async () => {
  const state = reader();
  state.fails = true;
  state.takesMs = 1_500;
  await expect(Promise.all([state.ask(), state.ask()])).rejects.toThrow('read 1 failed');
  state.nowMs = 14_001;
  await expect(state.ask()).rejects.toMatchObject({ status: 503, code: 'not_available', retryAfterS: 1 });
  state.nowMs = 5_000;
  await expect(state.ask()).rejects.toMatchObject({ status: 503, retryAfterS: 10 });
  expect(state.reads).toBe(1);
  state.fails = false;
  state.nowMs = 15_000;
  expect(await state.ask()).toBe(2);
});

test('a client that polls a read which fails after 15 seconds causes one read in five minutes', async () => {
  const state = reader({ freshMs: 5_000, busyShare: 1 / 20 });
  state.fails = true;
  state.takesMs = 15_000;
  while (state.nowMs < 295_000) {
    await state.ask().catch(() => undefined);
    state.nowMs += 100;
  }
  expect(state.reads).toBe(1);
});

test('a read that fails at once, as while the database restarts, may be tried again at once', async () => {
  const state = reader();
  state.fails = true;
  await expect(state.ask()).rejects.toThrow('read 1 failed');
  state.fails = false;
  expect(await state.ask()).toBe(2);
});

test('a clock that is set forward during the read, and back, does not keep its value for longer', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const snapshotOf = createSnapshots<number>({ freshMs: 1, busyShare: 1 / 10, notNow: notReadable });
  const db = {} as Db;
  let reads = 0;
  const ask = () =>
    snapshotOf(db, async () => {
      await Promise.resolve();
      vi.setSystemTime(Date.now() + (reads === 0 ? 86_400_000 : -86_400_000));
      return (reads += 1);
    });
  await ask();
  await expect.poll(ask, { interval: 5 }).toBe(2);
  await expect.poll(ask, { interval: 5 }).toBe(3);
});
