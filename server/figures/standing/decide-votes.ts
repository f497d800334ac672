import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { STANDING_VOTER_DAYS } from '#shared/states/votes.ts';
import { servedChain } from '#server/kit/chain-id.ts';
import type { Services } from '#server/kit/services.ts';
import { ensureCounts } from '../totals/move.ts';
import { endOfSlice, type Span } from '../totals/slices.ts';

/*
 * Decides votes for good (R38). A vote is due when the days that decide about it are closed and its newest opinion is 35
 * days old: each change and each confirmation starts 35 new days (R57). Votes are decided in slices in the order of their time; each slice is a separate transaction that moves
 * `verified_counts.decided_until`, so that a run that ends anywhere continues there, on any server. Waiting votes are
 * checked again after each day that was read.
 */

const SLICE = 10_000;

/** Due votes are those whose 35 days are closed. */
const dueUntil = (
  now: Date,
) => sql`(SELECT least((max(day) - ${sql.lit(STANDING_VOTER_DAYS - 1)})::timestamp AT TIME ZONE 'UTC',
  ${now}::timestamptz - ${sql.lit(STANDING_VOTER_DAYS)} * interval '1 day') FROM standing_days)`;

/** The next votes that are due, younger than all decided ones and of one UTC day at most; locks the row, so that servers take turns. Null when none are. */
async function nextDue(trx: Db, now: Date): Promise<Span | null> {
  const { rows } = await sql<Span>`
    WITH c AS (SELECT decided_until FROM verified_counts FOR UPDATE), due AS (
      SELECT ${dueUntil(now)} AS until, CASE WHEN c.decided_until > '-infinity' THEN c.decided_until
        ELSE coalesce((SELECT min(created_at) FROM votes), ${now}::timestamptz) END AS since, c.decided_until FROM c
    )
    SELECT least(since, until)::text AS since, least(until, date_trunc('day', since, 'UTC') + interval '1 day')::text AS until
    FROM due WHERE until > decided_until`.execute(trx);
  return rows[0] ?? null;
}

/**
 * For statements on a slice: voters are looked up one by one, because a hash of all of them would be built for each
 * slice.
 */
const lookUpVoters = (trx: Db) =>
  sql`SELECT set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`.execute(trx);

async function decideSlice(db: Db, now: Date, size: number): Promise<number | null> {
  return longTransaction(db, async (trx) => {
    await lookUpVoters(trx);
    const due = await nextDue(trx, now);
    if (due === null) return null;
    const until = await endOfSlice(trx, due, size);
    const { numAffectedRows } = await sql`
      INSERT INTO vote_decisions AS d (user_id, project_id, period, cast_at, state, days_read, days_held)
      SELECT user_id, project_id, period, cast_at, decision, days_read, days_held FROM vote_evidence
      WHERE cast_at >= ${due.since}::timestamptz AND cast_at < ${until}::timestamptz
      -- The decision was about an earlier opinion. The record knows of none about this one.
      ON CONFLICT (user_id, project_id, period) DO UPDATE SET cast_at = excluded.cast_at, state = excluded.state,
        days_read = excluded.days_read, days_held = excluded.days_held, recorded_state = NULL WHERE d.cast_at <> excluded.cast_at`.execute(
      trx,
    );
    await sql`UPDATE verified_counts SET decided_until = ${until}::timestamptz`.execute(trx);
    return Number(numAffectedRows ?? 0);
  });
}

type Key = [userId: number, projectId: number, period: number];

async function decideWaitingSlice(db: Db, after: Key, size: number): Promise<{ last: Key; decided: number } | null> {
  return longTransaction(db, async (trx) => {
    await lookUpVoters(trx);
    const { rows } = await sql<{ userId: number; projectId: number; period: number; decided: number }>`
      WITH slice AS MATERIALIZED (
        SELECT user_id, project_id, period, cast_at FROM vote_decisions
        WHERE state = 'waiting' AND (user_id, project_id, period) > (${after[0]}::bigint, ${after[1]}::int, ${after[2]}::smallint)
        ORDER BY user_id, project_id, period LIMIT ${size}
      ), decided AS (
        UPDATE vote_decisions d SET state = e.decision, days_read = e.days_read, days_held = e.days_held
        FROM slice s JOIN vote_evidence e ON e.user_id = s.user_id AND e.project_id = s.project_id AND e.period = s.period AND e.cast_at = s.cast_at
        WHERE d.user_id = s.user_id AND d.project_id = s.project_id AND d.period = s.period AND d.state = 'waiting' AND e.decision <> 'waiting'
        RETURNING 1
      )
      SELECT user_id, project_id, period, (SELECT count(*)::int FROM decided) AS decided FROM slice
      ORDER BY user_id DESC, project_id DESC, period DESC LIMIT 1`.execute(trx);
    const [row] = rows;
    if (!row) return null;
    return { last: [row.userId, row.projectId, row.period], decided: row.decided };
  });
}

async function newDay(db: Db): Promise<string | null> {
  const { rows } = await sql<{ day: string }>`
    SELECT d.day::text AS day FROM standing_days d JOIN verified_counts c ON c.looked_at < d.day
    WHERE d.skipped IS NULL ORDER BY d.day DESC LIMIT 1`.execute(db);
  return rows[0]?.day ?? null;
}

async function decideWaiting(db: Db, size: number): Promise<number> {
  const day = await newDay(db);
  if (day === null) return 0;
  let decided = 0;
  for (let after: Key = [0, 0, 0]; ;) {
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    const slice = await decideWaitingSlice(db, after, size);
    if (slice === null) break;
    decided += slice.decided;
    after = slice.last;
  }
  await sql`UPDATE verified_counts SET looked_at = greatest(looked_at, ${day}::date)`.execute(db);
  return decided;
}

async function isDue(db: Db, now: Date): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    SELECT coalesce(${dueUntil(now)} > decided_until, false) AS "isDue" FROM verified_counts`.execute(db);
  return (rows[0]?.isDue ?? false) || (await newDay(db)) !== null;
}

/** The time by the server's clock and the chain's, the earlier of the two; null while our chain does not report one. */
async function agreedTime(services: Pick<Services, 'sui' | 'chainId' | 'config'>): Promise<Date | null> {
  const served = await servedChain(services);
  return served.state === 'ours' ? new Date(Math.min(Date.now(), served.timeMs ?? Date.now())) : null;
}

/**
 * Decides every vote that is due; returns their number. Decisions are final, so a clock that runs ahead decides
 * nothing, because the chain's clock is asked; while the chain is down, or another one, decisions wait (R68).
 */
export async function decideVotes(
  services: Pick<Services, 'db' | 'sui' | 'chainId' | 'config' | 'log'>,
  { now, slice = SLICE }: { now?: Date; slice?: number } = {},
): Promise<number> {
  const { db, log } = services;
  await ensureCounts(db);
  if (!(await isDue(db, now ?? new Date()))) return 0;
  const agreed = now ?? (await agreedTime(services));
  if (agreed === null) return 0;
  let total = 0;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    const decided = await decideSlice(db, agreed, slice);
    if (decided === null) break;
    total += decided;
  }
  total += await decideWaiting(db, slice);
  if (total > 0) log.info({ votes: total }, 'votes were decided for good');
  return total;
}
