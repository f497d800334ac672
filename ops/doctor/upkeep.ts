import { sql } from 'kysely';
import { defaultRpcUrl } from '#chain/client.ts';
import type { Db } from '#db/client.ts';
import type { JobState } from '#shared/contract/overview.ts';
import { plural } from '#shared/plural.ts';
import { lastBackup, readLogArchive } from '#server/kit/backups.ts';
import type { Config } from '#server/kit/config.ts';
import { jobs } from '#server/jobs.ts';
import { readJobs } from '#server/kit/job-states.ts';
import { hasOtherLogKey } from '#server/record/identity.ts';
import { neededPerSecond } from '#server/figures/standing/pace.ts';
import { failure, warning } from './check.ts';

const HOUR_MS = 3_600_000;
const OLD_HOURS = 26;
const TOO_OLD_HOURS = 72;
const ENOUGH = 0.95;

const hours = (ms: number): string => {
  const count = Math.floor(ms / HOUR_MS);
  return count < 48 ? `${count} hours` : `${Math.floor(count / 24)} days`;
};

export async function checkBackups(db: Db, nowMs = Date.now()): Promise<string> {
  const remedy = 'Run `npm run backup`, and see that the timer is on: systemctl status snapswipe-backup.timer';
  const last = await lastBackup(db);
  if (last === null) throw failure('there is none', remedy);
  const ageMs = nowMs - last.finishedAt.getTime();
  if (ageMs > TOO_OLD_HOURS * HOUR_MS) throw failure(`the last one is ${hours(ageMs)} old`, remedy);
  if (ageMs > OLD_HOURS * HOUR_MS) throw warning(`the last one is ${hours(ageMs)} old`, remedy);
  return `the last one is ${hours(ageMs)} old`;
}

export async function checkArchive(db: Db): Promise<string | null> {
  const { isOn, lastArchivedAt, failingSince } = await readLogArchive(db);
  if (!isOn) return null;
  if (failingSince !== null)
    throw failure(
      `PostgreSQL has not been able to archive its log since ${failingSince.toISOString()}`,
      'See archive_command and the log of PostgreSQL. Until it works, nothing can be restored to a later moment, and the disk fills',
    );
  return lastArchivedAt === null ? 'on, nothing archived yet' : `the newest part is of ${lastArchivedAt.toISOString()}`;
}

/** Dead rows of a large table above which VACUUM does not keep up: it cleans up at a fifth. */
const MOST_DEAD = 0.4;

export async function checkVacuum(db: Db): Promise<string> {
  const { rows } = await sql<{ table: string; dead: number; snapshotS: number }>`
    SELECT relname AS table, n_dead_tup::float8 / (n_dead_tup + n_live_tup) AS dead, (
      SELECT coalesce(extract(epoch FROM now() - min(xact_start)), 0)::float8 FROM pg_stat_activity WHERE datname = current_database() AND backend_xmin IS NOT NULL
    ) AS "snapshotS" FROM pg_stat_user_tables WHERE n_dead_tup > 100000 ORDER BY dead DESC LIMIT 1`.execute(db);
  const [worst] = rows;
  if (!worst || worst.dead < MOST_DEAD) return 'it keeps up';
  throw warning(
    `${Math.round(worst.dead * 100)}% of ${worst.table} are dead rows; the oldest snapshot is ${plural(Math.round(worst.snapshotS), 'second')} old`,
    'End forgotten transactions (pg_stat_activity), drop unused replication slots, and raise autovacuum_vacuum_cost_limit',
  );
}

interface NewestReading {
  wallets: number;
  walletsRead: number;
  tookMs: number;
  isFinished: boolean;
  skipped: string | null;
}

const OWN_NODE = 'Set SUI_RPC_URL to a full node of your own, or of a provider that allows so many calls';

async function newestReading(db: Db): Promise<NewestReading | null> {
  const { rows } = await sql<NewestReading>`
    SELECT wallets, CASE WHEN finished_at IS NULL THEN wallets_read ELSE wallets - unread END AS wallets_read, extract(epoch FROM coalesce(finished_at, now()) - started_at)::float8 * 1000 AS took_ms,
      finished_at IS NOT NULL AS is_finished, (SELECT skipped FROM standing_days d ORDER BY d.day DESC LIMIT 1) AS skipped
    FROM standing_readings WHERE started_at IS NOT NULL ORDER BY started_at DESC LIMIT 1`.execute(db);
  return rows[0] ?? null;
}

const inNumber = (perSecond: number): string => perSecond.toFixed(perSecond < 10 ? 1 : 0);

export async function checkReadings(
  db: Db,
  { standingReadsPerSecond, rpcUrl, network }: Config,
): Promise<string | null> {
  const newest = await newestReading(db);
  if (newest === null || newest.wallets === 0) return null;
  const { wallets, walletsRead, tookMs, isFinished, skipped } = newest;
  const needed = neededPerSecond(wallets);
  const needs = `${plural(wallets, 'wallet')}: needs ${inNumber(needed)} a second`;
  if (needed > standingReadsPerSecond)
    throw failure(
      `${needs}, and STANDING_READS_PER_SECOND allows ${standingReadsPerSecond}`,
      `Set STANDING_READS_PER_SECOND=${Math.ceil(needed * 1.5)}`,
    );
  // The first minute of a reading shows too little.
  const got = isFinished || tookMs > 60_000 ? (walletsRead * 1000) / Math.max(tookMs, 1) : null;
  if (got !== null && got < needed * ENOUGH)
    throw warning(
      `${needs}, gets ${inNumber(got)}: days will be skipped`,
      rpcUrl === defaultRpcUrl(network) ? `${OWN_NODE}; the public one limits calls` : OWN_NODE,
    );
  if (skipped !== null)
    throw warning(
      `the last day was skipped: ${skipped}`,
      'See the log of the server for why the reading of balances waited',
    );
  return got === null ? needs : `${needs}, gets ${inNumber(got)}`;
}

const SET_KEY = 'Set LOG_PRIVATE_KEY (`openssl rand -base64 32`), and keep it as long as the database';

export async function checkRecord(db: Db, config: Config): Promise<string> {
  if (config.logPrivateKey === null) {
    const begun = await db.selectFrom('logCheckpoints').select('size').limit(1).executeTakeFirst();
    if (begun !== undefined)
      throw failure(
        'LOG_PRIVATE_KEY is empty: the record of this database has ended',
        'Set the previous LOG_PRIVATE_KEY',
      );
    throw warning('off: LOG_PRIVATE_KEY is empty', SET_KEY);
  }
  if (await hasOtherLogKey(db, config))
    throw failure(
      'LOG_PRIVATE_KEY is not the key that has signed the record so far: nothing is published',
      'Set the previous LOG_PRIVATE_KEY; a record that has begun cannot continue with another key',
    );
  return config.anchorKey === null ? 'signed, without anchors on Sui' : 'signed and anchored';
}

const SILENT_MINUTES = 5;

const tell = ({ name, error }: JobState): string => (error === null ? name : `${name} (${error})`);

export async function checkJobs(db: Db, nowMs = Date.now()): Promise<string> {
  const { rows } = await sql<{ minutes: number | null }>`
    SELECT (extract(epoch FROM now() - max(started_at)) / 60)::float AS minutes FROM job_runs`.execute(db);
  const minutes = rows[0]?.minutes ?? null;
  const remedy = 'Start the server (`systemctl status snapswipe`) and look at its log for `job failed`';
  if (minutes === null) throw warning('no job has run yet', remedy);
  if (minutes > SILENT_MINUTES) throw failure(`no job has run for ${Math.floor(minutes)} minutes`, remedy);
  const late = (await readJobs({ db, jobs }, nowMs)).filter(({ isLate }) => isLate);
  const failed = late.filter(({ succeededAt, error }) => succeededAt !== null || error !== null);
  if (failed.length > 0) throw failure(`not succeeded for long: ${failed.map(tell).join(', ')}`, remedy);
  if (late.length > 0) throw warning(`not run yet: ${late.map(tell).join(', ')}`, remedy);
  return 'all of them run';
}
