import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import type { Db } from './client.ts';
import { isDatabaseAway } from './database-away.ts';

type Id = number | string;

interface RowsOptions<Row> {
  /** Names the rows in logs and in the job's state, such as 'payment'. */
  of: string;
  idOf: (row: Row) => Id;
  atOnce?: number;
  /** Number of rows that one call of the work gets. A slice that fails is halved until the failing row is alone. */
  slice?: number;
}

interface JobRun {
  log: { error(fields: object, message: string): void };
  /** Why rows failed or were left out, by their names. */
  failed: Map<string, string>;
}

/** The job run that the current code belongs to. */
export const jobRun = new AsyncLocalStorage<JobRun>();

interface Rest {
  reason: string;
  failures: number;
  untilMs: number;
}

const FIRST_REST_MS = 60_000;
const LONGEST_REST_MS = 3_600_000;

const rests = new WeakMap<Db, Map<string, Map<Id, Rest>>>();

function restsOf(db: Db, of: string): Map<Id, Rest> {
  const all = rests.get(db) ?? new Map<string, Map<Id, Rest>>();
  rests.set(db, all);
  const own = all.get(of) ?? new Map<Id, Rest>();
  all.set(of, own);
  return own;
}

const report = (of: string, id: Id, reason: string) => jobRun.getStore()?.failed.set(`${of} ${id}`, reason);

/** Rows that failed and are tried again later. Queries leave them out, so that they do not take the place of other rows. */
export function restingRows<I extends Id>(db: Db, of: string): I[] {
  const now = performance.now();
  const own = restsOf(db, of);
  for (const [id, { untilMs }] of own) if (untilMs + LONGEST_REST_MS < now) own.delete(id);
  return [...own].flatMap(([id, { reason, untilMs }]) => {
    if (untilMs <= now) return [];
    report(of, id, reason);
    return [id as I];
  });
}

function noteFailure(db: Db, of: string, id: Id, error: unknown): void {
  const own = restsOf(db, of);
  const before = own.get(id);
  const reason = error instanceof Error ? error.message || error.name : String(error);
  const failures = (before?.failures ?? 0) + 1;
  const restMs = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (failures - 1));
  own.set(id, { reason, failures, untilMs: performance.now() + restMs });
  report(of, id, reason);
  if (before?.reason !== reason)
    jobRun.getStore()?.log.error({ err: error, row: `${of} ${id}` }, 'a row was set aside');
}

/**
 * Works on the rows of a job so that one that always fails stops no other: it is logged once, named in the job's state, and left out for a while (`restingRows`).
 * Resolves to the number of rows that did not fail. @throws when the database is away
 */
export async function eachRow<Row>(
  db: Db,
  { of, idOf, atOnce = 1, slice = 1 }: RowsOptions<Row>,
  rows: readonly Row[],
  work: (rows: readonly Row[]) => Promise<unknown>,
): Promise<number> {
  const own = restsOf(db, of);
  const attempt = async (some: readonly Row[]): Promise<number> => {
    try {
      await work(some);
      for (const row of some) own.delete(idOf(row));
      return some.length;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      const half = Math.floor(some.length / 2);
      if (half > 0) return (await attempt(some.slice(0, half))) + (await attempt(some.slice(half)));
      for (const row of some) noteFailure(db, of, idOf(row), error);
      return 0;
    }
  };
  const slices = Array.from({ length: Math.ceil(rows.length / slice) }, (_, at) =>
    rows.slice(at * slice, (at + 1) * slice),
  );
  const left = slices.values();
  let done = 0;
  const worker = async (): Promise<void> => {
    for (const some of left) {
      // oxlint-disable-next-line no-await-in-loop -- each worker takes one slice after the other
      const worked = await attempt(some);
      done += worked;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return done;
}

/** Undoes what the work wrote if it fails, so that the transaction can continue. */
export async function inSavepoint<T>(trx: Db, work: () => Promise<T>): Promise<T> {
  await sql`SAVEPOINT work`.execute(trx);
  try {
    return await work();
  } catch (error) {
    await sql`ROLLBACK TO SAVEPOINT work`.execute(trx);
    throw error;
  } finally {
    await sql`RELEASE SAVEPOINT work`.execute(trx);
  }
}
