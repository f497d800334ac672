import { expect, test } from 'vitest';
import type { LeaderboardRow } from './contract/projects.ts';
import { confidence } from './interval.ts';
import { bullishPercentage } from './rules.ts';
import { isSort, rankRows } from './sorts.ts';

function row(rank: number, bullish: number, bearish: number): LeaderboardRow {
  return {
    id: rank,
    rank,
    slug: `p${rank}`,
    name: `P${rank}`,
    category: 'DeFi',
    description: '',
    imageUrl: '',
    twitterHandle: 'p',
    website: null,
    submittedBy: '0x0',
    period: 1,
    periodEndsAt: '2026-10-01T00:00:00.000Z',
    transactionHash: null,
    createdAt: '',
    expiresAt: '',
    bullishCount: bullish,
    bearishCount: bearish,
    totalVotes: bullish + bearish,
    verified: { bullish: 0, bearish: 0 },
    bullishVotes: bullish,
    bearishVotes: bearish,
    bullishPercentage: bullishPercentage(bullish, bearish),
    confidence: confidence(bullish, bearish),
    expired: false,
  };
}
const rows = [row(1, 2, 0), row(2, 90, 10), row(3, 40, 10), row(4, 0, 0), row(5, 0, 0)];

test('the order of the server is kept, places are counted [R27]', () => {
  expect(rankRows(rows, 'bullish').map((ranked) => [ranked.rank, ranked.project.id])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
    [5, 5],
  ]);
});

test('by confidence two votes do not beat a hundred; without votes last, in the old order [R27]', () => {
  expect(rankRows(rows, 'confidence').map((ranked) => ranked.project.id)).toEqual([2, 3, 1, 4, 5]);
  expect(rankRows(rows, 'confidence')[0]?.project).toBe(rows[1]);
});

test('words of an order', () => {
  expect([isSort('confidence'), isSort('bullish'), isSort(''), isSort(null)]).toEqual([true, true, false, false]);
});
