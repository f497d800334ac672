import { expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { createSnapshots } from './snapshot.ts';

/** Reads of a clock that the test moves: each value says how many reads there have been. */
function reader({ freshMs = 1_000, busyShare = 1 / 10 } = {}) {
  const snapshotOf = createSnapshots<number>({ freshMs, busyShare });
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

test('who asks while it is read waits for that read', async () => {
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

test('a read that takes long is given for longer: a tenth of the time may go into reading', async () => {
  const state = reader();
  state.takesMs = 300;
  await state.ask();
  state.takesMs = 0;
  state.nowMs = 2_999;
  expect(await state.ask()).toBe(1);
  state.nowMs = 3_000;
  expect(await state.ask()).toBe(2);
});

test('a failure reaches those who waited for it, and nobody later', async () => {
  const state = reader();
  state.fails = true;
  const failed = await Promise.allSettled([state.ask(), state.ask()]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  state.fails = false;
  expect(await state.ask()).toBe(2);
});

test('each database has a value of its own', async () => {
  const state = reader();
  const other = {} as Db;
  expect([await state.ask(), await state.ask(other), await state.ask(), await state.ask(other)]).toEqual([1, 2, 1, 2]);
});
