import { describe, expect, test } from 'vitest';
import type { Recount } from '#shared/contract/record.ts';
import type { Supply } from '#shared/contract/supply.ts';
import { MADE_TIME, madePage, madeRow, madeVoter } from '#shared/testing/site.ts';
import type { Recounted } from './recount.ts';
import { Differences } from './report.ts';
import { checkCounters, checkDatabase, checkOrders, checkSupply, countsOf, type ShownCounts } from './site-checks.ts';

const first = madeRow(1, 1, 40, 4);
const second = madeRow(2, 2, 8, 2);
const third = madeRow(3, 3, 4, 4);
const last = madeRow(4, 4, 0, 0);

const FITTING = {
  leaderboard: [first, second, third, last],
  pages: [madePage(first, null), madePage(second, first), madePage(third, second), madePage(last, third)],
  newest: [first, second, third, last],
  voters: { topVoters: [madeVoter(1, 9), madeVoter(1, 9), madeVoter(3, 2)], currentUserRank: null },
};

test('orders hold that follow from their counters [R27 R43]', () => {
  expect(checkOrders(FITTING)).toMatchObject({ state: 'ok', differences: [] });
});

describe('names an order that does not follow from its counters', () => {
  test.each<[what: string, changes: Partial<typeof FITTING>, difference: RegExp]>([
    [
      'two rows exchanged',
      { leaderboard: [{ ...second, rank: 1 }, { ...first, rank: 2 }, third, last] },
      /project 2 stands before project 1 on the leaderboard/,
    ],
    [
      'a project without votes first',
      {
        leaderboard: [
          { ...last, rank: 1 },
          { ...first, rank: 2 },
        ],
      },
      /project 4 stands before project 1/,
    ],
    [
      'fewer votes of the same share first',
      { leaderboard: [madeRow(8, 1, 4, 4), madeRow(9, 2, 6, 6)], newest: [] },
      /project 8 stands before project 9 on the leaderboard/,
    ],
    [
      'the younger of two with the same votes first',
      {
        leaderboard: [{ ...madeRow(8, 1, 4, 4), createdAt: '2026-01-02T12:00:00.000Z' }, madeRow(9, 2, 4, 4)],
        newest: [],
      },
      /project 8 stands before project 9 on the leaderboard/,
    ],
    ['a project left out', { leaderboard: [first, second, third] }, /^project 4 is not on the leaderboard$/m],
    [
      'a project of the public list alone',
      { newest: [first, madeRow(9, 1, 0, 0)] },
      /^project 9 is not on the leaderboard$/m,
    ],
    ['a project without a page', { pages: FITTING.pages.slice(1) }, /^project 1 has no page$/m],
    ['a rank', { leaderboard: [first, { ...second, rank: 1 }] }, /project 2 shows rank 1, not 2/],
    ['a percentage', { leaderboard: [{ ...first, bullishPercentage: 92 }] }, /shows bullishPercentage 92, not 91/],
    ['a number of votes', { leaderboard: [{ ...first, totalVotes: 45 }] }, /shows totalVotes 45, not 44/],
    [
      'the verified order',
      { pages: [madePage(third, first)] },
      /project 3 names another project before it in the order 'Verified'/,
    ],
    ['the top of the verified order', { pages: [madePage(first, second)] }, /project 1 names another/],
    ['a rank in the verified order left out', { pages: [madePage(second, null)] }, /project 2 names another/],
    [
      'more verified votes than votes',
      { pages: [madePage({ ...first, verified: { bullish: 41, bearish: 0 } }, null)] },
      /project 1 has more verified votes than votes/,
    ],
    [
      'more verified votes than bearish ones',
      { pages: [madePage({ ...first, verified: { bullish: 20, bearish: 5 } }, null)] },
      /project 1 has more verified votes than votes/,
    ],
    [
      'a project above the top that is nowhere',
      { pages: [madePage(first, madeRow(9, 1, 90, 1))] },
      /project 1 names another/,
    ],
    ['the public list', { newest: [second, first] }, /project 2 stands before project 1 in the public list/],
    [
      'a number of votes in the public list',
      { newest: [first, { ...second, totalVotes: 11 }] },
      /project 2 shows totalVotes 11 in the public list, not 10/,
    ],
    ['the public list of equal votes', { newest: [third, madeRow(9, 2, 6, 2)] }, /project 3 stands before project 9/],
    [
      'the top voters',
      { voters: { topVoters: [madeVoter(1, 2), madeVoter(2, 9)], currentUserRank: null } },
      /the top voter at place 2 has another rank/,
    ],
    [
      'a rank of equal voters',
      { voters: { topVoters: [madeVoter(1, 9), madeVoter(2, 9)], currentUserRank: null } },
      /the top voter at place 2/,
    ],
  ])('%s [R27 R43 R44]', (_what, changes, difference) => {
    const check = checkOrders({ ...FITTING, ...changes });
    expect(check.state).toBe('differs');
    expect(check.differences.join('\n')).toMatch(difference);
  });
});

describe('on a site that gives ranks from ten verified votes on', () => {
  /** Half of the votes are verified. */
  const [best, middle, worst] = [madeRow(1, 1, 20, 0), madeRow(2, 2, 20, 4), madeRow(3, 3, 20, 8)];
  const young = madeRow(4, null, 8, 0);
  const fitting = {
    leaderboard: [best, middle, worst, young],
    pages: [madePage(middle, best), { ...madePage(young, worst), nextAbove: { ...worst, votesToRank: 6 } }],
    newest: [],
    voters: FITTING.voters,
  };
  const all = (changes: Partial<typeof fitting>) => {
    const orders = { ...fitting, ...changes };
    const shown = new Set(orders.pages.map(({ id }) => id));
    return checkOrders({
      ...orders,
      pages: [...orders.pages, ...[madePage(best, null), madePage(worst, middle)].filter(({ id }) => !shown.has(id))],
    });
  };

  test('ranks hold that follow from verified votes [R27 R43]', () => {
    expect(all({})).toMatchObject({ state: 'ok', differences: [] });
  });

  test.each<[what: string, changes: Partial<typeof fitting>, difference: RegExp]>([
    [
      'a rank without ten verified votes',
      { leaderboard: [best, middle, worst, { ...young, rank: 4 }] },
      /project 4 shows rank 4, not null/,
    ],
    [
      'a rank that is withheld',
      { leaderboard: [best, middle, { ...worst, rank: null }, young] },
      /project 3 shows rank null, not 3/,
    ],
    [
      'an unranked project before ranked ones',
      { leaderboard: [young, best, middle, worst] },
      /project 4 stands before project 1/,
    ],
    [
      'verified votes that are said to lack',
      { pages: [madePage(middle, best), madePage(young, worst)] },
      /project 4 lacks 6 verified votes for a rank, not 0/,
    ],
  ])('names %s [R27 R43]', (_what, changes, difference) => {
    expect(all(changes).differences.join('\n')).toMatch(difference);
  });
});

const recountOf = (bullish: number, since: number): Recount => ({
  size: 10,
  until: MADE_TIME,
  asOf: MADE_TIME,
  votesSince: since,
  projects: [
    { projectId: 1, period: 1, recorded: { bullish, bearish: 1 }, since: { bullish: since, bearish: 0 }, digest: 'a' },
    { projectId: 1, period: 2, recorded: { bullish: 2, bearish: 0 }, since: { bullish: 0, bearish: 0 }, digest: 'b' },
  ],
});
const recorded = (period: number, bullish: number, bearish: number) => {
  const digest = period === 1 ? 'a' : 'b';
  return { projectId: 1, period, bullish, bearish, verifiedBullish: 0, verifiedBearish: 0, digest };
};
const RECORDED: Recounted = {
  votes: 8,
  states: { verified: 0, waiting: 8, no_standing: 0, rhythm: 0, moderator: 0, replaced: 0 },
  votesByDay: new Map(),
  totals: 2,
  identities: new Map(),
  own: [],
  projects: [recorded(1, 5, 1), recorded(2, 2, 0)],
  uniqueness: new Differences(),
  changes: new Differences(),
  counters: new Differences(),
};
const FEW = { period: 1, recorded: { bullish: 0, bearish: 1 }, since: { bullish: 0, bearish: 0 }, digest: 'c' };

test('the votes behind a site are those of its record, regardless of newer ones [R43]', () => {
  expect(checkDatabase(RECORDED, recountOf(5, 1))).toMatchObject({ state: 'ok', differences: [] });
});

test.each<[what: string, change: (projects: Recount['projects']) => Recount['projects'], difference: RegExp]>([
  [
    'counted for another listing period',
    (projects) => projects.map((one) => ({ ...one, period: 3 - one.period })),
    /project 1: the server holds 2 bullish and 0 bearish, the record 5 bullish and 1 bearish/,
  ],
  ['gone', ([one]) => (one ? [one] : []), /project 1: the server holds 0 bullish and 0 bearish, the record 2 bullish/],
  [
    'of a project that the record does not have',
    (projects) => [...projects, { projectId: 7, ...FEW }],
    /project 7: the server holds 0 bullish and 1 bearish, the record none/,
  ],
  [
    'counted twice',
    (projects) => [{ projectId: 1, ...FEW }, ...projects],
    /the server counts a project twice in one listing period/,
  ],
])('names votes that differ from those of the record: %s [R43]', (_what, change, difference) => {
  const recount = recountOf(5, 1);
  const { state, differences } = checkDatabase(RECORDED, { ...recount, projects: change(recount.projects) });
  expect(state).toBe('differs');
  expect(differences.join('\n')).toMatch(difference);
});

const NOTHING_NEWER = { newer: 0, hidden: 0, problems: [] };
const shown = (bullish: number): ShownCounts[] => [{ projectId: 1, bullish, bearish: 1, where: 'its page' }];

test('names votes that are newer than the record or not shown [R43]', () => {
  const counts = countsOf(recountOf(5, 1));
  const { detail } = checkCounters(shown(8), counts, counts, {
    newer: 1,
    hidden: 2,
    problems: [],
  });
  expect(detail).toBe(
    '1 project on leaderboard, lists, pages and drawn pages; 1 vote newer than the record; 2 projects not shown',
  );
});

test('counters are the votes of all periods, and may grow while they are read [R43]', () => {
  const [before, after] = [countsOf(recountOf(5, 1)), countsOf(recountOf(5, 3))];
  expect(checkCounters(shown(8), before, before, NOTHING_NEWER)).toMatchObject({ state: 'ok' });
  expect(checkCounters(shown(10), before, after, NOTHING_NEWER)).toMatchObject({ state: 'ok' });
  expect(checkCounters(shown(11), before, after, NOTHING_NEWER)).toMatchObject({ state: 'differs' });
  expect(checkCounters(shown(7), before, after, NOTHING_NEWER)).toMatchObject({ state: 'differs' });
});

const SUPPLY: Supply = {
  issued: 100,
  granted: 0,
  burned: 20,
  held: 5,
  paid: 15,
  circulating: 60,
  balances: 60,
  differing: 0,
  checkedAt: null,
  liabilities: 65,
  holders: 3,
  entries: 12,
  asOf: MADE_TIME,
};
const owed = (total: bigint) => ({ kind: 'liabilities', day: '2026-01-01', total, accounts: 3, root: '' }) as const;

test('a supply that adds up holds, and reports its change since the record [R43]', () => {
  expect(checkSupply(SUPPLY, null, 0).state).toBe('ok');
  expect(checkSupply(SUPPLY, owed(55n), 1).detail).toBe('65 Snaps owed, +10 since 2026-01-01');
  expect(checkSupply(SUPPLY, owed(100n), 0).detail).toBe('65 Snaps owed, -35 since 2026-01-01');
  expect(checkSupply(SUPPLY, owed(65n), 0).detail).toBe('65 Snaps owed, the same as on 2026-01-01');
});

test.each<[what: string, changes: Partial<Supply>, difference: RegExp]>([
  ['tokens of nothing', { issued: 99 }, /99 Snaps were issued/],
  ['balances above the ledger', { balances: 61 }, /balances hold 61 Snaps, the ledger 60/],
  ['two balances that differ and add up', { differing: 2 }, /2 voters with another balance/],
  ['liabilities', { liabilities: 60 }, /liabilities of 60 do not add up/],
])('names a supply that does not add up: %s [R13 R43]', (_what, changes, difference) => {
  expect(checkSupply({ ...SUPPLY, ...changes }, null, 0).differences.join('\n')).toMatch(difference);
});

test('names a total that neither votes nor burns and payouts explain [R43 R62]', () => {
  expect(checkSupply(SUPPLY, owed(101n), 0).differences).toEqual([
    'the record says that 101 Snaps were owed; what is owed, burned and paid since is 100 at most',
  ]);
  expect(checkSupply(SUPPLY, owed(54n), 1).differences).toEqual([
    'the record says that 54 Snaps were owed; 65 are owed now, and 1 vote since explain 10',
  ]);
});

test('names votes that differ from the recorded ones in spite of equal counts [R62 R63]', () => {
  const recount = recountOf(5, 1);
  const flipped = recount.projects.map((one) => ({ ...one, digest: one.period === 1 ? 'x' : one.digest }));
  expect(checkDatabase(RECORDED, { ...recount, projects: flipped }).differences).toEqual([
    'project 1: the server holds other votes than the record, though as many',
  ]);
  const unknown = recount.projects.map((one) => ({ ...one, digest: null }));
  expect(checkDatabase(RECORDED, { ...recount, projects: unknown })).toMatchObject({
    state: 'unchecked',
    detail: '8 votes behind the site are as many as in the record; their digests are not computed yet',
  });
});
