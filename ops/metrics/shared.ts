import { sql } from 'kysely';
import { isArchiveFailing, lastBackup } from '#server/kit/backups.ts';
import { jobs } from '#server/jobs.ts';
import { isSetUp } from '#server/kit/job-states.ts';
import type { Services } from '#server/kit/services.ts';
import { readStorage } from '#server/kit/storage.ts';
import { type Family, gauge, single } from './families.ts';
import { createSurroundings } from './surroundings.ts';

type Db = Services['db'];

const MS_PER_S = 1_000;
const seconds = (date: Date | null | undefined): number | null => (date ? date.getTime() / MS_PER_S : null);

async function readJobs(db: Db, config: Services['config']): Promise<Family[]> {
  const rows = await db.selectFrom('jobRuns').selectAll().execute();
  const runs = new Map(rows.map((row) => [row.name, row]));
  const ours = jobs.filter((job) => isSetUp(job, config));
  const all = ours.map(({ name, intervalMs }) => ({ labels: { job_name: name }, intervalMs, run: runs.get(name) }));
  const known = all.flatMap(({ labels, run }) => (run ? [{ ...run, labels }] : []));
  return [
    gauge(
      'snapswipe_job_last_success_timestamp_seconds',
      'When each job last succeeded; 0: never.',
      // An alert that compares this with the clock has to see a job that never succeeded.
      all.map(({ labels, run }) => [labels, seconds(run?.succeededAt) ?? 0] as const),
    ),
    gauge(
      'snapswipe_job_last_duration_seconds',
      'How long the last run of each job took.',
      known.flatMap(({ labels, durationMs }) =>
        durationMs === null ? [] : [[labels, durationMs / MS_PER_S] as const],
      ),
    ),
    gauge(
      'snapswipe_job_failing',
      '1 where the last run of a job failed.',
      known.map(({ labels, error }) => [labels, error === null ? 0 : 1] as const),
    ),
    gauge(
      'snapswipe_job_interval_seconds',
      'How often each job runs.',
      all.map(({ labels, intervalMs }) => [labels, intervalMs / MS_PER_S] as const),
    ),
  ];
}

interface Waiting {
  state: string;
  count: number;
  oldestS: number;
}

async function readWaiting(
  db: Db,
  table: 'payments' | 'withdrawals',
  states: readonly string[],
): Promise<[counts: Array<[{ state: string }, number]>, ages: Array<[{ state: string }, number]>]> {
  const stateType = table === 'payments' ? sql`payment_state[]` : sql`withdrawal_state[]`;
  const { rows } = await sql<Waiting>`
    SELECT state::text AS state, count(*) AS count, extract(epoch FROM now() - min(created_at))::float8 AS "oldestS"
    FROM ${sql.table(table)} WHERE state = ANY (${states}::${stateType}) GROUP BY state`.execute(db);
  const found = new Map(rows.map((row) => [row.state, row]));
  return [
    states.map((state) => [{ state }, found.get(state)?.count ?? 0]),
    states.map((state) => [{ state }, found.get(state)?.oldestS ?? 0]),
  ];
}

async function readMoney(db: Db): Promise<Family[]> {
  const [payments, paymentAges] = await readWaiting(db, 'payments', ['signed', 'paid', 'unclaimed']);
  const [withdrawals, withdrawalAges] = await readWaiting(db, 'withdrawals', ['requested', 'approved']);
  return [
    gauge(
      'snapswipe_payments_open',
      'Payments that have to be finished: looked for on chain (signed), fulfilled (paid), or decided by the admin (unclaimed).',
      payments,
    ),
    gauge('snapswipe_payments_oldest_age_seconds', 'Age of the oldest of these payments.', paymentAges),
    gauge('snapswipe_withdrawals_open', 'Withdrawals that are not paid yet.', withdrawals),
    gauge('snapswipe_withdrawals_oldest_age_seconds', 'Age of the oldest of these withdrawals.', withdrawalAges),
  ];
}

async function readPayouts(db: Db): Promise<Family[]> {
  const { rows } = await sql<{ refused: number; earlier: number }>`SELECT
    count(*) FILTER (WHERE refused_reason IS NOT NULL) AS refused, count(*) FILTER (WHERE paid_earlier) AS earlier
    FROM withdrawals WHERE state = 'approved'`.execute(db);
  const { refused = 0, earlier = 0 } = rows[0] ?? {};
  return [
    single('snapswipe_withdrawals_refused', 'Approved withdrawals that the chain refuses to pay.', refused),
    single('snapswipe_withdrawals_paid_earlier', 'Withdrawals that the Book paid before they were approved.', earlier),
  ];
}

async function readBooks(db: Db): Promise<Family[]> {
  const run = await db
    .selectFrom('invariantRuns')
    .select(['checkedAt', 'differences'])
    .orderBy('checkedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  const { rows } = await sql<{
    readUntil: Date | null;
    publishedUntil: Date | null;
    totalsUntil: Date | null;
    recounted: number | null;
    deadShare: number;
    snapshotS: number;
  }>`SELECT
    (SELECT nullif(counted_until, '-infinity') FROM totals_state) AS "totalsUntil",
    (SELECT least(1, recount_user::float8 / greatest(recount_last, 1)) FROM totals_state WHERE recount_started_at IS NOT NULL) AS recounted,
    (SELECT coalesce(max(n_dead_tup::float8 / (n_dead_tup + n_live_tup)), 0) FROM pg_stat_user_tables WHERE n_dead_tup > 100000) AS "deadShare",
    (SELECT coalesce(extract(epoch FROM now() - min(xact_start)), 0)::float8 FROM pg_stat_activity
      WHERE datname = current_database() AND backend_xmin IS NOT NULL) AS "snapshotS",
    (SELECT (day + 1)::timestamp AT TIME ZONE 'UTC' FROM standing_days WHERE skipped IS NULL ORDER BY day DESC LIMIT 1) AS "readUntil",
    (SELECT max(until) FROM log_checkpoints) AS "publishedUntil"`.execute(db);
  return [
    single(
      'snapswipe_books_differences',
      'Differences that the last check of the books found.',
      run?.differences ?? null,
    ),
    single('snapswipe_books_checked_timestamp_seconds', 'When the books were last checked.', seconds(run?.checkedAt)),
    single(
      'snapswipe_books_recounted_ratio',
      'Share of the users whom the recount of everything has come to; absent while none is running.',
      rows[0]?.recounted ?? null,
    ),
    single(
      'snapswipe_totals_until_timestamp_seconds',
      'Votes and entries before this time are in the totals.',
      seconds(rows[0]?.totalsUntil),
    ),
    single(
      'snapswipe_database_dead_rows_ratio',
      'Largest share of dead rows in a table with more than 100,000 of them: what VACUUM has not cleaned up.',
      rows[0]?.deadShare ?? null,
    ),
    single(
      'snapswipe_database_oldest_snapshot_seconds',
      'Age of the oldest snapshot, from which on VACUUM cleans up nothing.',
      rows[0]?.snapshotS ?? null,
    ),
    single(
      'snapswipe_standing_read_until_timestamp_seconds',
      'End of the last day whose two readings of balances count.',
      seconds(rows[0]?.readUntil),
    ),
    single(
      'snapswipe_record_published_until_timestamp_seconds',
      'Votes before this time are in the public record.',
      seconds(rows[0]?.publishedUntil),
    ),
  ];
}

async function readCopies(db: Db): Promise<Family[]> {
  const [backup, isFailing, storage] = [await lastBackup(db), await isArchiveFailing(db), await readStorage(db)];
  return [
    single(
      'snapswipe_backup_last_timestamp_seconds',
      'When the newest backup was finished.',
      seconds(backup?.finishedAt),
    ),
    single('snapswipe_backup_last_bytes', 'Size of the newest backup.', backup?.bytes ?? null),
    single(
      'snapswipe_wal_archive_failing',
      "1 while PostgreSQL cannot archive its log, on which point-in-time recovery depends; absent where it doesn't archive.",
      isFailing === null ? null : Number(isFailing),
    ),
    gauge(
      'snapswipe_storage_bytes',
      'Size of the database by subject.',
      storage.map(({ name, bytes }) => [{ subject: name }, bytes] as const),
    ),
  ];
}

const READS = [readJobs, readMoney, readPayouts, readBooks, readCopies];
const TIMEOUT_MS = 2_000;

async function readDatabase({ config, db }: Services): Promise<Family[]> {
  return db.transaction().execute(async (trx) => {
    await sql`SELECT set_config('statement_timeout', ${String(TIMEOUT_MS)}, true)`.execute(trx);
    const families: Family[] = [];
    for (const read of READS) families.push(...(await read(trx, config)));
    return families;
  });
}

const FRESH_MS = 15_000;

export function createSharedFamilies(services: Services): () => Promise<Family[]> {
  let cached: { families: Promise<Family[]>; readAtMs: number } | null = null;
  async function load(): Promise<Family[]> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, 2 * TIMEOUT_MS, null)));
    const read = readDatabase(services).catch((error: unknown) => {
      services.log.warn({ err: error }, 'figures of the database could not be read');
      return null;
    });
    const families = await Promise.race([read, late]);
    clearTimeout(timer);
    const up = single('snapswipe_database_up', '1 while the database responds.', families === null ? 0 : 1);
    return [up, ...(families ?? [])];
  }
  const surroundings = createSurroundings(services);
  return async () => {
    if (cached === null || performance.now() - cached.readAtMs > FRESH_MS)
      cached = { families: load(), readAtMs: performance.now() };
    const [{ state, behindMs }, around] = await Promise.all([services.chainStatus.read(), surroundings()]);
    return [
      ...(await cached.families),
      ...around,
      single(
        'snapswipe_chain_up',
        '1 while the Sui node responds.',
        state === 'unknown' ? null : Number(state !== 'down'),
      ),
      single(
        'snapswipe_chain_other',
        '1 while the Sui node serves another chain than at the start of this server.',
        state === 'unknown' ? null : Number(state === 'other'),
      ),
      single(
        'snapswipe_chain_behind_seconds',
        "How far the Sui node's newest checkpoint is behind the clock of this machine.",
        behindMs === null ? null : behindMs / MS_PER_S,
      ),
    ];
  };
}
