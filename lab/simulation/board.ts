import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { orderedOnce } from '#server/listings/projects/ordered.ts';
import type { Services } from '#server/kit/services.ts';
import { type VoteCounts } from '#shared/interval.ts';
import type { Sortable } from '#shared/sorts.ts';
import { TREND_DAYS } from '#shared/trending.ts';
import { dayOf } from './clock.ts';

/** A vote of an attack, as the product counts it. */
export interface Counted {
  place: number;
  projectId: number;
  bullish: boolean;
  isVerified: boolean;
  /** Its weight in 'Trending'; 0 when it is too old. */
  weight: number;
}

/** Votes of all attacks, by strategy. */
export async function readAttacks(db: Db, day: number): Promise<Map<string, Counted[]>> {
  const { rows } = await sql<Counted & { strategy: string }>`
    SELECT w.strategy, w.place, v.project_id AS "projectId", v.bullish, v.state = 'verified' AS "isVerified",
      greatest(0, ${sql.lit(TREND_DAYS)} - (${dayOf(day)}::date - (v.turned_at AT TIME ZONE 'UTC')::date))::int AS weight
    FROM simulation.attackers w JOIN vote_states v ON v.user_id = w.user_id WHERE v.replaced_at IS NULL ORDER BY w.place`.execute(
    db,
  );
  return Map.groupBy(rows, ({ strategy }) => strategy);
}

export type Board = Map<number, Sortable>;

/** The board with or without these votes. */
export function add(board: Board, votes: readonly Counted[], sign: 1 | -1): Board {
  const next: Board = new Map(board);
  const plus = (counts: VoteCounts, bullish: boolean): VoteCounts => ({
    bullish: counts.bullish + (bullish ? sign : 0),
    bearish: counts.bearish + (bullish ? 0 : sign),
  });
  for (const { projectId, bullish, isVerified, weight } of votes) {
    const row = next.get(projectId);
    if (!row) continue;
    const all = plus({ bullish: row.bullishVotes, bearish: row.bearishVotes }, bullish);
    const isRecent = isVerified && weight > 0;
    next.set(projectId, {
      ...row,
      bullishVotes: all.bullish,
      bearishVotes: all.bearish,
      verified: isVerified ? plus(row.verified, bullish) : row.verified,
      ...(isVerified && row.rankVotes !== undefined && { rankVotes: row.rankVotes + sign }),
      trend: isRecent ? { ...plus(row.trend, bullish), weight: row.trend.weight + sign * weight } : row.trend,
    });
  }
  return next;
}

export async function readWholeBoard(services: Services): Promise<Board> {
  const { rows } = await orderedOnce(services, 'bullish');
  return new Map(rows.map((row) => [row.id, row]));
}

/** The board of the product, without the votes of any attack. @throws where the product counts less than those */
export async function readBoard(services: Services, attacks: ReadonlyMap<string, Counted[]>): Promise<Board> {
  const board = add(await readWholeBoard(services), [...attacks.values()].flat(), -1);
  for (const { id, bullishVotes, bearishVotes, verified, trend } of board.values()) {
    const counts = [bullishVotes, bearishVotes, ...Object.values(verified), ...Object.values(trend)];
    if (counts.some((count) => count < 0))
      throw new Error(`the product counts fewer votes of project ${id} than an attack has cast`);
  }
  return board;
}
