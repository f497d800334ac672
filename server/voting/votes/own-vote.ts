import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { votes } from '#shared/contract/index.ts';
import type { OwnVote } from '#shared/contract/votes.ts';
import type { ResponseOf } from '#shared/endpoint.ts';
import { type Reason, REASONS } from '#shared/voting/reasons.ts';
import type { VoteState } from '#shared/states/votes.ts';
import { type Voter, whenCounts } from '#shared/figures/when-counts.ts';
import { newestOpinion, newestOpinions, undoableUntil } from '#server/books/opinions.ts';
import { findVoter } from '#server/figures/standing/site-days.ts';
import { conflict } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';
import { changeableFrom } from '#server/people/users/changeable-from.ts';
import { rejection } from './actions.ts';

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
  turnedAt: Date | null;
  saidAt: Date | null;
  state: VoteState | null;
  daysRead: number | null;
  daysHeld: number | null;
  changeableFrom: Date | null;
  undoableUntil: Date | null;
  reasons: number;
}

/** Reasons of the vote `v`, as bits. */
export const reasonBits = sql<number>`coalesce((SELECT r.reasons FROM vote_reasons r
  WHERE r.user_id = v.user_id AND r.project_id = v.project_id AND r.period = v.period), 0)`;

async function read(db: Db, userId: number, projectId: number, undoWindowMs: number): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    SELECT p.owner_id = ${userId} AS is_own, p.hidden_at IS NOT NULL AS is_hidden, p.expires_at <= now() AS is_expired,
      coalesce(is_barred(u.barred_projects, u.barred_periods, p.id, period_at(p.period_starts, now())), false) AS is_barred,
      period_at(p.period_starts, now()) AS present_period, coalesce(s.bullish, 0) AS bullish_count, coalesce(s.bearish, 0) AS bearish_count,
      v.period, v.bullish, v.created_at, v.turned_at, v.said_at, ${changeableFrom('v')} AS changeable_from, ${undoableUntil(undoWindowMs)} AS undoable_until,
      ${reasonBits} AS reasons,
      e.state, e.days_read, e.days_held
    FROM projects p LEFT JOIN project_stats s ON s.project_id = p.id LEFT JOIN user_stats u ON u.user_id = ${userId} LEFT JOIN LATERAL ${newestOpinion(userId, sql`p.id::int`)} v ON true
      LEFT JOIN LATERAL (SELECT s.state, x.days_read, x.days_held FROM vote_states s JOIN vote_evidence x USING (user_id, project_id, period)
        WHERE s.user_id = v.user_id AND s.project_id = v.project_id AND s.period = v.period) e ON true
    WHERE p.id = ${projectId}`.execute(db);
  return rows[0];
}

function toVote(row: Row, voter: Voter, isChangeable: boolean): OwnVote['vote'] {
  const { period, bullish, createdAt, turnedAt, saidAt, state, daysRead, daysHeld } = row;
  if (!period || !createdAt || !turnedAt || !saidAt) return null;
  const said = {
    state: state ?? 'waiting',
    saidAt: saidAt.toISOString(),
    daysRead: daysRead ?? 0,
    daysHeld: daysHeld ?? 0,
    isChangeable,
  };
  const when = whenCounts(said, voter, Date.now());
  return {
    voteType: bullish ? 'bullish' : 'bearish',
    period,
    createdAt: createdAt.toISOString(),
    since: turnedAt.toISOString(),
    saidAt: said.saidAt,
    ...(when !== null && { when }),
  };
}

const bitOf = (reason: Reason): number => 1 << REASONS.indexOf(reason);
const toBits = (reasons: readonly Reason[]): number => reasons.reduce((bits, reason) => bits | bitOf(reason), 0);
export const fromBits = (bits: number): Reason[] => REASONS.filter((reason) => (bits & bitOf(reason)) !== 0);

function canVote({ isOwn, isHidden, isExpired, isBarred, period, presentPeriod }: Row): OwnVote['canVote'] {
  if (isOwn) return 'own';
  if (isHidden) return 'hidden';
  if (period === presentPeriod) return 'voted';
  if (isBarred) return 'barred';
  return isExpired ? 'expired' : 'yes';
}

type Needed = Pick<Services, 'db' | 'undoWindowMs' | 'config'>;

/** The newest opinion, and the result once its undo is over (R47, R59). @throws 404 */
export async function findOwnVote(
  { db, undoWindowMs, config }: Needed,
  userId: number,
  projectId: number | null,
): Promise<OwnVote> {
  const voter = await findVoter(db, config, userId);
  const row = projectId === null ? undefined : await read(db, userId, projectId, undoWindowMs);
  if (!row) throw rejection('project_not_found');
  const { period, bullishCount, bearishCount, isExpired } = row;
  const may = canVote(row);
  const isChangeable = may === 'voted' && !isExpired;
  const isFinal = period === row.presentPeriod && row.undoableUntil === null;
  return {
    vote: toVote(row, voter, isChangeable),
    canVote: may,
    changeableFrom: isChangeable ? (row.changeableFrom?.toISOString() ?? null) : null,
    undoableUntil: row.undoableUntil?.toISOString() ?? null,
    result: isFinal ? { bullishCount, bearishCount } : null,
    ...(isChangeable && isFinal && { reasons: fromBits(row.reasons) }),
  };
}

export async function findDirections(db: Db, userId: number): Promise<ResponseOf<typeof votes.getDirections>> {
  const ids = (side: RawBuilder<unknown>) => sql`coalesce(array_agg(v.project_id) FILTER (WHERE ${side}), '{}')`;
  const { rows } = await sql<{ bullish: number[]; bearish: number[] }>`
    SELECT ${ids(sql`v.bullish`)} AS bullish, ${ids(sql`NOT v.bullish`)} AS bearish
    FROM ${newestOpinions(userId)} v JOIN projects p ON p.id = v.project_id AND p.listed`.execute(db);
  return rows[0] ?? { bullish: [], bearish: [] };
}

/** Ends the undo of the newest vote to show its result (R59). @throws 404 */
export async function showResult(services: Needed, userId: number, projectId: number): Promise<OwnVote> {
  const { db, undoWindowMs } = services;
  // undo_vote locks the same row.
  await sql`
    UPDATE user_stats u SET undoable_from = v.said_at + interval '1 microsecond' FROM ${newestOpinion(userId, sql`${projectId}::bigint`)} v
    WHERE u.user_id = ${userId} AND v.said_at + ${undoWindowMs} * interval '1 millisecond' > clock_timestamp()
      AND (u.undoable_from IS NULL OR u.undoable_from <= v.said_at)`.execute(db);
  const own = await findOwnVote(services, userId, projectId);
  if (own.vote === null) throw rejection('vote_not_found');
  return own;
}

/** Stores the reasons of the present vote in the place of those before (R89). @throws 404, and 409 before its result may be seen */
export function setReasons(
  services: Needed,
  userId: number,
  { projectId, reasons }: { projectId: number; reasons: readonly Reason[] },
): Promise<OwnVote> {
  return services.db.transaction().execute(async (trx) => {
    // Changes and undos lock the same row: the reasons are those of the direction that is stored with them.
    await sql`SELECT FROM user_stats WHERE user_id = ${userId} FOR UPDATE`.execute(trx);
    const own = await findOwnVote({ ...services, db: trx }, userId, projectId);
    if (own.vote === null || own.canVote !== 'voted') throw rejection('vote_not_found');
    if (own.undoableUntil !== null)
      throw conflict('undo_open', 'Your vote can still be undone. Say why once its result is shown.');
    if (own.reasons === undefined) throw rejection('project_expired');
    const { voteType, period } = own.vote;
    await sql`
      INSERT INTO vote_reasons (user_id, project_id, period, bullish, reasons, given_at)
      VALUES (${userId}, ${projectId}, ${period}, ${voteType === 'bullish'}, ${toBits(reasons)}, clock_timestamp())
      ON CONFLICT (user_id, project_id, period) DO UPDATE SET bullish = excluded.bullish, reasons = excluded.reasons, given_at = excluded.given_at`.execute(
      trx,
    );
    return { ...own, reasons: fromBits(toBits(reasons)) };
  });
}
