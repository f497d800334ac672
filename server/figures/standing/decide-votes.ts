import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { STANDING_VOTER_DAYS } from '#shared/states/votes.ts';
import { servedChain } from '#server/kit/chain-id.ts';
import type { Services } from '#server/kit/services.ts';
import { ensureCounts } from '../totals/move.ts';
import { firstVoteAt, type Span } from '#server/books/opinions.ts';
import { endOfSlice, lookUpOneByOne } from '../totals/slices.ts';

/*
 * Decides votes for good (R38). A vote is due when its newest opinion is 35 days old and those days are closed; each change or confirmation
 * starts 35 new days (R57). Each slice, in the order of time, is a transaction that moves `verified_counts.decided_until`, so that any server
 * continues an interrupted run. Waiting votes are checked again after each day of readings.
 */

const SLICE = 10_000;

const dueUntil = (
  now: Date,
) => sql`(SELECT least((max(day) - ${sql.lit(STANDING_VOTER_DAYS - 1)})::timestamp AT TIME ZONE 'UTC',
  ${now}::timestamptz - ${sql.lit(STANDING_VOTER_DAYS)} * interval '1 day') FROM standing_days)`;

/** The next due votes, of one UTC day at most; null when none are due. Locks the row, so that servers take turns. */
async function nextDue(trx: Db, now: Date): Promise<Span | null> {
  const { rows } = await sql<Span>`
    WITH c AS (SELECT decided_until FROM verified_counts FOR UPDATE), due AS (
      SELECT ${dueUntil(now)} AS until, CASE WHEN c.decided_until > '-infinity' THEN c.decided_until
        ELSE coalesce(${firstVoteAt}, ${now}::timestamptz) END AS since, c.decided_until FROM c
    )
    SELECT least(since, until)::text AS since, least(until, date_trunc('day', since, 'UTC') + interval '1 day')::text AS until
    FROM due WHERE until > decided_until`.execute(trx);
  return rows[0] ?? null;
}

async function decideSlice(db: Db, now: Date, size: number): Promise<number | null> {
  return longTransaction(db, async (trx) => {
    await lookUpOneByOne(trx);
    const due = await nextDue(trx, now);
    if (due === null) return null;
    const until = await endOfSlice(trx, due, size);
    const { numAffectedRows } = await sql`
      INSERT INTO vote_decisions AS d (user_id, project_id, period, cast_at, state, days_read, days_held)
      SELECT user_id, project_id, period, cast_at, decision, days_read, days_held FROM vote_evidence
      WHERE cast_at >= ${due.since}::timestamptz AND cast_at < ${until}::timestamptz
      -- An earlier decision was about another opinion, which the record does not know.
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
    await lookUpOneByOne(trx);
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

/** The earlier of the server's and the chain's time; null while our chain reports none. */
async function agreedTime(services: Pick<Services, 'sui' | 'chainId' | 'config'>): Promise<Date | null> {
  const served = await servedChain(services);
  return served.state === 'ours' ? new Date(Math.min(Date.now(), served.timeMs ?? Date.now())) : null;
}

/** Resolves to the number of decisions. They are final, so a clock that runs ahead must decide nothing: without the chain's clock they wait (R68). */
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
