import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { OwnVote } from '#shared/contract/votes.ts';
import { notFound } from '../http/errors.ts';
import { resolveProjectId } from '../projects/queries.ts';
import type { Services } from '../services.ts';

interface Row {
  isOwn: boolean;
  isHidden: boolean;
  isExpired: boolean;
  isBarred: boolean;
  presentPeriod: number;
  bullishCount: number;
  bearishCount: number;
  period: number | null;
  bullish: boolean | null;
  createdAt: Date | null;
  undoableUntil: Date | null;
}

async function read(db: Db, userId: number, projectId: number, undoWindowMs: number): Promise<Row | undefined> {
  const undoEnd = sql`v.created_at + ${undoWindowMs} * interval '1 millisecond'`;
  const { rows } = await sql<Row>`
    SELECT p.owner_id = ${userId} AS is_own, p.hidden_at IS NOT NULL AS is_hidden, p.expires_at <= now() AS is_expired,
      EXISTS (SELECT FROM user_stats u WHERE u.user_id = ${userId}
        AND is_barred(u.barred_projects, u.barred_periods, p.id, period_at(p.period_starts, now()))) AS is_barred,
      period_at(p.period_starts, now()) AS present_period, coalesce(s.bullish, 0) AS bullish_count, coalesce(s.bearish, 0) AS bearish_count,
      v.period, v.bullish, v.created_at, CASE WHEN ${undoEnd} > now() THEN ${undoEnd} END AS undoable_until
    FROM projects p LEFT JOIN project_stats s ON s.project_id = p.id LEFT JOIN LATERAL (
      SELECT period, bullish, created_at FROM votes WHERE user_id = ${userId} AND project_id = p.id::int ORDER BY period DESC LIMIT 1
    ) v ON true
    WHERE p.id = ${projectId}`.execute(db);
  return rows[0];
}

function canVote({ isOwn, isHidden, isExpired, isBarred, period, presentPeriod }: Row): OwnVote['canVote'] {
  if (isOwn) return 'own';
  if (isHidden) return 'hidden';
  if (period === presentPeriod) return 'voted';
  if (isBarred) return 'barred';
  return isExpired ? 'expired' : 'yes';
}

/** The user's newest vote on the project that `ref` names, and the result once it is cast (R47). @throws 404 */
export async function findOwnVote(
  { db, undoWindowMs }: Pick<Services, 'db' | 'undoWindowMs'>,
  userId: number,
  ref: string,
): Promise<OwnVote> {
  const projectId = await resolveProjectId(db, ref);
  const row = projectId === null ? undefined : await read(db, userId, projectId, undoWindowMs);
  if (!row) throw notFound('project_not_found', 'Project not found');
  const { period, bullish, createdAt, bullishCount, bearishCount } = row;
  const vote = createdAt &&
    period && { voteType: bullish ? 'bullish' : 'bearish', period, createdAt: createdAt.toISOString() };
  return {
    vote: vote as OwnVote['vote'],
    canVote: canVote(row),
    undoableUntil: row.undoableUntil?.toISOString() ?? null,
    result: period === row.presentPeriod ? { bullishCount, bearishCount } : null,
  };
}
