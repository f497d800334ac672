import { sql } from 'kysely';
import { ADVISORY_LOCK_NAMES, LOCK_HOLDER } from '#db/advisory-locks.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { noteEndedLocks } from '../admin/login.ts';
import { deleteExpired } from '../auth/queries.ts';
import type { Services } from '../services.ts';
import { recountWhenDue } from '../ledger/recount.ts';
import { readPayouts } from '../payout-history/gate.ts';
import { deleteOld } from './delete-old.ts';
import { deleteUnused } from './delete-unused.ts';
import { recoverPayments } from './recover-payments.ts';
import { applyRhythm } from '../standing/apply-rhythm.ts';
import { countVerified } from '../standing/count-verified.ts';
import { decideVotes } from '../standing/decide-votes.ts';
import { READING_INTERVAL_MS, READING_JOB, readStandingByClock } from '../standing/read-standing.ts';
import { countDays } from '../trends/count-days.ts';
import { approveByRule } from '../payouts/approve-by-rule.ts';
import { payByKey } from '../payouts/pay-by-key.ts';
import { recoverPayouts } from './recover-payouts.ts';
import { anchorCheckpoints } from '../record/anchor.ts';
import { cosignCheckpoints } from '../record/cosign.ts';
import { keyNames } from '../projects/look-alikes.ts';
import { readHolders } from '../holders/read-holders.ts';
import { keepCatalogue } from './keep-catalogue.ts';
import { recheckOwnership } from '../ownership/recheck.ts';
import { tellChanges } from './tell-changes.ts';
import { tellExpiring } from './tell-expiring.ts';
import { remind } from './remind.ts';
import { sendPush } from './send-push.ts';
import { publishRecord } from '../record/publish.ts';
import { noteStorage } from '../storage.ts';

/**
 * Removes expired projects from the indexes of listed ones; returns their number. A missed run has no visible effect,
 * because queries on those indexes compare the time too. It only keeps them as short as the list of active projects.
 */
export async function delistExpired({ db }: Pick<Services, 'db'>): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('projects')
    .set({ listed: false })
    .where('listed', '=', true)
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Refreshes the candidates for the top voters: removes overtaken users, and adds those who rose because the totals of
 * others were lowered. Reads the counters of all users.
 */
export async function refreshTopVoters({ db }: Pick<Services, 'db'>): Promise<void> {
  await longTransaction(db, (trx) => sql`SELECT refresh_top_voters()`.execute(trx));
}

export interface Job {
  name: string;
  intervalMs: number;
  /** The interval is counted from start to start, so that long runs do not slow the job down; others rest for it after each run. */
  isSteady?: boolean;
  run: (services: Services) => Promise<unknown>;
}

/** All periodic work. */
export const jobs: readonly Job[] = [
  { name: 'recover-payments', intervalMs: 5_000, run: recoverPayments },
  { name: 'recover-payouts', intervalMs: 15_000, run: (services) => recoverPayouts(services) },
  { name: 'read-payout-history', intervalMs: 30_000, run: (services) => readPayouts(services) },
  { name: 'approve-withdrawals', intervalMs: 10_000, run: approveByRule },
  { name: 'pay-withdrawals', intervalMs: 10_000, run: payByKey },
  { name: READING_JOB, intervalMs: READING_INTERVAL_MS, isSteady: true, run: readStandingByClock },
  {
    name: 'read-holders',
    intervalMs: READING_INTERVAL_MS,
    isSteady: true,
    run: (services) => readHolders(services, new Date(), { isSpread: true }),
  },
  { name: 'decide-votes', intervalMs: 60_000, run: (services) => decideVotes(services) },
  { name: 'count-verified', intervalMs: 60_000, run: countVerified },
  { name: 'count-days', intervalMs: 300_000, run: countDays },
  { name: 'apply-rhythm', intervalMs: 3_600_000, run: applyRhythm },
  { name: 'check-invariants', intervalMs: 60_000, isSteady: true, run: (services) => recountWhenDue(services) },
  { name: 'refresh-top-voters', intervalMs: 86_400_000, run: refreshTopVoters },
  { name: 'publish-record', intervalMs: 300_000, run: publishRecord },
  { name: 'anchor-record', intervalMs: 60_000, run: anchorCheckpoints },
  { name: 'cosign-record', intervalMs: 60_000, run: cosignCheckpoints },
  { name: 'delist-expired', intervalMs: 600_000, run: delistExpired },
  { name: 'keep-catalogue', intervalMs: 3_600_000, run: keepCatalogue },
  { name: 'key-names', intervalMs: 600_000, run: keyNames },
  { name: 'recheck-ownership', intervalMs: 600_000, run: (services) => recheckOwnership(services) },
  { name: 'tell-changes', intervalMs: 60_000, run: tellChanges },
  { name: 'tell-expiring', intervalMs: 600_000, run: tellExpiring },
  { name: 'remind', intervalMs: 300_000, run: remind },
  { name: 'send-push', intervalMs: 5_000, run: sendPush },
  { name: 'delete-unused', intervalMs: 3_600_000, run: deleteUnused },
  { name: 'delete-old', intervalMs: 3_600_000, run: deleteOld },
  { name: 'note-storage', intervalMs: 3_600_000, run: noteStorage },
  { name: 'delete-expired-sessions', intervalMs: 60_000, run: ({ db }) => deleteExpired(db) },
  { name: 'note-ended-locks', intervalMs: 60_000, run: ({ db }) => noteEndedLocks(db) },
];

export interface Scheduler {
  /** Starts no further run and waits for the running ones. */
  stop(): Promise<void>;
}

/**
 * Runs each job now and then every `intervalMs`, once among all servers of a database (see `runOnce`). A job that
 * throws is logged and tried again at its next time.
 */
export function startScheduler(services: Services, list: readonly Job[] = jobs): Scheduler {
  const stopping = new AbortController();
  const { signal } = stopping;
  // A job holds one connection for its lock and takes another for its work: locks alone may not hold more than half of them.
  const inTurn = createTurns(Math.max(1, Math.floor(services.config.databasePool / 2)));
  const loops = list.map((job) => {
    let wake: () => void = () => undefined;
    const loop = async (): Promise<void> => {
      while (!signal.aborted) {
        let startedMs = performance.now();
        const run = async (): Promise<void> => {
          startedMs = performance.now();
          if (!signal.aborted) await runOnce(services, job);
        };
        await inTurn(run).catch((error: unknown) => {
          if (!signal.aborted) services.log.error({ err: error, job: job.name }, 'job failed');
        });
        const tookMs = job.isSteady ? performance.now() - startedMs : 0;
        const restMs = Math.max(0, job.intervalMs - tookMs);
        if (!signal.aborted) await new Promise<void>((resolve) => (wake = afterMs(restMs, resolve)));
      }
    };
    return { done: loop(), wake: () => wake() };
  });
  return {
    async stop() {
      stopping.abort();
      for (const { wake } of loops) wake();
      await Promise.all(loops.map(({ done }) => done));
    },
  };
}

/** Lets this many work at once; the others wait in order. */
function createTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: Array<() => void> = [];
  let free = most;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** Calls back after the time, or at once when the returned function is called. */
function afterMs(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => {
    clearTimeout(timer);
    callback();
  };
}

/**
 * Runs a job if no server runs it now (advisory lock) and none began it within its interval (job_runs). The lock
 * belongs to an otherwise idle transaction, which a pooler in transaction mode can carry. It ends with its server in
 * any case, and because it has written and read nothing, it does not keep PostgreSQL from cleaning up.
 */
export async function runOnce(services: Services, job: Job): Promise<boolean> {
  return services.db.transaction().execute(async (holder) => {
    // A database that ends idle transactions must not let a second server in during a long job.
    const { rows } = await sql<{ locked: boolean }>`
      SELECT pg_try_advisory_xact_lock(hashtextextended(${ADVISORY_LOCK_NAMES.job(job.name)}, 0)) AS locked,
        set_config('idle_in_transaction_session_timeout', '0', true), set_config('application_name', ${LOCK_HOLDER}, true)`.execute(
      holder,
    );
    if (!rows[0]?.locked || !(await claim(services, job))) return false;
    await runAndNote(services, job);
    return true;
  });
}

/** Records that the job begins now, unless it began within its interval. */
async function claim({ db }: Services, { name, intervalMs }: Job): Promise<boolean> {
  // A tenth of slack: two servers' timers may not keep postponing each other.
  const claimed = await db
    .insertInto('jobRuns')
    .values({ name, startedAt: sql`now()` })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ startedAt: sql`now()` })
        .where('jobRuns.startedAt', '<=', sql<Date>`now() - ${intervalMs * 0.9} * interval '1 millisecond'`),
    )
    .returning('name')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Runs the job and records its end (job_runs), for the admin panel and /metrics. */
async function runAndNote(services: Services, job: Job): Promise<void> {
  const startedMs = performance.now();
  const took = () => Math.round(performance.now() - startedMs);
  const run = () => job.run(services);
  try {
    await (services.tracing?.span({ name: `job ${job.name}`, kind: 'internal' }, run) ?? run());
  } catch (error) {
    await noteResult(services, job, { durationMs: took(), error: reasonOf(error) });
    throw error;
  }
  await noteResult(services, job, { durationMs: took(), error: null });
}

const LONGEST_REASON = 500;
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message || error.name : String(error)).replaceAll('\0', '').slice(0, LONGEST_REASON);

/** A result that cannot be stored is logged; the run keeps its result. */
async function noteResult(
  { db, log }: Services,
  { name }: Job,
  result: { durationMs: number; error: string | null },
): Promise<void> {
  const finishedAt = sql<Date>`now()`;
  const change = { ...result, finishedAt, ...(result.error === null ? { succeededAt: finishedAt } : {}) };
  await db
    .updateTable('jobRuns')
    .set(change)
    .where('name', '=', name)
    .execute()
    .catch((error: unknown) => log.warn({ err: error, job: name }, 'the result of a job could not be stored'));
}
