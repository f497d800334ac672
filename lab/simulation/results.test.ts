import { expect, test } from 'vitest';
import stored from './results.json' with { type: 'json' };
import { cheaperThan, costText, otherFigures, type SimulatedRow, type SimulatedTable } from './results.ts';

const ROWS = (stored as SimulatedTable[])[0]?.rows ?? [];

/** The rows with one of them changed. */
const withRow = (change: (row: SimulatedRow) => void): SimulatedRow[] => {
  const rows = structuredClone(ROWS);
  const spread = rows.find(({ strategy }) => strategy === 'spread');
  if (spread) change(spread);
  return rows;
};

test('a table has no findings against itself, and a higher cost is not a finding', () => {
  expect(cheaperThan(ROWS, ROWS)).toEqual([]);
  const dearer = withRow(({ goals, tenSui }) => {
    goals.bullish.first = null;
    goals.verified.points = { wallets: 999, sui: 999, days: 99 };
    tenSui.lasting = 1;
  });
  expect(cheaperThan(dearer, ROWS)).toEqual([]);
});

test('a row that is missing on either side is a finding', () => {
  expect(cheaperThan(ROWS.slice(1), ROWS)).toEqual(['spread: the row is missing']);
  expect(cheaperThan(ROWS, ROWS.slice(1))).toEqual(['spread: the row is missing']);
});

test.each<[string, (row: SimulatedRow) => void, RegExp]>([
  ['a wallet less', ({ goals }) => void (goals.bullish.first!.wallets -= 1), /^spread, bullish, first: \d+ wallets/],
  [
    'a SUI less',
    ({ goals }) => void (goals.verified.first!.sui -= 1),
    /^spread, verified, first: \d+ wallets, \d+ SUI/,
  ],
  ['a day less', ({ goals }) => void (goals.lasting.points!.days -= 1), /^spread, lasting, points: .*62 days, not/],
  ['a wallet more at once', ({ tenSui }) => void (tenSui.atOnce += 1), /^spread, atOnce: 1 more$/],
  ['more for good', ({ tenSui }) => void (tenSui.lasting += 0.5), /^spread, lasting: 0\.5 more$/],
  ['more Snaps', (row) => void (row.snaps += 10), /^spread, snaps: 10 more$/],
  ['an honest wallet harmed', (row) => void (row.harmed += 1), /^spread, harmed: 1 more$/],
])('%s is a finding', (_name, change, expected) => {
  const found = cheaperThan(withRow(change), ROWS);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(expected);
});

test('a goal that was out of reach and is now reachable is a finding', () => {
  const before = withRow(({ goals }) => void (goals.trending.first = null));
  expect(cheaperThan(ROWS, before)).toEqual([expect.stringMatching(/^spread, trending, first: .*, not –$/)]);
});

test('writes costs and figures in words', () => {
  expect(costText(null)).toBe('–');
  expect(costText({ wallets: 1, sui: 1_234, days: 2 })).toBe('1 wallet, 1,234 SUI, 2 days');
  const [row] = ROWS;
  if (!row) throw new Error('there is no row');
  expect(otherFigures({ ...row, harmed: 2, bystanders: 50, spentSui: 5 })).toMatchObject({
    harmed: '2 of 50',
    spent: '5 SUI',
  });
  expect(otherFigures({ ...row, bystanders: 0, spentSui: 0 })).toMatchObject({ harmed: '0', spent: '0' });
});
