import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { freeWalletsToTop } from './free-wallets.ts';
import { compareKeys, SORT_KEYS, type Sortable } from './sorts.ts';
import { NO_TREND } from './trending.ts';

const project = (id: number, bullishVotes: number, bearishVotes: number, verifiedVotes = 0): Sortable => ({
  id,
  createdAt: '2026-01-01T00:00:00.000Z',
  bullishVotes,
  bearishVotes,
  verified: { bullish: verifiedVotes, bearish: 0 },
  trend: NO_TREND,
});
const ordered = (sort: 'bullish' | 'verified', rows: readonly Sortable[]): Sortable[] =>
  rows.toSorted((one, other) => compareKeys(SORT_KEYS[sort](one), SORT_KEYS[sort](other)));
/** The id of the first project after so many wallets voted for one and against the others. */
const firstAfter = (rows: readonly Sortable[], lastId: number, wallets: number): number | undefined =>
  ordered(
    'bullish',
    rows.map((row) =>
      row.id === lastId
        ? { ...row, bullishVotes: row.bullishVotes + wallets }
        : { ...row, bearishVotes: row.bearishVotes + wallets },
    ),
  )[0]?.id;

const votes = fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { minLength: 1, maxLength: 6 });

test("the computed number of free wallets brings the last project to the top of 'Bullish', and one less does not [R27]", () => {
  fc.assert(
    fc.property(votes, (counts) => {
      const rows = ordered(
        'bullish',
        counts.map(([bullish, bearish], index) => project(index + 1, bullish, bearish)),
      );
      const lastId = rows.at(-1)?.id ?? 0;
      const wallets = freeWalletsToTop(rows, 'bullish') ?? Number.NaN;
      expect(firstAfter(rows, lastId, wallets)).toBe(lastId);
      expect(wallets > 0 && firstAfter(rows, lastId, wallets - 1) === lastId).toBe(false);
    }),
    runs(),
  );
  expect(freeWalletsToTop([project(1, 60, 40), project(2, 40, 60)], 'bullish')).toBe(21);
});

test("no number of free wallets passes a project with a greater bound in 'Verified', and some do while all are equal [R27]", () => {
  const [first, last] = [project(1, 20, 2, 20), project(2, 30, 1, 10)];
  expect(freeWalletsToTop([first, last], 'verified')).toBeNull();
  // A site without any reading has no verified votes, and all votes decide.
  expect(freeWalletsToTop([project(1, 3, 0), project(2, 0, 0)], 'verified')).toBe(1);
  for (const rows of [[], [first]]) expect(freeWalletsToTop(rows, 'bullish')).toBe(0);
});
