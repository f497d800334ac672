import type { LeaderboardDay } from '../contract/open.ts';
import type { LeaderboardRow, ListedProject, ProjectPage } from '../contract/projects.ts';
import type { SiteConfig } from '../contract/site.ts';
import type { Project } from '../contract/types.ts';
import type { TopVoter } from '../contract/leaderboard.ts';
import { NOW_MIN_VOTES } from '../numbers/interval.ts';
import { toDayRows } from '../figures/day-rows.ts';
import { bullishPercentage } from '../rules.ts';
import type { Sort } from '../listings/sort-names.ts';
import { compareKeys, rankAt, rankedBy, SORT_KEYS } from '../figures/sorts.ts';

/** A made-up site's view of its projects and voters, as far as it follows from counters. */

export const MADE_TIME = '2026-01-01T12:00:00.000Z';

/** A site of a chain of its own, with nothing set up. */
export const madeConfig = (changes: Partial<SiteConfig> = {}): SiteConfig => ({
  origin: 'http://127.0.0.1:1',
  network: 'localnet',
  chainId: null,
  rpcUrl: 'http://127.0.0.1:9',
  faucetUrl: null,
  adminWallet: '0x0',
  autoConnect: false,
  chatUrl: null,
  socialUrl: null,
  minAge: null,
  excludedRegions: [],
  dataLicense: null,
  explorerUrl: null,
  snapsCoinType: null,
  ...changes,
});

export const madeProject = (id: number, bullish: number, bearish: number): Project => ({
  id,
  slug: `project-${id}`,
  name: `Project ${id}`,
  category: 'DeFi',
  description: 'Made up',
  imageUrl: '/images/x',
  twitterHandle: 'x',
  website: null,
  coinType: null,
  packageId: null,
  identity: 1,
  submittedBy: '0x0',
  period: 1,
  periodEndsAt: '2026-10-01T00:00:00.000Z',
  transactionHash: null,
  listing: {
    source: 'free',
    since: MADE_TIME,
    coinSource: null,
    ownership: 'none',
    subject: null,
    ownershipSince: null,
  },
  createdAt: MADE_TIME,
  expiresAt: MADE_TIME,
  bullishCount: bullish,
  bearishCount: bearish,
  totalVotes: bullish + bearish,
  verified: { bullish: Math.floor(bullish / 2), bearish: Math.floor(bearish / 2) },
  figuresOn: '2026-11-21',
});

export const madeRow = (id: number, rank: number | null, bullish: number, bearish: number): LeaderboardRow => ({
  ...madeProject(id, bullish, bearish),
  now: bullish + bearish < NOW_MIN_VOTES ? null : { bullish, bearish },
  bullishVotes: bullish,
  bearishVotes: bearish,
  bullishPercentage: bullishPercentage(bullish, bearish),
  expired: false,
  rank,
});

export const madePage = (row: LeaderboardRow, above: LeaderboardRow | null): ProjectPage => {
  const nextAbove = above && {
    id: above.id,
    slug: above.slug,
    name: above.name,
    verified: above.verified,
    votesToRank: 0,
  };
  const facts = { hidden: false, changes: 0, reasons: [] };
  return { ...row, ...facts, nextAbove, standingMinMist: '1' };
};

export const madeVoter = (rank: number, totalVotes: number): TopVoter => ({
  rank,
  name: null,
  walletAddress: '0x0',
  avatarUrl: null,
  totalVotes,
  user: { id: rank, username: null, walletAddress: '0x0', avatarUrl: null },
  stats: { totalVotes },
});

/** Votes of project 1 are a day older than those of project 2, which are of the last closed day. */
export const madeListed = (row: LeaderboardRow): ListedProject => ({
  ...row,
  trend: { ...row.verified, weight: (row.verified.bullish + row.verified.bearish) * (row.id === 1 ? 6 : 7) },
});

export function madeList(rows: readonly LeaderboardRow[], sort: Sort): ListedProject[] {
  const keyOf = SORT_KEYS[sort];
  const listed = rows.map(madeListed).toSorted((one, other) => compareKeys(keyOf(one), keyOf(other)));
  const order = rankedBy(sort, listed);
  return order.rows.map((row, at) => ({ ...row, rank: rankAt(at, order) }));
}

/** The leaderboard of a day, best first. */
export const madeDay = (day: string, rows: readonly LeaderboardRow[]): LeaderboardDay => ({
  day,
  projects: toDayRows(
    rows.map(({ id, slug, name, category, createdAt, bullishVotes, bearishVotes, verified }) => ({
      id,
      slug,
      name,
      category,
      listedOn: createdAt.slice(0, 10),
      bullish: bullishVotes,
      bearish: bearishVotes,
      verifiedBullish: verified.bullish,
      verifiedBearish: verified.bearish,
      nowBullish: bullishVotes,
      nowBearish: bearishVotes,
      rankVotes: verified.bullish + verified.bearish,
    })),
  ),
});
