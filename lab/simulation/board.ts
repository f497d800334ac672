import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { orderedOnce } from '#server/listings/projects/ordered.ts';
import type { Services } from '#server/kit/services.ts';
import { isYoung, verifiedSince } from '#shared/listings/identity.ts';
import { confidence, type VoteCounts } from '#shared/numbers/interval.ts';
import { compareKeys, rankedBy, rankingVotes, SORT_KEYS, type Sortable } from '#shared/figures/sorts.ts';
import { NO_TREND, type Trend, TREND_DAYS, trendScore } from '#shared/figures/trending.ts';
import { dayOf } from './clock.ts';
import type { SimulatedOrder } from './results.ts';

const SORT_OF = { bullish: 'bullish', verified: 'verified', trending: 'trending', lasting: 'verified' } as const;

export type Board = ReadonlyMap<number, Sortable>;

/** Votes as the product counts them: all, the verified ones, those of them that count in 'Trending', and their weight there. */
export interface Counted {
  votes: number;
  verified: number;
  recent: number;
  weight: number;
}

const plus = ({ bullish, bearish }: VoteCounts, isBullish: boolean, by: number): VoteCounts => ({
  bullish: bullish + (isBullish ? by : 0),
  bearish: bearish + (isBullish ? 0 : by),
});

const plusTrend = (trend: Trend, isBullish: boolean, { recent, weight }: Counted, sign: number): Trend => ({
  ...plus(trend, isBullish, sign * recent),
  weight: trend.weight + sign * weight,
});

export function withVotes(row: Sortable, isBullish: boolean, counted: Counted, sign: 1 | -1 = 1): Sortable {
  const all = plus({ bullish: row.bullishVotes, bearish: row.bearishVotes }, isBullish, sign * counted.votes);
  return {
    ...row,
    bullishVotes: all.bullish,
    bearishVotes: all.bearish,
    verified: plus(row.verified, isBullish, sign * counted.verified),
    trend: plusTrend(row.trend, isBullish, counted, sign),
  };
}

/** Verified votes since a change of identity. */
export interface Since {
  verified: VoteCounts;
  trend: Trend;
}

export const NOTHING_SINCE: Since = { verified: { bullish: 0, bearish: 0 }, trend: NO_TREND };

export const sinceWith = ({ verified, trend }: Since, counted: Counted, sign: 1 | -1 = 1): Since => ({
  verified: plus(verified, true, sign * counted.verified),
  trend: plusTrend(trend, true, counted, sign),
});

/** A project's row after one change of its identity, by the product's own rule (R60). */
export function asRenamed(row: Sortable, since: Since): Sortable {
  const lower = isYoung(row.verified, since.verified) && trendScore(since.trend) < trendScore(row.trend);
  return {
    ...row,
    verifiedSince: verifiedSince(row.verified, [since.verified]),
    rankVotes: since.verified.bullish + since.verified.bearish,
    trend: lower ? since.trend : row.trend,
  };
}

export function valueOf(order: SimulatedOrder, row: Sortable | undefined): number {
  if (!row) return 0;
  const { bullishVotes, bearishVotes, trend } = row;
  const total = bullishVotes + bearishVotes;
  if (order === 'bullish') return total === 0 ? 0 : (100 * bullishVotes) / total;
  const { bullish, bearish } = order === 'trending' ? trend : rankingVotes(row);
  return 100 * confidence(bullish, bearish);
}

function byFigure(order: SimulatedOrder, board: Board): Sortable[] {
  const keyOf = SORT_KEYS[SORT_OF[order]];
  return [...board.values()]
    .map((row) => ({ row, key: keyOf(row) }))
    .toSorted((one, other) => compareKeys(one.key, other.key))
    .map(({ row }) => row);
}

const idsOf = (rows: readonly Sortable[]): number[] => rows.map(({ id }) => id);
/** Projects by the figure of an order, whether they have a rank or not. */
export const inOrderOfFigures = (order: SimulatedOrder, board: Board): number[] => idsOf(byFigure(order, board));
/** Projects by their position in an order, those without a rank after those with one (R27). */
export const inOrder = (order: SimulatedOrder, board: Board): number[] =>
  idsOf(rankedBy(SORT_OF[order], byFigure(order, board)).rows);

/** The board of the product. */
export async function readBoard(services: Services): Promise<Board> {
  services.cache.invalidateAll();
  const { rows } = await orderedOnce(services, 'bullish');
  return new Map(rows.map((row) => [row.id, row]));
}

/** The verified votes since the only change of a project's identity, and the trend of all its votes. */
export async function readSince(db: Db, projectId: number): Promise<{ since: Since; trend: Trend }> {
  const { bullish, bearish, ...change } = await db
    .selectFrom('identityChanges')
    .select(['bullish', 'bearish', 'trendBullish', 'trendBearish', 'trendWeight'])
    .where('projectId', '=', projectId)
    .executeTakeFirstOrThrow();
  const trend = await db
    .selectFrom('projectTrends')
    .select(['bullish', 'bearish', 'weight'])
    .where('projectId', '=', projectId)
    .executeTakeFirst();
  const sinceTrend = { bullish: change.trendBullish, bearish: change.trendBearish, weight: change.trendWeight };
  return { since: { verified: { bullish, bearish }, trend: sinceTrend }, trend: trend ?? NO_TREND };
}

export const weightOn = (day: number) =>
  sql<number>`greatest(0, ${sql.lit(TREND_DAYS)} - (${dayOf(day)}::date - (v.turned_at AT TIME ZONE 'UTC')::date))::int`;

/** The votes of all attacks, by project and direction. */
export async function readAttacks(db: Db, day: number) {
  const { rows } = await sql<Counted & { projectId: number; bullish: boolean }>`
    SELECT v.project_id AS "projectId", v.bullish, count(*)::int AS votes, count(*) FILTER (WHERE v.state = 'verified')::int AS verified,
      count(*) FILTER (WHERE v.state = 'verified' AND ${weightOn(day)} > 0)::int AS recent,
      coalesce(sum(${weightOn(day)}) FILTER (WHERE v.state = 'verified'), 0)::int AS weight
    FROM simulation.attackers w JOIN vote_states v ON v.user_id = w.user_id WHERE v.replaced_at IS NULL GROUP BY 1, 2`.execute(
    db,
  );
  return rows;
}
