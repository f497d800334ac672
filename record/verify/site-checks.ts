import { plural } from '#shared/plural.ts';
import type { z } from 'zod';
import type { getLeaderboard } from '#shared/contract/leaderboard.ts';
import type { LeaderboardRow, ProjectPage } from '#shared/contract/projects.ts';
import type { Recount } from '#shared/contract/record.ts';
import type { Supply } from '#shared/contract/supply.ts';
import type { Project } from '#shared/contract/types.ts';
import type { LiabilitiesEntry } from '../entries/entries.ts';
import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import { bullishPercentage } from '#shared/rules.ts';
import { RANK_MIN_VOTES, rankAt, rankRows, verifiedBound, votesForRank } from '#shared/sorts.ts';
import type { Recounted } from './recount.ts';
import { type Check, Differences, unchecked } from './report.ts';

interface Counts {
  bullish: number;
  bearish: number;
}

/** By project, over all of its listing periods. */
export type CountsByProject = Map<number, Counts>;

const NO_VOTES: Counts = { bullish: 0, bearish: 0 };
const isEqual = (one: Counts, other: Counts): boolean => one.bullish === other.bullish && one.bearish === other.bearish;
const isBetween = (one: Counts, first: Counts, last: Counts): boolean =>
  (['bullish', 'bearish'] as const).every(
    (name) => one[name] >= Math.min(first[name], last[name]) && one[name] <= Math.max(first[name], last[name]),
  );
const textOf = ({ bullish, bearish }: Counts): string => `${bullish} bullish and ${bearish} bearish`;

/** Whether the digests of all recorded votes are computed, which happens some time after a publication. */
export const hasDigests = ({ projects }: Recount): boolean =>
  projects.every(({ recorded, digest }) => digest !== null || isEqual(recorded, NO_VOTES));

/**
 * Compares the server's votes, counted one by one before the end of the record, with the record's: their number, and a
 * digest that covers each vote's pseudonym, day and direction.
 */
export function checkDatabase(recounted: Recounted, recount: Recount): Check {
  const { projects } = recount;
  const differences = new Differences();
  const keyOf = ({ projectId, period }: { projectId: number; period: number }) => `${projectId} ${period}`;
  const stored = new Map(projects.map((project) => [keyOf(project), project.recorded]));
  const digests = new Map(projects.map((project) => [keyOf(project), project.digest]));
  const isDigested = hasDigests(recount);
  differences.expect(stored.size === projects.length, () => 'the server counts a project twice in one listing period');
  for (const project of recounted.projects) {
    const found = stored.get(keyOf(project)) ?? NO_VOTES;
    stored.delete(keyOf(project));
    differences.expect(
      isEqual(found, project),
      () => `project ${project.projectId}: the server holds ${textOf(found)}, the record ${textOf(project)}`,
    );
    differences.expect(
      !isDigested || !isEqual(found, project) || digests.get(keyOf(project)) === project.digest,
      () => `project ${project.projectId}: the server holds other votes than the record, though as many`,
    );
  }
  for (const [key, found] of stored) {
    differences.expect(
      isEqual(found, NO_VOTES),
      () => `project ${key.split(' ')[0]}: the server holds ${textOf(found)}, the record none`,
    );
  }
  const votes = plural(recounted.votes, 'vote');
  const check = differences.check('Database', `${votes} behind the site are those of the record, one by one`);
  if (isDigested || check.state !== 'ok') return check;
  return unchecked(
    'Database',
    `${votes} behind the site are as many as in the record; their digests are not computed yet`,
  );
}

/** All votes of a recount: those of the record and newer ones. */
export function countsOf({ projects }: Recount): CountsByProject {
  const counts: CountsByProject = new Map();
  for (const { projectId, recorded, since } of projects) {
    const sum = counts.get(projectId) ?? NO_VOTES;
    counts.set(projectId, {
      bullish: sum.bullish + recorded.bullish + since.bullish,
      bearish: sum.bearish + recorded.bearish + since.bearish,
    });
  }
  return counts;
}

export interface ShownCounts extends Counts {
  projectId: number;
  /** Name of the place that showed it: 'the leaderboard'. */
  where: string;
}

/** Figures shown that were counted at neither time: the counts before and after allow for votes in between. */
export function mismatches(
  shown: readonly ShownCounts[],
  before: CountsByProject,
  after: CountsByProject,
): ShownCounts[] {
  return shown.filter((one) => {
    const [first, last] = [before, after].map((counts) => counts.get(one.projectId));
    // Counters can fall between the two counts when a vote is undone or replaced.
    return !isBetween(one, first ?? NO_VOTES, last ?? first ?? NO_VOTES);
  });
}

export function checkCounters(
  shown: readonly ShownCounts[],
  before: CountsByProject,
  after: CountsByProject,
  { newer, hidden, problems }: { newer: number; hidden: number; problems: readonly string[] },
): Check {
  const differences = new Differences();
  for (const problem of problems) differences.add(problem);
  for (const one of mismatches(shown, before, after)) {
    const votes = before.get(one.projectId) ?? NO_VOTES;
    differences.add(`project ${one.projectId}: ${one.where} shows ${textOf(one)}, its votes are ${textOf(votes)}`);
  }
  const projects = plural(new Set(shown.map(({ projectId }) => projectId)).size, 'project');
  const detail = `${projects} on leaderboard, lists, pages and drawn pages; ${plural(newer, 'vote')} newer than the record`;
  // Moderators hide projects, whose votes stay in the record.
  return differences.check('Site', hidden === 0 ? detail : `${detail}; ${plural(hidden, 'project')} not shown`);
}

/**
 * The leaderboard's default order (R27): bullish share, votes, age; projects without votes come last. Above 0: `one`
 * comes too early.
 */
function compareRows(one: LeaderboardRow, other: LeaderboardRow): number {
  const total = (row: LeaderboardRow) => row.bullishVotes + row.bearishVotes;
  if (total(one) === 0 || total(other) === 0) return Math.sign(total(other) - total(one));
  return (
    other.bullishVotes / total(other) - one.bullishVotes / total(one) ||
    total(other) - total(one) ||
    Date.parse(one.createdAt) - Date.parse(other.createdAt) ||
    one.id - other.id
  );
}

/** The derived figures of a row follow from its votes and its place. */
function checkRow(row: LeaderboardRow, rank: number | null, differences: Differences): void {
  const { id, bullishVotes, bearishVotes } = row;
  const expected = {
    rank,
    bullishPercentage: bullishPercentage(bullishVotes, bearishVotes),
    totalVotes: bullishVotes + bearishVotes,
  };
  for (const [name, value] of Object.entries(expected)) {
    const shown = row[name as keyof typeof expected];
    differences.expect(shown === value, () => `project ${id} shows ${name} ${shown}, not ${value}`);
  }
}

interface Orders {
  leaderboard: readonly LeaderboardRow[];
  pages: readonly ProjectPage[];
  newest: ReadonlyArray<Pick<Project, 'id' | 'bullishCount' | 'bearishCount' | 'totalVotes'>>;
  voters: z.output<typeof getLeaderboard.response>;
}

function checkLeaderboard({ leaderboard, newest, pages }: Orders, differences: Differences): void {
  const idsOf = (projects: ReadonlyArray<{ id: number }>) => new Set(projects.map(({ id }) => id));
  const [ranked, shown] = [idsOf(leaderboard), idsOf(pages)];
  for (const id of new Set([...shown, ...idsOf(newest)]))
    differences.expect(ranked.has(id), () => `project ${id} is not on the leaderboard`);
  for (const id of ranked) differences.expect(shown.has(id), () => `project ${id} has no page`);
  const order = rankRows(leaderboard.toSorted(compareRows), votesForRank);
  const placeOf = new Map(order.rows.map(({ id }, index) => [id, index]));
  for (const [index, row] of leaderboard.entries()) {
    checkRow(row, rankAt(index, order), differences);
    const before = leaderboard[index - 1];
    differences.expect(
      !before || (placeOf.get(before.id) ?? 0) < (placeOf.get(row.id) ?? 0),
      () => `project ${before?.id} stands before project ${row.id} on the leaderboard`,
    );
  }
}

/** Each page names the project before its own in the order 'Verified', which the page of the leaderboard sorts by. */
function checkVerifiedOrder({ leaderboard, pages }: Orders, differences: Differences): void {
  const byBound = leaderboard.toSorted(
    (one, other) => verifiedBound(other) - verifiedBound(one) || compareRows(one, other),
  );
  const { rows, ranked } = rankRows(byBound, votesForRank);
  const before = new Map(rows.map(({ id }, index) => [id, rows[index - 1]?.id ?? null]));
  for (const page of pages) {
    const { id, verified, nextAbove, bullishCount, bearishCount } = page;
    differences.expect(
      verified.bullish <= bullishCount && verified.bearish <= bearishCount,
      () => `project ${id} has more verified votes than votes`,
    );
    differences.expect(
      !before.has(id) || before.get(id) === (nextAbove?.id ?? null),
      () => `project ${id} names another project before it in the order 'Verified'`,
    );
    // The first one without a rank comes after the last one with one.
    const votesToRank = id === rows[ranked]?.id ? Math.max(0, RANK_MIN_VOTES - votesForRank(page)) : 0;
    differences.expect(
      !nextAbove || !before.has(id) || nextAbove.votesToRank === votesToRank,
      () => `project ${id} lacks ${votesToRank} verified votes for a rank, not ${nextAbove?.votesToRank}`,
    );
  }
}

function checkLists({ newest, voters: { topVoters } }: Orders, differences: Differences): void {
  for (const [index, { id, totalVotes, bullishCount, bearishCount }] of newest.entries()) {
    const before = newest[index - 1];
    differences.expect(
      totalVotes === bullishCount + bearishCount,
      () => `project ${id} shows totalVotes ${totalVotes} in the public list, not ${bullishCount + bearishCount}`,
    );
    differences.expect(
      !before || before.totalVotes > totalVotes || (before.totalVotes === totalVotes && before.id > id),
      () => `project ${before?.id} stands before project ${id} in the public list`,
    );
  }
  for (const [index, { rank, totalVotes }] of topVoters.entries()) {
    const first = topVoters.findIndex((voter) => voter.totalVotes === totalVotes);
    const isSorted = topVoters.slice(0, index).every((voter) => voter.totalVotes >= totalVotes);
    differences.expect(isSorted && rank === first + 1, () => `the top voter at place ${index + 1} has another rank`);
  }
}

/** Every order that the site shows follows from its counters, and so from the record. */
export function checkOrders(orders: Orders): Check {
  const differences = new Differences();
  checkLeaderboard(orders, differences);
  checkVerifiedOrder(orders, differences);
  checkLists(orders, differences);
  return differences.check(
    'Orders',
    'leaderboard, verified order, public list and top voters follow from their counters',
  );
}

/** Snaps of one vote. */
const VOTE_REWARD = BigInt(VOTE_REWARD_TOKENS);

/**
 * Compares the amount owed by the record with the amount owed now: in between, only votes add, and only burns and
 * payouts subtract.
 */
function checkOwed(
  { liabilities, burned, paid }: Supply,
  { total }: LiabilitiesEntry,
  newer: number,
  differences: Differences,
) {
  const [most, least] = [BigInt(liabilities + burned + paid), BigInt(liabilities) - VOTE_REWARD * BigInt(newer)];
  differences.expect(
    total <= most,
    () => `the record says that ${total} Snaps were owed; what is owed, burned and paid since is ${most} at most`,
  );
  differences.expect(
    total >= least,
    () =>
      `the record says that ${total} Snaps were owed; ${liabilities} are owed now, and ${plural(newer, 'vote')} since explain ${VOTE_REWARD * BigInt(newer)}`,
  );
}

/**
 * The books of all Snaps fit together, and the amount owed is the one that the record committed to. `newer` votes were
 * cast since.
 */
export function checkSupply(supply: Supply, liabilities: LiabilitiesEntry | null, newer: number): Check {
  const differences = new Differences();
  const { issued, granted, burned, held, paid, circulating, balances, differing } = supply;
  differences.expect(
    issued === burned + held + paid + circulating,
    () => `${issued} Snaps were issued; burned, held, paid and circulating are ${burned + held + paid + circulating}`,
  );
  differences.expect(
    balances === circulating && differing === 0,
    () =>
      `balances hold ${balances} Snaps, the ledger ${circulating}; ${plural(differing, 'voter')} with another balance`,
  );
  differences.expect(
    supply.liabilities === circulating + held,
    () => `liabilities of ${supply.liabilities} do not add up`,
  );
  const given = granted === 0 ? '' : ` (${granted.toLocaleString('en')} were granted, not earned)`;
  const owed = `${supply.liabilities.toLocaleString('en')} Snaps owed${given}`;
  if (!liabilities) return differences.check('Supply', owed);
  checkOwed(supply, liabilities, newer, differences);
  const moved = BigInt(supply.liabilities) - liabilities.total;
  const since = moved === 0n ? 'the same as on' : `${moved > 0n ? '+' : ''}${moved.toLocaleString('en')} since`;
  return differences.check('Supply', `${owed}, ${since} ${liabilities.day}`);
}
