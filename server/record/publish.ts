import { sql } from 'kysely';
import { ADVISORY_LOCKS, LOCK_HOLDER } from '#db/advisory-locks.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { servedChain } from '#server/kit/chain-id.ts';
import { conflict } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';
import { isRecordWaiting } from './after-restore.ts';
import { writeBatch } from './batch.ts';
import { findSigner } from './identity.ts';
import { closeTime } from '#server/figures/totals/close-time.ts';
import { countDays } from '#server/figures/trends/count-days.ts';
import { closeDaysBefore, utcDay } from '#server/figures/standing/plan.ts';
import { digestVotes } from './digests.ts';
import { insertSecrets } from './states.ts';
import type { Span } from '#server/books/opinions.ts';

type Needed = Pick<Services, 'db' | 'config' | 'sui' | 'chainId' | 'undoWindowMs'>;

/** The votes of a past UTC day, or all up to now, at most to the end of the day that has begun. */
export type Wanted = 'day' | 'now';

const LIMIT = '2h';

/** A day is published this long after its end, when the results of its readings are known. */
const GRACE = sql`interval '5 minutes'`;

const MAX_AHEAD_MS = 3_600_000;

interface Next extends Span {
  isDue: boolean;
  /** Start of the oldest transaction that has written and is open; null without one. */
  openSince: string | null;
  /** Whether that transaction delays this batch. */
  waits: boolean;
  /** The database's clock. */
  nowMs: number;
  sinceMs: number | null;
}

/** Content of the next batch, which ends no later than the time is closed: all of its votes are committed, and none can be undone. */
export async function findNext(services: Needed, wanted: Wanted): Promise<Next> {
  const closed = await closeTime(services);
  const msOf = (time: string) => sql`floor(date_part('epoch', ${sql.raw(time)}) * 1000)::bigint`;
  const { rows } = await sql<Next>`
    WITH last AS (SELECT max(until) AS until FROM log_checkpoints), open AS (
      SELECT clock_timestamp() AS now, ${closed}::timestamptz AS closed, (SELECT min(xact_start) FROM pg_stat_activity
        WHERE datname = current_database() AND backend_xid IS NOT NULL AND pid <> pg_backend_pid()) AS began
    ), next AS (
      SELECT open.*, last.until AS since, CASE
        WHEN ${wanted} = 'now' THEN least(closed, date_trunc('day', last.until, 'UTC') + interval '1 day')
        WHEN last.until IS NULL THEN date_trunc('day', now - ${GRACE}, 'UTC')
        ELSE date_trunc('day', last.until, 'UTC') + interval '1 day'
      END AS until
      FROM last, open
    )
    SELECT coalesce(since, '-infinity')::text AS since, until::text AS until, date_trunc('seconds', began)::text AS "openSince",
      closed < until AS waits, until > coalesce(since, '-infinity') AND (${wanted} = 'now' OR until <= now - ${GRACE}) AS "isDue",
      ${msOf('now')} AS "nowMs", ${msOf('since')} AS "sinceMs"
    FROM next`.execute(services.db);
  const [next] = rows;
  if (!next) throw new Error('there is no next batch');
  return next;
}

export const openTransaction = (since: string | null) =>
  conflict('open_transaction', `The record waits for a transaction that is open since ${since ?? 'a moment ago'}.`);

/** @throws 409 unless `isPatient`, while another server publishes */
function withLock<T>(db: Services['db'], isPatient: boolean, work: () => Promise<T>): Promise<T> {
  return db.transaction().execute(async (holder) => {
    // While it waits, too: a move of the totals waits for statements that began before it, except for these.
    await sql`SELECT set_config('idle_in_transaction_session_timeout', '0', true), set_config('application_name', ${LOCK_HOLDER}, true)`.execute(
      holder,
    );
    const lock = isPatient ? sql`pg_advisory_xact_lock` : sql`pg_try_advisory_xact_lock`;
    const { rows } = await sql<{
      isLocked: unknown;
    }>`SELECT ${lock}(${sql.lit(ADVISORY_LOCKS.record)}) AS "isLocked"`.execute(holder);
    if (rows[0]?.isLocked === false)
      throw conflict('already_publishing', 'A server is publishing the record at this moment. Try again in a minute.');
    return work();
  });
}

/** A batch closes its day for good, which a clock that runs ahead ends too early. Without the chain's clock the database's is believed. */
async function expectClock(services: Needed, nowMs: number): Promise<void> {
  const served = await servedChain(services);
  const aheadMs = served.state === 'ours' && served.timeMs !== null ? nowMs - served.timeMs : 0;
  if (aheadMs > MAX_AHEAD_MS)
    throw conflict(
      'clock_ahead',
      `The clock of the database is ${Math.floor(aheadMs / 60_000)} minutes ahead of the chain's. Set it right first.`,
    );
}

/**
 * Publishes one batch and its checkpoint, all or nothing; its size, or null when there is nothing to publish or no key
 * to sign with. Safe to call at any time, on any number of servers: a batch begins where the previous one ended.
 * @throws 409 with the reason while something is in the way
 */
export function publish(services: Needed, wanted: Wanted, { isPatient = true } = {}): Promise<number | null> {
  const { db, config } = services;
  return withLock(db, isPatient, async () => {
    const signer = await findSigner(db, config);
    if (!signer) return null;
    const next = await findNext(services, wanted);
    if (!next.isDue) return null;
    if (await isRecordWaiting(db))
      throw conflict(
        'restore_not_confirmed',
        'The database was restored, and days of the record may be missing. Compare it with what readers hold: npm run restore -- --record (docs/operate/backup.md).',
      );
    if (next.waits) throw openTransaction(next.openSince);
    await expectClock(services, next.nowMs);
    // The next batch replaces the totals that the figures of the newest recorded day come from.
    await countDays(services);
    await insertSecrets(db);
    // A batch has the readings of all days that end with it.
    await closeDaysBefore(db, utcDay(new Date(next.until)));
    // One snapshot, taken after the end of the batch was chosen.
    const anchorSender = config.anchorKey?.toSuiAddress() ?? null;
    return longTransaction(db, (trx) => writeBatch(trx, { signer, anchorSender }, next), {
      limit: LIMIT,
      isSnapshot: true,
    });
  });
}

/** Publishes each past day that is not published yet. @throws 409 as `publish` does, with the days before it published */
export async function publishRecord(services: Needed, options: { isPatient?: boolean } = {}): Promise<number> {
  let days = 0;
  try {
    while ((await publish(services, 'day', options)) !== null) days += 1;
  } finally {
    if (days > 0) await countDays(services);
    await digestVotes(services);
  }
  return days;
}
