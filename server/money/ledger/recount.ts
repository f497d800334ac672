import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { DATA } from '#db/tables.ts';
import type { Services } from '#server/kit/services.ts';
import type { Cursor } from '#server/figures/totals/cursor.ts';
import { isSerializationFailure } from '#server/figures/totals/move.ts';
import { KEY } from '#server/figures/totals/tally.ts';
import { balanceDifferences, userChecks, type Users, wholeChecks } from './checks.ts';
import { counted, differencesOf, KEPT, keptPast, MOVES, type PastMoments, pastMoments } from './recounted.ts';

/**
 * Counts everything again, once a day, and compares (R69). Goes through the users in slices of seconds, on the
 * replica if there is one. `totals_state.recount_user` is the progress: any server continues there. Each move of the
 * totals that concerns a recounted user moves the recount, too (../totals/move.ts). A slice during which the totals
 * moved is counted again, at last with the totals locked.
 */

type RecountServices = Pick<Services, 'db' | 'replica' | 'log' | 'undoWindowMs'>;

const REST = sql`interval '23 hours'`;
const SLICE_MS = 5_000;
const RUN_MS = 30_000;
const FIRST_USERS = 500;
const MOST_USERS = 100_000;
const TRIES = 3;
const TIMED_OUT = '57014';

/** The last slice has no end: it counts users who have joined since. */
const EVERYBODY = Number.MAX_SAFE_INTEGER;

interface Run extends Cursor, PastMoments {
  startedAt: string | null;
  user: number;
  last: number;
  moves: number;
}

async function readRun(db: Db, lock = sql``): Promise<Run | null> {
  const { rows } = await sql<Run>`
    SELECT counted_until::text AS "countedUntil", holders_until::text AS "holdersUntil", recount_started_at::text AS "startedAt",
      recount_user AS "user", recount_last AS "last", moves, recount_record_until::text AS "recordUntil", recount_days_until::text AS "daysUntil"
    FROM totals_state ${lock}`.execute(db);
  return rows[0] ?? null;
}
const LOCKED = sql`FOR UPDATE`;

async function start({ db }: RecountServices): Promise<void> {
  await longTransaction(db, async (trx) => {
    const run = await readRun(trx, LOCKED);
    if (run === null || run.startedAt !== null) return;
    const { recordUntil, daysUntil } = await pastMoments(trx);
    await sql`DELETE FROM recounted_totals`.execute(trx);
    await sql`INSERT INTO recounted_totals (${KEY}, kept)
      SELECT ${KEY}, sum(value) FROM ${keptPast({ recordUntil, daysUntil })} k GROUP BY ${KEY}`.execute(trx);
    await sql`UPDATE totals_state SET recount_started_at = now(), recount_user = 0, recount_lines = '{}', recount_ms = 0,
      recount_last = coalesce((SELECT max(id) FROM users), 0),
      recount_record_until = ${recordUntil}::timestamptz, recount_days_until = ${daysUntil}::timestamptz`.execute(trx);
  });
}

interface Total {
  name: string;
  projectId: number;
  period: number;
  identity: number;
  day: string;
  kind: string;
  value: number;
}

interface Slice {
  lines: string[];
  totals: Total[];
  moves: number;
}

/** Uses single statements: a replica takes no others. */
async function readSlice(db: Db, run: Run, users: Users): Promise<Slice> {
  const { rows: totals } = await sql<Total>`
    SELECT name, project_id AS "projectId", period, identity, day::text AS day, kind, sum(value)::bigint AS value
    FROM ${counted(users, run, run)} c GROUP BY ${KEY}
    UNION ALL SELECT ${MOVES}, 0, 0, 0, '-infinity', '', moves FROM totals_state`.execute(db);
  const seen = totals.pop();
  const { rows: balances } = await balanceDifferences(users).execute(db);
  const [{ differing, excess } = { differing: 0, excess: 0 }] = balances;
  const lines: string[] = [];
  for (const check of userChecks(users)) lines.push(...(await check.execute(db)).rows.map((row) => row.difference));
  const ofUsers = { projectId: 0, period: 0, identity: 0, day: '-infinity', kind: '' };
  if (differing > 0)
    totals.push({ name: 'differing', ...ofUsers, value: differing }, { name: 'excess', ...ofUsers, value: excess });
  return { lines, totals, moves: seen?.name === MOVES ? seen.value : NaN };
}

const MOST_LINES = 200;

async function storeSlice(trx: Db, { lines, totals }: Slice, until: number): Promise<void> {
  const column = <Name extends keyof Total>(name: Name) => totals.map((total) => total[name]);
  await sql`
    INSERT INTO recounted_totals AS t (${KEY}, counted)
    SELECT * FROM unnest(${column('name')}::text[], ${column('projectId')}::int[], ${column('period')}::int[], ${column('identity')}::int[],
      ${column('day')}::date[], ${column('kind')}::text[], ${column('value')}::bigint[])
    ON CONFLICT (${KEY}) DO UPDATE SET counted = t.counted + excluded.counted`.execute(trx);
  await sql`UPDATE totals_state SET recount_user = ${until}, recount_lines = (recount_lines || ${lines}::text[])[1:${sql.lit(MOST_LINES)}]`.execute(
    trx,
  );
}

async function countSlice({ db, replica }: RecountServices, run: Run, users: NonNullable<Users>): Promise<boolean> {
  const slice = await readSlice(replica, run, users);
  // A lagging replica has seen other moves.
  if (slice.moves !== run.moves) return false;
  return db.transaction().execute(async (trx) => {
    const now = await readRun(trx, LOCKED);
    if (now?.moves !== run.moves || now.startedAt !== run.startedAt || now.user !== run.user) return false;
    await storeSlice(trx, slice, users.until);
    return true;
  });
}

const countLocked = ({ db }: RecountServices, users: NonNullable<Users>): Promise<void> =>
  longTransaction(
    db,
    async (trx) => {
      const run = await readRun(trx, LOCKED);
      if (run?.startedAt && run.user === users.after)
        await storeSlice(trx, await readSlice(trx, run, users), users.until);
    },
    { isSnapshot: true },
  );

const isTimeout = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === TIMED_OUT;

/** False when it took too long, and a smaller slice must be tried. */
async function nextSlice(services: RecountServices, run: Run, size: number): Promise<boolean> {
  const until = run.user + size;
  const users = { after: run.user, until: until >= run.last ? EVERYBODY : until };
  for (let tries = 1, now: Run | null = run; tries <= TRIES; tries += 1) {
    if (now?.startedAt !== run.startedAt) return true;
    try {
      // oxlint-disable-next-line no-await-in-loop -- one try after the other
      if (await countSlice(services, now, users)) return true;
    } catch (error) {
      if (!isTimeout(error)) throw error;
      if (size > 1) return false;
      break;
    }
    // oxlint-disable-next-line no-await-in-loop -- as above
    now = await readRun(services.db);
  }
  await countLocked(services, users);
  return true;
}

const EXAMPLES = 10;

/** Compares, records the run (invariant_runs) and logs the differences. */
async function finish({ db, log }: RecountServices): Promise<string[] | null> {
  const differences = await longTransaction(
    db,
    async (trx) => {
      const run = await readRun(trx, LOCKED);
      if (!run?.startedAt || run.user !== EVERYBODY) return null;
      await sql`INSERT INTO recounted_totals AS t (${KEY}, kept) SELECT ${KEY}, value FROM ${KEPT} k
        ON CONFLICT (${KEY}) DO UPDATE SET kept = excluded.kept`.execute(trx);
      const { rows } = await sql<{ lines: string[]; ms: number }>`
        SELECT recount_lines AS lines, recount_ms AS ms FROM totals_state`.execute(trx);
      const found = [...(rows[0]?.lines ?? [])];
      for (const check of [...wholeChecks(run), differencesOf(sql`recounted_totals`, run)])
        found.push(...(await check.execute(trx)).rows.map(({ difference }) => difference));
      const sumOf = (name: string) => sql`coalesce((SELECT counted FROM recounted_totals WHERE name = ${name}), 0)`;
      await sql`UPDATE totals_state SET checked_at = recount_started_at, checked_excess = ${sumOf('excess')},
        checked_differing = ${sumOf('differing')}, recount_started_at = NULL, recount_user = 0, recount_lines = '{}'`.execute(
        trx,
      );
      await sql`DELETE FROM recounted_totals`.execute(trx);
      await trx
        .insertInto('invariantRuns')
        .values({
          checkedAt: sql`clock_timestamp()`,
          durationMs: Math.min(rows[0]?.ms ?? 0, 2 ** 31 - 1),
          differences: found.length,
          examples: found.slice(0, EXAMPLES),
        })
        .execute();
      return found;
    },
    { isSnapshot: true },
  );
  for (const difference of differences ?? []) log.error({ difference }, 'the books contradict each other');
  await db
    .deleteFrom('invariantRuns')
    .where('checkedAt', '<', sql<Date>`now() - ${DATA.invariantRuns.kept.days} * interval '1 day'`)
    .execute();
  return differences;
}

interface RecountOptions {
  runMs?: number;
  users?: number;
}

/** The differences at the end of the recount, null before. */
async function proceed(
  services: RecountServices,
  { runMs = RUN_MS, users = FIRST_USERS }: RecountOptions,
): Promise<string[] | null> {
  const endMs = performance.now() + runMs;
  for (let size = users; ;) {
    const startedMs = performance.now();
    const run = await readRun(services.db);
    if (!run?.startedAt) return null;
    if (run.user === EVERYBODY) return finish(services);
    const isInTime = await nextSlice(services, run, size);
    const tookMs = performance.now() - startedMs;
    await sql`UPDATE totals_state SET recount_ms = recount_ms + ${Math.round(tookMs)}`.execute(services.db);
    size = Math.max(1, Math.min(MOST_USERS, Math.round(size * (isInTime ? Math.min(2, SLICE_MS / tookMs) : 0.25))));
    if (performance.now() > endMs) return null;
  }
}

export async function checkInvariants(services: RecountServices, options: RecountOptions = {}): Promise<string[]> {
  for (;;) {
    await start(services);
    const differences = await proceed(services, { runMs: Infinity, ...options });
    if (differences !== null) return differences;
  }
}

/** False when nothing is due. */
export async function recountWhenDue(services: RecountServices, options: RecountOptions = {}): Promise<boolean> {
  const { rows } = await sql<{ isRunning: boolean; isDue: boolean }>`
    SELECT EXISTS (SELECT FROM totals_state WHERE recount_started_at IS NOT NULL) AS "isRunning",
      NOT EXISTS (SELECT FROM invariant_runs WHERE checked_at > now() - ${REST}) AS "isDue"`.execute(services.db);
  const { isRunning = false, isDue = false } = rows[0] ?? {};
  if (!isRunning && !isDue) return false;
  if (!isRunning) await start(services);
  await proceed(services, options).catch((error: unknown) => {
    // The next run continues.
    if (!isSerializationFailure(error)) throw error;
  });
  return true;
}
