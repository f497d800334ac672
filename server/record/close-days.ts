import { sql } from 'kysely';
import { ADVISORY_LOCKS, LOCK_HOLDER } from '#db/advisory-locks.ts';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import type { Signer } from '#record/log/note.ts';
import { firstVoteAt, type Span } from '#server/books/opinions.ts';
import { decideWeek } from '#server/figures/standing/decide-week.ts';
import { closeDaysBefore } from '#server/figures/standing/plan.ts';
import { endUntil } from '#server/figures/totals/close-time.ts';
import { markClosed } from '#server/figures/totals/reach.ts';
import { firstVote, isSerializationFailure, moveRest, moveTotals } from '#server/figures/totals/move.ts';
import { servedChain } from '#server/chain/chain-id.ts';
import { conflict } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';
import { isRecordWaiting, isRestoredTo } from './after-restore.ts';
import { beginBatch, writeBatch } from './batch.ts';
import { digestVotes } from './digests.ts';
import { findSigner } from './identity.ts';
import { insertSecrets } from './states.ts';

/*
 * Closes each UTC day after its end (R94): every figure of the site's own is computed once, from what is new since the day before, and the batch of
 * the record has the same numbers. The standing of voters, the totals and the opinions of the batch come in slices, each of which may be done again;
 * one transaction then writes the figures and the rest of the batch and marks the day as closed, so that a day is closed whole or not at all, by
 * any number of servers. Missed days are closed one after the other.
 */

type Closing = Pick<Services, 'db'> & {
  config: Pick<Services['config'], 'logPrivateKey' | 'publicOrigin' | 'standingMinDays' | 'anchorKey' | 'network'>;
};
type Chained = Closing & Pick<Services, 'sui' | 'chainId' | 'config'>;

interface CloseOptions {
  isPatient?: boolean;
  /** Instead of the database's clock. */
  now?: Date;
  /** The last day to close. */
  upTo?: string;
  expectClock?: (next: Next) => Promise<void>;
}

/** A day is closed this long after its end, when the results of its readings are known. */
const GRACE = sql`interval '5 minutes'`;

const HOUR_MS = 3_600_000;
const MAX_AHEAD_MS = HOUR_MS;
/** How long a day waits without the chain's clock. */
const MAX_WAIT_MS = 6 * HOUR_MS;

interface Next extends Span {
  day: string;
  isSunday: boolean;
  isDue: boolean;
  /** The database's clock, and the end of the day. */
  nowMs: number;
  untilMs: number;
}

/** The next day to close. */
async function findNext({ db }: Pick<Closing, 'db'>, now: Date | undefined): Promise<Next> {
  const clock = now === undefined ? sql`clock_timestamp()` : sql`${now}::timestamptz`;
  const msOf = (time: string) => sql`floor(date_part('epoch', ${sql.raw(time)}) * 1000)::bigint`;
  const { rows } = await sql<Next>`
    WITH c AS (SELECT ${clock} AS now), next AS (
      SELECT coalesce((SELECT max(day) + 1 FROM closed_days),
        least((${firstVoteAt} AT TIME ZONE 'UTC')::date, ((now - ${GRACE}) AT TIME ZONE 'UTC')::date - 1)) AS day FROM c
    ), ends AS (SELECT day, (day + 1)::timestamp AT TIME ZONE 'UTC' AS until FROM next)
    SELECT day::text AS day, extract(isodow FROM day) = 7 AS "isSunday",
      coalesce((SELECT max(until) FROM closed_days), '-infinity')::text AS since, ends.until::text AS until,
      ends.until <= now - ${GRACE} AS "isDue", ${msOf('now')} AS "nowMs", ${msOf('ends.until')} AS "untilMs"
    FROM ends, c`.execute(db);
  const [next] = rows;
  if (!next) throw new Error('there is no next day');
  return next;
}

/** @throws 409 unless `isPatient`, while another server closes a day */
function withLock<T>(db: Db, isPatient: boolean, work: () => Promise<T>): Promise<T> {
  return db.transaction().execute(async (holder) => {
    // Set before it waits: a close waits for statements that began before it, except for lock holders.
    await sql`SELECT set_config('idle_in_transaction_session_timeout', '0', true), set_config('application_name', ${LOCK_HOLDER}, true)`.execute(
      holder,
    );
    const lock = isPatient ? sql`pg_advisory_xact_lock` : sql`pg_try_advisory_xact_lock`;
    const { rows } = await sql<{
      isLocked: unknown;
    }>`SELECT ${lock}(${sql.lit(ADVISORY_LOCKS.record)}) AS "isLocked"`.execute(holder);
    if (rows[0]?.isLocked === false)
      throw conflict('already_publishing', 'A server closes a day at this moment. Try again in a minute.');
    return work();
  });
}

/** A clock that runs ahead would close a day too early, for good. */
async function expectChainClock(services: Chained, { nowMs, untilMs }: Next): Promise<void> {
  const served = await servedChain(services);
  const chainMs = served.state === 'ours' ? served.timeMs : null;
  if (chainMs === null) {
    if (nowMs >= untilMs + MAX_WAIT_MS) return;
    throw conflict(
      'no_chain_clock',
      "The day waits for the chain's clock, six hours at most: the Sui node does not respond.",
    );
  }
  const aheadMs = nowMs - chainMs;
  if (aheadMs > MAX_AHEAD_MS)
    throw conflict(
      'clock_ahead',
      `The clock of the database is ${Math.floor(aheadMs / 60_000)} minutes ahead of the chain's. Set it right first.`,
    );
}

/** @throws 409 while a transaction that may have votes of the day is open */
async function endDay(db: Db, until: string): Promise<void> {
  if (await endUntil(db, until)) return;
  const { rows } = await sql<{ since: string | null }>`
    SELECT date_trunc('seconds', min(xact_start))::text AS since FROM pg_stat_activity
    WHERE datname = current_database() AND backend_xid IS NOT NULL AND pid <> pg_backend_pid()`.execute(db);
  throw conflict(
    'open_transaction',
    `The day waits for a transaction that is open since ${rows[0]?.since ?? 'a moment ago'}.`,
  );
}

/** @throws 409 if the record cannot continue: its days are closed with it */
async function openRecord({
  db,
  config,
}: Closing): Promise<{ signer: Signer | null; since: string | null; sinceMs: number }> {
  const signer = await findSigner(db, config);
  const { rows } = await sql<{ since: string | null; sinceMs: number | null }>`
    SELECT max(until)::text AS since, floor(date_part('epoch', max(until)) * 1000)::bigint AS "sinceMs" FROM log_checkpoints`.execute(
    db,
  );
  const { since, sinceMs } = rows[0] ?? { since: null, sinceMs: null };
  if (signer === null && since !== null)
    throw conflict('no_log_key', 'LOG_PRIVATE_KEY is not set, and days of this site are closed with their record.');
  if (signer && (await isRecordWaiting(db)))
    throw conflict(
      'restore_not_confirmed',
      'The database was restored, and days of the record may be missing. Compare it with what readers hold: npm run restore -- --record (docs/operate/backup.md).',
    );
  return { signer, since, sinceMs: sinceMs ?? -Infinity };
}

/** Marks the day as closed, with all of its figures. */
async function closeDay(
  trx: Db,
  { day, since, until }: Next,
  batch: Awaited<ReturnType<typeof beginBatch>> | null,
  site: Parameters<typeof writeBatch>[2],
): Promise<void> {
  await moveRest(trx, until);
  await sql`SELECT close_day(${day}::date, ${since}::timestamptz)`.execute(trx);
  await markClosed(trx, { day, until });
  if (batch) await writeBatch(trx, batch, site);
  await sql`DELETE FROM changed_states`.execute(trx);
  // Votes excluded since the totals were moved.
  await sql`
    SELECT lower_figures(r.user_id, r.project_id, r.period) FROM (SELECT DISTINCT user_id, project_id, period FROM restated_votes) r
    WHERE EXISTS (SELECT FROM votes_set_aside a WHERE a.user_id = r.user_id AND a.project_id = r.project_id AND a.period = r.period)`.execute(
    trx,
  );
}

const chainOf = ({ config: { anchorKey, network } }: Closing): Parameters<typeof writeBatch>[2] => ({
  anchorSender: anchorKey?.toSuiAddress() ?? null,
  network,
});

/** The first batch of a record that begins when days are closed already. */
async function beginRecord(closing: Closing): Promise<void> {
  const { db } = closing;
  const { signer, since } = await openRecord(closing);
  if (signer === null || since !== null) return;
  const { rows } = await sql<{ day: string; until: string }>`
    SELECT day::text AS day, until::text AS until FROM closed_days ORDER BY closed_days.day DESC LIMIT 1`.execute(db);
  const [last] = rows;
  if (!last) return;
  await insertSecrets(db, { since: await firstVote(db, last.until), until: last.until });
  const batch = await beginBatch(db, signer, { ...last, since: '-infinity' });
  await longTransaction(db, (trx) => writeBatch(trx, batch, chainOf(closing)), { isSnapshot: true });
}

/** Closes the next day; false when none is due. @throws 409 with the reason while something is in the way */
async function closeNext(
  closing: Closing,
  { now, upTo, isPatient = true, expectClock }: CloseOptions,
): Promise<boolean> {
  const { db, config } = closing;
  return withLock(db, isPatient, async () => {
    const next = await findNext(closing, now);
    if (!next.isDue || (upTo !== undefined && next.day > upTo)) {
      await beginRecord(closing);
      return false;
    }
    const { signer, since, sinceMs } = await openRecord(closing);
    if (signer && next.untilMs <= sinceMs && (await isRestoredTo(db, next.until)))
      throw conflict(
        'figures_missing',
        `The record has ${next.day}, and the restored database lacks its figures, which are never computed again. Copy them from the lost one (docs/operate/backup.md).`,
      );
    await expectClock?.(next);
    await endDay(db, next.until);
    await closeDaysBefore(db, next.until.slice(0, 10));
    if (next.isSunday) await decideWeek(db, { sunday: next.day, minDays: config.standingMinDays });
    await moveTotals(db, next.until);
    const isRecorded = signer !== null && since !== null && next.untilMs > sinceMs;
    if (isRecorded) await insertSecrets(db, { since, until: next.until });
    const batch = isRecorded ? await beginBatch(db, signer, { day: next.day, since, until: next.until }) : null;
    await longTransaction(db, (trx) => closeDay(trx, next, batch, chainOf(closing)), { isSnapshot: true });
    return true;
  });
}

const TRIES = 5;

/** Closes each past day that is not closed yet; how many. @throws 409 as `closeNext` does, with the days before it closed */
export async function closeDaysAt(closing: Closing, options: CloseOptions = {}): Promise<number> {
  let days = 0;
  try {
    for (let tries = 1; ;) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- one day after the other
        if (!(await closeNext(closing, options))) return days;
        days += 1;
        tries = 1;
      } catch (error) {
        // A vote was set aside at that moment.
        if (!isSerializationFailure(error) || tries === TRIES) throw error;
        tries += 1;
      }
    }
  } finally {
    await digestVotes(closing);
  }
}

/** `closeDaysAt` by the clocks of the database and the chain. */
export const closeDays = (services: Chained, options: Pick<CloseOptions, 'isPatient'> = {}): Promise<number> =>
  closeDaysAt(services, { ...options, expectClock: (next) => expectChainClock(services, next) });
