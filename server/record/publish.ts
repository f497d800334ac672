import { sql } from 'kysely';
import { ADVISORY_LOCKS, LOCK_HOLDER } from '#db/advisory-locks.ts';
import { longTransaction } from '#db/long-transaction.ts';
import type { Services } from '#server/kit/services.ts';
import { isRecordWaiting } from './after-restore.ts';
import { writeBatch } from './batch.ts';
import { findSigner } from './identity.ts';
import { countDays } from '#server/figures/trends/count-days.ts';
import { closeDaysBefore, utcDay } from '#server/figures/standing/plan.ts';
import { digestVotes } from './digests.ts';
import { insertSecrets } from './states.ts';
import type { Span } from '#server/books/opinions.ts';

type Needed = Pick<Services, 'db' | 'config' | 'log' | 'undoWindowMs'>;

/** The votes of a past UTC day, or all up to now, at most to the end of the day that has begun. */
export type Wanted = 'day' | 'now';

const LIMIT = '2h';

/** A day is published this long after its end, when the results of its readings are known. */
const GRACE = sql`interval '5 minutes'`;

interface Next extends Span {
  /** Start of an open transaction that delays the batch; null without one. */
  waitsFor: string | null;
}

/**
 * Content of the next batch; null when there is nothing to publish yet. It never ends later than the start of the
 * oldest open transaction, which may still commit votes cast since then. Later transactions are later in time: a vote
 * takes its time within its own (cast_votes). It also excludes votes that can still be undone: recorded votes cannot
 * be.
 */
async function findNext({ db, undoWindowMs }: Needed, wanted: Wanted): Promise<Next | null> {
  const { rows } = await sql<{ since: string; until: string; isDue: boolean; waitsFor: string | null }>`
    WITH last AS (SELECT max(until) AS until FROM log_checkpoints), oldest AS (
      SELECT coalesce(min(xact_start), clock_timestamp()) AS began FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
        AND application_name <> ${LOCK_HOLDER}
    ), settled AS (
      SELECT began, began - ${undoWindowMs} * interval '1 millisecond' AS until FROM oldest
    ), next AS (
      SELECT settled.began, settled.until AS settled_until, coalesce(last.until, '-infinity') AS since, CASE
        WHEN ${wanted} = 'now' THEN least(settled.until, date_trunc('day', last.until, 'UTC') + interval '1 day')
        WHEN last.until IS NULL THEN date_trunc('day', clock_timestamp() - ${GRACE}, 'UTC')
        ELSE date_trunc('day', last.until, 'UTC') + interval '1 day'
      END AS until
      FROM last, settled
    )
    SELECT since::text AS since, until::text AS until, CASE WHEN settled_until < until THEN began::text END AS waits_for,
      until > since AND (${wanted} = 'now' OR until <= clock_timestamp() - ${GRACE}) AS is_due
    FROM next`.execute(db);
  const [next] = rows;
  return next?.isDue ? next : null;
}

function withLock<T>(db: Services['db'], work: () => Promise<T>): Promise<T> {
  return db.transaction().execute(async (holder) => {
    await sql`SELECT pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCKS.record)}),
      set_config('idle_in_transaction_session_timeout', '0', true), set_config('application_name', ${LOCK_HOLDER}, true)`.execute(
      holder,
    );
    return work();
  });
}

/**
 * Publishes one batch and its checkpoint, all or nothing; its size, or null when there is nothing to publish, no key to
 * sign with, or a restore that the operator has not decided on. Safe to call at any time, on any number of servers: a
 * batch begins where the previous one ended.
 */
export function publish(services: Needed, wanted: Wanted): Promise<number | null> {
  const { db, config, log } = services;
  return withLock(db, async () => {
    const signer = await findSigner(db, config);
    const next = signer && (await findNext(services, wanted));
    if (!next) return null;
    if (await isRecordWaiting(db)) {
      log.warn('the record waits: the database was restored, and days of it may be missing (docs/operate/backup.md)');
      return null;
    }
    if (next.waitsFor !== null) {
      log.warn(`the record waits for a transaction that is open since ${next.waitsFor}`);
      return null;
    }
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

export async function publishRecord(services: Services): Promise<void> {
  if ((await publishDays(services)) > 0) await countDays(services);
  await digestVotes(services);
}

export async function publishDays(services: Needed): Promise<number> {
  let days = 0;
  while ((await publish(services, 'day')) !== null) days += 1;
  return days;
}
