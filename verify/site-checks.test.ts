import { describe, expect, test } from 'vitest';
import type { LeaderboardRow, ProjectPage } from '#shared/contract/projects.ts';
import type { Recount } from '#shared/contract/record.ts';
import type { Supply } from '#shared/contract/supply.ts';
import { confidence } from '#shared/interval.ts';
import { bullishPercentage } from '#shared/rules.ts';
import { checkCounters, checkOrders, checkSupply, countsOf, type ShownCounts } from './site-checks.ts';

const TIME = '2026-01-01T12:00:00.000Z';

const projectOf = (id: number, bullish: number, bearish: number) => ({
  id,
  slug: `project-${id}`,
  name: `Project ${id}`,
  category: 'DeFi',
  description: 'Made up',
  imageUrl: '/images/x',
  twitterHandle: 'x',
  website: null,
  submittedBy: '0x0',
  period: 1,
  periodEndsAt: '2026-10-01T00:00:00.000Z',
  transactionHash: null,
  createdAt: TIME,
  expiresAt: TIME,
  bullishCount: bullish,
  bearishCount: bearish,
  totalVotes: bullish + bearish,
  verified: { bullish: Math.floor(bullish / 2), bearish: Math.floor(bearish / 2) },
});
const rowOf = (id: number, rank: number, bullish: number, bearish: number): LeaderboardRow => ({
  ...projectOf(id, bullish, bearish),
  bullishVotes: bullish,
  bearishVotes: bearish,
  bullishPercentage: bullishPercentage(bullish, bearish),
  confidence: confidence(bullish, bearish),
  expired: false,
  rank,
});

const first = rowOf(1, 1, 40, 4);
const second = rowOf(2, 2, 8, 2);
const third = rowOf(3, 3, 4, 4);
const last = rowOf(4, 4, 0, 0);
const pageOf = (row: LeaderboardRow, above: LeaderboardRow | null): ProjectPage => {
  const nextAbove = above && { id: above.id, slug: above.slug, name: above.name, verified: above.verified };
  return { ...row, hidden: false, nextAbove, standingMinMist: '1' };
};
const voter = (rank: number, totalVotes: number) => ({
  rank,
  name: null,
  walletAddress: '0x0',
  avatarUrl: null,
  totalVotes,
  user: { id: rank, username: null, walletAddress: '0x0', avatarUrl: null },
  stats: { totalVotes },
});

const FITTING = {
  leaderboard: [first, second, third, last],
  pages: [pageOf(first, null), pageOf(second, first), pageOf(third, second), pageOf(last, third)],
  newest: [first, second, third, last],
  voters: { topVoters: [voter(1, 9), voter(1, 9), voter(3, 2)], currentUserRank: null },
};

test('orders that follow from their counters hold [R27 R43]', () => {
  expect(checkOrders(FITTING)).toMatchObject({ state: 'ok', differences: [] });
});

describe('an order that does not follow is named', () => {
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
    ['a rank', { leaderboard: [first, { ...second, rank: 1 }] }, /project 2 at rank 1 shows rank 1, not 2/],
    ['a percentage', { leaderboard: [{ ...first, bullishPercentage: 92 }] }, /shows bullishPercentage 92, not 91/],
    ['a number of votes', { leaderboard: [{ ...first, totalVotes: 45 }] }, /shows totalVotes 45, not 44/],
    [
      'a confidence',
      { leaderboard: [{ ...first, confidence: first.confidence + 0.01 }] },
      /project 1 shows a confidence of/,
    ],
    [
      'the verified order',
      { pages: [pageOf(third, first)] },
      /project 3 names another project before it in the order 'Verified'/,
    ],
    ['the top of the verified order', { pages: [pageOf(first, second)] }, /project 1 names another/],
    ['a rank in the verified order left out', { pages: [pageOf(second, null)] }, /project 2 names another/],
    [
      'more verified votes than votes',
      { pages: [pageOf({ ...first, verified: { bullish: 41, bearish: 0 } }, null)] },
      /project 1 has more verified votes than votes/,
    ],
    ['the public list', { newest: [second, first] }, /project 2 stands before project 1 in the public list/],
    [
      'the public list of equal votes',
      { newest: [third, { ...second, totalVotes: 8, id: 9 }] },
      /project 3 stands before project 9/,
    ],
    [
      'the top voters',
      { voters: { topVoters: [voter(1, 2), voter(2, 9)], currentUserRank: null } },
      /the top voter at place 2 has another rank/,
    ],
    [
      'a rank of equal voters',
      { voters: { topVoters: [voter(1, 9), voter(2, 9)], currentUserRank: null } },
      /the top voter at place 2/,
    ],
  ])('%s [R27 R43 R44]', (_what, changes, difference) => {
    const check = checkOrders({ ...FITTING, ...changes });
    expect(check.state).toBe('differs');
    expect(check.differences.join('\n')).toMatch(difference);
  });
});

const recountOf = (bullish: number, since: number): Recount => ({
  size: 10,
  until: TIME,
  asOf: TIME,
  projects: [
    { projectId: 1, period: 1, recorded: { bullish, bearish: 1 }, since: { bullish: since, bearish: 0 } },
    { projectId: 1, period: 2, recorded: { bullish: 2, bearish: 0 }, since: { bullish: 0, bearish: 0 } },
  ],
});
const shown = (bullish: number): ShownCounts[] => [{ projectId: 1, bullish, bearish: 1, where: 'its page' }];

test('counters are the votes of all periods, and may grow while they are read [R43]', () => {
  const [before, after] = [countsOf(recountOf(5, 1)), countsOf(recountOf(5, 3))];
  expect(checkCounters(shown(8), before, before, 1)).toMatchObject({ state: 'ok' });
  expect(checkCounters(shown(10), before, after, 1)).toMatchObject({ state: 'ok' });
  expect(checkCounters(shown(11), before, after, 1)).toMatchObject({ state: 'differs' });
  expect(checkCounters(shown(7), before, after, 1)).toMatchObject({ state: 'differs' });
});

const SUPPLY: Supply = {
  issued: 100,
  burned: 20,
  held: 5,
  paid: 15,
  circulating: 60,
  balances: 60,
  differing: 0,
  liabilities: 65,
  holders: 3,
  entries: 12,
  asOf: TIME,
};
const owed = (total: bigint) => ({ kind: 'liabilities', day: '2026-01-01', total, accounts: 3, root: '' }) as const;

test('a supply that adds up holds, and says how far it has moved since the record [R43]', () => {
  expect(checkSupply(SUPPLY, null).state).toBe('ok');
  expect(checkSupply(SUPPLY, owed(50n)).detail).toContain('+10 since 2026-01-01');
  expect(checkSupply(SUPPLY, owed(60n)).detail).toContain('the same as 2026-01-01');
});

test.each<[what: string, changes: Partial<Supply>, difference: RegExp]>([
  ['tokens of nothing', { issued: 99 }, /99 tokens were issued/],
  ['balances above the ledger', { balances: 61 }, /balances hold 61 Snaps, the ledger 60/],
  ['two balances that differ and add up', { differing: 2 }, /2 voters with another balance/],
  ['liabilities', { liabilities: 60 }, /liabilities of 60 do not add up/],
])('a supply that does not add up is named: %s [R13 R43]', (_what, changes, difference) => {
  expect(checkSupply({ ...SUPPLY, ...changes }, null).differences.join('\n')).toMatch(difference);
});

test('more owed than was ever issued is named [R43]', () => {
  expect(checkSupply(SUPPLY, owed(101n)).differences.join('\n')).toMatch(/101 tokens were owed, and only 100/);
});
