/** The parts of a site as they were read, and what the record tells about them: the input of each row. */
import type { z } from 'zod';
import type { getLeaderboard } from '#shared/contract/leaderboard.ts';
import type { LeaderboardDay } from '#shared/contract/open.ts';
import type { OwnershipProof } from '#shared/contract/ownership.ts';
import type { LeaderboardRow, ListedProject, ProjectPage } from '#shared/contract/projects.ts';
import type { Recount, RecordSummary } from '#shared/contract/record.ts';
import type { Reach, Trust } from '#shared/contract/standing.ts';
import type { Supply } from '#shared/contract/supply.ts';
import type { Project } from '#shared/contract/types.ts';
import type { ListingVersion } from '#shared/contract/versions.ts';
import type { VoteCounts } from '#shared/numbers/interval.ts';
import type { Sort } from '#shared/listings/sort-names.ts';
import { NO_TREND } from '#shared/figures/trending.ts';
import { fromBase64Url } from '../entries/base64url.ts';
import { BEGINNING, END, fits, type Range } from './compare.ts';
import type { DayCounts, Side } from './history.ts';
import type { Claim } from './memory.ts';
import type { RecordResult } from './record.ts';
import type { Recounted } from './recount.ts';

export const LINES = [
  'Database',
  'Site',
  'Orders',
  'Trending',
  'Versions',
  'Ownership',
  'Reasons',
  'Now',
  'Day files',
  'Trust',
  'Supply',
  'Copies',
] as const;
export type Line = (typeof LINES)[number];

/** '67% bullish of 41 verified votes' */
export interface Share {
  percentage: number;
  votes: number;
  isVerified: boolean;
}

/** `now` is undefined if a place does not have it. */
export type Figures = Pick<Project, 'verified' | 'now'> & VoteCounts;

/** A place that shows the figures of a project, or the share alone; null if it shows nothing. */
export type Door = { where: string; id: number } & ({ figures: Figures | null } | { share: Share | null });

/** A part of the site as it was read. Throws where it could not be read. */
export type Source<T> = () => T;

export interface Shown {
  recount: Recount;
  leaderboard: Source<LeaderboardRow[]>;
  newest: Source<Project[]>;
  open: Source<ListedProject[]>;
  /** The list in the other orders. */
  sorted: Source<ReadonlyMap<Sort, ListedProject[]>>;
  /** Pages by the requested id; null for a project that is hidden from strangers. */
  pages: Source<ReadonlyMap<number, ProjectPage | null>>;
  voters: Source<z.output<typeof getLeaderboard.response>['topVoters']>;
  versions: Source<ReadonlyMap<number, ListingVersion[]>>;
  proofs: Source<ReadonlyMap<number, OwnershipProof | null>>;
  /** Newest first, because only the first of many differences are named. */
  days: Source<ReadonlyArray<{ file: LeaderboardDay; csv: string }>>;
  trust: Source<Trust>;
  /** The supply under each of its addresses, that of /api/v1 first. */
  supply: Source<ReadonlyArray<readonly [where: string, supply: Supply]>>;
  reach: Source<Reach>;
  /** The doors of some random projects. */
  doors: Source<readonly Door[]>;
  openRecord: Source<RecordSummary>;
}

export interface RecordedDays {
  /** Votes of earlier days are in the record, but not which of them were verified at the time. */
  first: string;
  /** The last day that is over and completely recorded. */
  last: string;
}

export interface DayFigures {
  all: VoteCounts;
  verified: VoteCounts;
  now: VoteCounts;
}

export interface ProjectFigures {
  days: ReadonlyMap<string, DayFigures>;
  /** Opinions of the last 30 days. */
  now: VoteCounts;
  /** The votes that count, by the identity that they are about. */
  sides: readonly Side[];
  /** The counts of each of the last 30 days on which something changed. */
  late: ReadonlyMap<string, DayCounts>;
}

export interface Known {
  record: Pick<RecordResult, 'readings' | 'supply' | 'listings' | 'batches' | 'checkpoints' | 'checkpoint'>;
  verifierKey: string;
  recounted: Recounted;
  days: RecordedDays;
  /** When each batch ended, as `timeText` writes it. */
  ends: readonly string[];
  projects: ReadonlyMap<number, ProjectFigures>;
  /** Counters of each project while the site was read: those of the record and what the server counted since. */
  counts: ReadonlyMap<number, Record<'bullish' | 'bearish', Range>>;
  /** The same, for figures that may be some minutes old. */
  cachedCounts: Known['counts'];
  /** Votes and changes since the record's end on any project, until `asOf`. */
  newer: number;
  asOf: string;
  /** The votes that the site showed at the last check. */
  claim: Claim | null;
}

const SALT_BYTES = 16;
/** The salt of a version or a proof; null without one, or for another text. */
export const saltOf = (text: string | null): Uint8Array | null =>
  text === null ? null : fromBase64Url(text, SALT_BYTES);

/** A time in one spelling, so that times can be compared as texts. */
export function timeText(time: string): string {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? time : new Date(ms).toISOString();
}

/** When each batch ended, by the list of checkpoints, which History compares with the batches. */
export function endsOf({ batches, checkpoints }: Pick<RecordResult, 'batches' | 'checkpoints'>): string[] {
  const bySize = new Map(checkpoints.map(({ size, until }) => [size, until]));
  return batches.map(({ entries }) => timeText(bySize.get(entries.end) ?? ''));
}

/** The time of something that this batch recorded, and no batch before it. */
export const sealedIn = ({ ends }: Pick<Known, 'ends'>, batch: number): Range => ({
  least: ends[batch - 1] ?? BEGINNING,
  most: ends[batch] ?? END,
});

/** The time of something that no batch has recorded yet. */
export const notRecorded = ({ ends }: Pick<Known, 'ends'>): Range => ({ least: ends.at(-1) ?? BEGINNING, most: END });
export const isNewer = (known: Pick<Known, 'ends'>, time: string | null): boolean =>
  time !== null && fits(timeText(time), notRecorded(known));

export const NONE: VoteCounts = { bullish: 0, bearish: 0 };

/** The votes of a project about this identity or a later one. */
export function since({ projects }: Pick<Known, 'projects'>, id: number, identity: number): Omit<Side, 'identity'> {
  const sum = { votes: 0, verified: { ...NONE }, trend: { ...NO_TREND } };
  for (const side of projects.get(id)?.sides ?? []) {
    if (side.identity < identity) continue;
    sum.votes += side.votes;
    for (const name of ['bullish', 'bearish'] as const) {
      sum.verified[name] += side.verified[name];
      sum.trend[name] += side.trend[name];
    }
    sum.trend.weight += side.trend.weight;
  }
  return sum;
}
export const verifiedOf = (known: Pick<Known, 'projects'>, id: number): VoteCounts => since(known, id, 1).verified;

/** Verified votes are never more than the live ones of their side (R94). */
export const clipped = ({ bullish, bearish }: VoteCounts, live: VoteCounts): VoteCounts => ({
  bullish: Math.min(bullish, live.bullish),
  bearish: Math.min(bearish, live.bearish),
});

export const sumOf = ({ bullish, bearish }: VoteCounts): number => bullish + bearish;
export const pagesOf = ({ pages }: Pick<Shown, 'pages'>): ProjectPage[] =>
  [...pages().values()].filter((page) => page !== null);

export const everywhere = (site: Shown): Array<readonly [where: string, project: Project | LeaderboardRow]> =>
  Object.entries({
    'on the leaderboard': site.leaderboard(),
    'in the list of /api/v1': site.open(),
    ...Object.fromEntries([...site.sorted()].map(([sort, rows]) => [`in the list by '${sort}'`, rows])),
    'in the public list': site.newest(),
    'on its page': pagesOf(site),
  }).flatMap(([where, projects]) => projects.map((project) => [`project ${project.id} ${where}`, project] as const));
