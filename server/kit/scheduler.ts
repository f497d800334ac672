import { type RawBuilder, sql } from 'kysely';
import { plural } from '#shared/numbers/plural.ts';
import { jobRun } from '#db/each-row.ts';
import { ADVISORY_LOCK_NAMES, LOCK_HOLDER } from '#db/advisory-locks.ts';
import { HttpError } from './http/errors.ts';
import { isSetUp } from './job-states.ts';
import type { JobSchedule, Services } from './services.ts';

export interface Job extends JobSchedule {
  /** The interval is counted from start to start, so that long runs do not slow the job down; others rest for it after each run. */
  isSteady?: boolean;
  run: (services: Services) => Promise<unknown>;
}

export interface Scheduler {
  stop(): Promise<void>;
}

/**
 * Runs each job now and then every `intervalMs`, once among all servers of a database (see `runOnce`). A job that
 * throws is logged and tried again at its next time.
 */
export function startScheduler(services: Services, list: readonly Job[]): Scheduler {
  const stopping = new AbortController();
  const { signal } = stopping;
  // A job holds one connection for its lock and takes another for its work: locks alone may not hold more than half of them.
  const inTurn = createTurns(Math.max(1, Math.floor(services.config.databasePool / 2)));
  const loops = list.map((job) => {
    let wake: () => void = () => undefined;
    /** An obstacle with a name is logged once, not at each run that meets it. */
    let obstacle: string | null = null;
    const note = (error: unknown): void => {
      if (signal.aborted || (error instanceof HttpError && error.message === obstacle)) return;
      obstacle = error instanceof HttpError ? error.message : null;
      if (obstacle === null) services.log.error({ err: error, job: job.name }, 'job failed');
      else services.log.warn({ job: job.name }, `job failed: ${obstacle}`);
    };
    const loop = async (): Promise<void> => {
      while (!signal.aborted) {
        let startedMs = performance.now();
        const run = async (): Promise<void> => {
          startedMs = performance.now();
          if (!signal.aborted && (await runOnce(services, job))) obstacle = null;
        };
        await inTurn(run).catch(note);
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
  if (!isSetUp(job, services.config)) return false;
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

/** A tenth of slack: two servers' timers may not keep postponing each other. */
const INTERVALS_BETWEEN = 0.9;

async function claim({ db }: Services, { name, intervalMs }: Job): Promise<boolean> {
  const claimed = await db
    .insertInto('jobRuns')
    .values({ name, startedAt: sql`now()` })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ startedAt: sql`now()` })
        // Later than now: the clock was set back.
        .where(
          sql<boolean>`job_runs.started_at NOT BETWEEN now() - ${intervalMs * INTERVALS_BETWEEN} * interval '1 millisecond' AND now()`,
        ),
    )
    .returning('name')
    .executeTakeFirst();
  return claimed !== undefined;
}

async function runAndNote(services: Services, job: Job): Promise<void> {
  const startedMs = performance.now();
  const took = () => Math.round(performance.now() - startedMs);
  const failed = new Map<string, string>();
  try {
    await jobRun.run({ log: services.log, failed }, () => job.run(services));
  } catch (error) {
    await noteResult(services, job, { durationMs: took(), error: reasonOf(error) });
    throw error;
  }
  const rows = [...failed].map(([row, reason]) => `${row}: ${reason}`).join('; ');
  const error = rows === '' ? null : reasonOf(`${plural(failed.size, 'row')} set aside. ${rows}`);
  await noteResult(services, job, { durationMs: took(), error, succeededAt: sql<Date>`now()` });
}

const LONGEST_REASON = 500;
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message || error.name : String(error)).replaceAll('\0', '').slice(0, LONGEST_REASON);

async function noteResult(
  { db, log }: Services,
  { name }: Job,
  result: { durationMs: number; error: string | null; succeededAt?: RawBuilder<Date> },
): Promise<void> {
  await db
    .updateTable('jobRuns')
    .set({ ...result, finishedAt: sql<Date>`now()` })
    .where('name', '=', name)
    .execute()
    .catch((error: unknown) => log.warn({ err: error, job: name }, 'the result of a job could not be stored'));
}
