import { describe, expect, test } from 'vitest';
import { chooseDailyDeck, type Candidates } from './choose.ts';

const AGAIN: Candidates['again'] = { unverified: [], identity: [], moved: [], old: [] };
const NONE: Candidates = { still_bullish: [], new: [], close: [], moved: [], feed: [], again: AGAIN, own: [] };
const range = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);
const countsOf = (candidates: Partial<Candidates>) => {
  const kinds = chooseDailyDeck(7, 20_000, { ...NONE, ...candidates }).map(({ kind }) => kind);
  return Object.fromEntries([...new Set(kinds)].map((kind) => [kind, kinds.filter((other) => other === kind).length]));
};

describe('the daily deck [R49]', () => {
  test('a deck has some of each kind, and ten cards where ten exist', () => {
    const all = { still_bullish: range(100, 9), new: range(200, 9), close: range(300, 9), moved: range(400, 9) };
    expect(countsOf({ ...all, feed: range(500, 50) })).toEqual({ still_bullish: 3, new: 3, close: 2, moved: 2 });
    expect(countsOf({ new: range(200, 9), feed: range(500, 50) })).toEqual({ new: 3, feed: 7 });
    expect(countsOf({ close: [1], feed: range(500, 4) })).toEqual({ close: 1, feed: 4 });
    expect(countsOf({})).toEqual({});
  });

  test('a deck has no project twice, whatever its kinds', () => {
    const same = { ...NONE, still_bullish: [1, 2], new: [1, 2, 3], close: [3, 4], moved: [4], feed: range(1, 6) };
    const ids = chooseDailyDeck(7, 20_000, same).map(({ projectId }) => projectId);
    expect(new Set(ids)).toEqual(new Set([1, 2, 3, 4, 5, 6]));
    expect(ids).toHaveLength(6);
  });

  test('a deck asks about three own votes at most, those of moved projects before old ones [R61]', () => {
    const again = { ...AGAIN, moved: [1, 2], old: [1, 2, 3, 4] };
    const deck = chooseDailyDeck(7, 20_000, { ...NONE, again, feed: range(10, 20) });
    const asked = deck.filter(({ kind }) => kind === 'still_bullish');
    expect(
      asked
        .filter(({ reason }) => reason === 'moved')
        .map(({ projectId }) => projectId)
        .toSorted((one, other) => one - other),
    ).toEqual([1, 2]);
    expect(asked.filter(({ reason }) => reason === 'old')).toHaveLength(1);
    expect(deck).toHaveLength(10);
    const earlier = chooseDailyDeck(7, 20_000, { ...NONE, again, still_bullish: [5, 6], feed: range(10, 20) });
    expect(earlier.filter(({ kind }) => kind === 'still_bullish')).toHaveLength(3);
    expect(earlier.filter(({ reason }) => reason !== undefined)).toMatchObject([{ reason: 'moved' }]);
  });

  test('a deck for which nothing else is left brings back own votes, without a reason [R61]', () => {
    const deck = chooseDailyDeck(7, 20_000, { ...NONE, own: range(1, 30), feed: [50] });
    expect(deck).toHaveLength(10);
    expect(deck.filter(({ kind, reason }) => kind === 'still_bullish' && reason === undefined)).toHaveLength(9);
  });

  test('a deck is the same for a user and a day, and differs for others', () => {
    const candidates = { ...NONE, new: range(1, 60), feed: range(1, 90) };
    const idsOf = (userId: number, day: number) =>
      chooseDailyDeck(userId, day, candidates)
        .map(({ projectId }) => projectId)
        .join();
    expect(idsOf(7, 20_000)).toBe(idsOf(7, 20_000));
    expect(new Set([idsOf(7, 20_000), idsOf(8, 20_000), idsOf(7, 20_001)]).size).toBe(3);
  });
});
