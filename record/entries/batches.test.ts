import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { VOTE_STATES } from '#shared/states/votes.ts';
import { stateLines } from '../testing/record.ts';
import { toBase64Url } from './base64url.ts';
import {
  type Batch,
  batchAt,
  compareKeys,
  compareOpinions,
  compareStates,
  findOpinions,
  findState,
  readBatches,
} from './batches.ts';
import { type EntryOf, type RecordEntry, RecordError, type VoteKey } from './entries.ts';

const DAY = '2026-08-01';
const batchEntry = (votes: number, states = 0, projects = 0, others = 0) =>
  ({ kind: 'batch', day: DAY, votes, states, projects, others }) as const;
const vote = (key: VoteKey): EntryOf<'vote'> => ({
  kind: 'vote',
  day: DAY,
  bullish: true,
  state: 'waiting',
  identity: 1,
  ...key,
});
const FILLER: RecordEntry = { kind: 'standing', day: DAY, found: null };
const fillers = (count: number): RecordEntry[] => Array.from({ length: count }, () => FILLER);
const readerOf = (entries: readonly RecordEntry[]) => {
  const read: number[] = [];
  return {
    read,
    entry: (index: number): Promise<RecordEntry> => {
      read.push(index);
      const entry = entries[index];
      return entry ? Promise.resolve(entry) : Promise.reject(new Error(`no entry ${index}`));
    },
  };
};
async function all(batches: AsyncGenerator<Batch>): Promise<Batch[]> {
  const found: Batch[] = [];
  for await (const batch of batches) found.push(batch);
  return found;
}

const anyKey: fc.Arbitrary<VoteKey> = fc.record({
  projectId: fc.integer({ min: 1, max: 3 }),
  period: fc.integer({ min: 1, max: 2 }),
  pseudonym: fc.uint8Array({ minLength: 16, maxLength: 16 }).map(toBase64Url),
});
const distinctKeys = fc.uniqueArray(anyKey, { maxLength: 40, selector: (key) => JSON.stringify(key) });

test('a batch names its groups by their numbers [R40]', () => {
  expect(batchAt(19, batchEntry(10, 3, 2, 1))).toMatchObject({
    entries: { start: 3, end: 20 },
    votes: { start: 3, end: 13 },
    states: { start: 13, end: 16 },
    projects: { start: 16, end: 18 },
    others: { start: 18, end: 19 },
  });
  expect(() => batchAt(9, batchEntry(10))).toThrow(RecordError);
});

test('finds batches from the end to the beginning [R40]', async () => {
  const sizes = [0, 3, 1];
  const entries = sizes.flatMap((others) => [...fillers(others), batchEntry(0, 0, 0, others)]);
  const found = await all(readBatches(entries.length, readerOf(entries).entry));
  expect(found.map(({ others }) => others)).toEqual([
    { start: 5, end: 6 },
    { start: 1, end: 4 },
    { start: 0, end: 0 },
  ]);
  await expect(all(readBatches(entries.length - 1, readerOf(entries).entry))).rejects.toThrow('not the end of a batch');
});

test('orders keys by project, period and the bytes of the pseudonym, not by its text [R40]', () => {
  const [low, high] = [0x00, 0xfb].map((byte) => toBase64Url(new Uint8Array(16).fill(byte)));
  const key = (projectId: number, period: number, pseudonym = low ?? '') => ({ projectId, period, pseudonym });
  expect(compareKeys(key(9, 1), key(10, 1))).toBeLessThan(0);
  expect(compareKeys(key(9, 2), key(9, 1))).toBeGreaterThan(0);
  // In text order, '-' (for the higher byte) comes before 'A'.
  expect(compareKeys(key(9, 1, low), key(9, 1, high))).toBeLessThan(0);
  expect(compareKeys(key(9, 1), key(9, 1))).toBe(0);
});

test('finds a key at its place, and nowhere else, in about log2 reads [R42]', async () => {
  await fc.assert(
    fc.asyncProperty(distinctKeys, anyKey, fc.nat({ max: 5 }), async (keys, other, before) => {
      const sorted = keys.toSorted(compareKeys);
      const entries = [...fillers(before), ...sorted.map(vote), FILLER];
      const group = { start: before, end: before + keys.length };
      for (const [at, key] of sorted.entries()) {
        const reader = readerOf(entries);
        expect(await findOpinions(group, key, reader.entry)).toEqual([{ index: before + at, entry: vote(key) }]);
        // Two more reads than the search itself: the entry, and the one after it.
        expect(reader.read.length).toBeLessThanOrEqual(Math.ceil(Math.log2(keys.length + 1)) + 2);
      }
      const isThere = keys.some((key) => compareKeys(key, other) === 0);
      const found = await findOpinions(group, other, readerOf(entries).entry);
      expect(found.length > 0).toBe(isThere);
    }),
    runs(50),
  );
});

test('finds the state of a vote among the lines of a batch, and of no other vote [R40 R42]', async () => {
  const states = fc.constantFrom(...VOTE_STATES);
  await fc.assert(
    fc.asyncProperty(
      distinctKeys,
      fc.array(states, { minLength: 40, maxLength: 40 }),
      anyKey,
      async (keys, named, other) => {
        const lines = stateLines(
          DAY,
          keys.map((key, at) => ({ ...key, state: named[at] ?? 'verified' })),
        );
        expect(lines.toSorted(compareStates)).toEqual(lines);
        const group = { start: 0, end: lines.length };
        for (const [at, key] of keys.entries())
          expect(await findState(group, key, readerOf(lines).entry)).toBe(named[at]);
        const at = keys.findIndex((key) => compareKeys(key, other) === 0);
        expect(await findState(group, other, readerOf(lines).entry)).toBe(named[at] ?? null);
      },
    ),
    runs(50),
  );
});

test('rejects a group with an entry of another kind [R43]', async () => {
  const key = { projectId: 1, period: 1, pseudonym: toBase64Url(new Uint8Array(16)) };
  await expect(findState({ start: 0, end: 1 }, key, readerOf([vote(key)]).entry)).rejects.toThrow('not a state');
});

test('finds a vote with all changes of it in a batch, in their order [R57 R63]', async () => {
  const key = { projectId: 2, period: 1, pseudonym: toBase64Url(new Uint8Array(16).fill(7)) };
  const change = (day: string) => ({ ...vote(key), kind: 'change' as const, day });
  const run = [vote(key), change('2026-08-02'), change('2026-08-04')];
  expect(run.toReversed().toSorted(compareOpinions)).toEqual(run);
  const entries = [vote({ ...key, projectId: 1 }), ...run, vote({ ...key, projectId: 3 })];
  const found = await findOpinions({ start: 0, end: 5 }, key, readerOf(entries).entry);
  expect(found).toEqual(run.map((entry, at) => ({ index: at + 1, entry })));
});
