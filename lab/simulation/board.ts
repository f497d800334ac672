import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { orderedOnce } from '#server/listings/projects/ordered.ts';
import type { Services } from '#server/kit/services.ts';
import { type VoteCounts } from '#shared/interval.ts';
import type { Sortable } from '#shared/sorts.ts';
import { TREND_DAYS } from '#shared/trending.ts';
import { dayOf } from './clock.ts';

/** A vote of a wallet of an attack, as the product counts it. */
export interface Counted {
  place: number;
  projectId: number;
  bullish: boolean;
  isVerified: boolean;
  /** Its weight in 'Trending'; 0: it is older than the days that count. */
  weight: number;
}

/** The votes of all wallets of an attack by strategy, with the states that the product gave them. */
export async function readAttacks(db: Db, day: number): Promise<Map<string, Counted[]>> {
  const { rows } = await sql<Counted & { strategy: string }>`
    SELECT w.strategy, w.place, v.project_id AS "projectId", v.bullish, v.state = 'verified' AS "isVerified",
      greatest(0, ${sql.lit(TREND_DAYS)} - (${dayOf(day)}::date - (v.turned_at AT TIME ZONE 'UTC')::date))::int AS weight
    FROM simulation.attackers w JOIN vote_states v ON v.user_id = w.user_id WHERE v.replaced_at IS NULL ORDER BY w.place`.execute(
    db,
  );
  return Map.groupBy(rows, ({ strategy }) => strategy);
}

/** All projects with the figures of the orders. */
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

/** The board of the product, with the votes of all attacks. */
export async function readWholeBoard(services: Services): Promise<Board> {
  const { rows } = await orderedOnce(services, 'bullish');
  return new Map(rows.map((row) => [row.id, row]));
}

/** The board of the product, without the votes of any attack. @throws where the product counts less than those */
export async function readBoard(services: Services, attacks: ReadonlyMap<string, Counted[]>): Promise<Board> {
  let board = await readWholeBoard(services);
  for (const votes of attacks.values()) board = add(board, votes, -1);
  for (const { id, bullishVotes, bearishVotes, verified, trend } of board.values())
    if (
      Math.min(
        bullishVotes,
        bearishVotes,
        verified.bullish,
        verified.bearish,
        trend.bullish,
        trend.bearish,
        trend.weight,
      ) < 0
    )
      throw new Error(`the product counts fewer votes of project ${id} than an attack has cast`);
  return board;
}
