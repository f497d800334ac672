import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { JobState } from '#shared/contract/overview.ts';
import { lastBackup, readLogArchive } from '../backups.ts';
import { readJobs } from '../overview/jobs.ts';
import { failure, warning } from './check.ts';

const HOUR_MS = 3_600_000;
const OLD_HOURS = 26;
const TOO_OLD_HOURS = 72;

const hours = (ms: number): string => {
  const count = Math.floor(ms / HOUR_MS);
  return count < 48 ? `${count} hours` : `${Math.floor(count / 24)} days`;
};

/** A backup of the last night exists, and the archive of the log goes on where there is one. */
export async function checkBackups(db: Db, nowMs = Date.now()): Promise<string> {
  const remedy = 'Run `npm run backup`, and see that the timer is on: systemctl status snapswipe-backup.timer';
  const [last, archive] = await Promise.all([lastBackup(db), readLogArchive(db)]);
  if (last === null) throw failure('there is none', remedy);
  const ageMs = nowMs - last.finishedAt.getTime();
  if (ageMs > TOO_OLD_HOURS * HOUR_MS) throw failure(`the last one is ${hours(ageMs)} old`, remedy);
  // What fails comes before what is only late.
  if (archive.failingSince !== null)
    throw failure(
      `the archive of PostgreSQL's log fails since ${archive.failingSince.toISOString()}`,
      'See archive_command and the log of PostgreSQL; meanwhile nothing can be restored to a moment after that, and its disk fills up',
    );
  if (ageMs > OLD_HOURS * HOUR_MS) throw warning(`the last one is ${hours(ageMs)} old`, remedy);
  return `the last one is ${hours(ageMs)} old${archive.isOn ? ', and the log is archived' : ''}`;
}

/** The job that runs most often. */
const SILENT_MINUTES = 5;

const tell = ({ name, error }: JobState): string => (error === null ? name : `${name} (${error})`);

/** Servers run, and each of their jobs succeeds. */
export async function checkJobs(db: Db, nowMs = Date.now()): Promise<string> {
  const { rows } = await sql<{ minutes: number | null }>`
    SELECT (extract(epoch FROM now() - max(started_at)) / 60)::float AS minutes FROM job_runs`.execute(db);
  const minutes = rows[0]?.minutes ?? null;
  const remedy = 'Start the server (`systemctl status snapswipe`) and look at its log for `job failed`';
  if (minutes === null) throw warning('no job has run yet', remedy);
  if (minutes > SILENT_MINUTES) throw failure(`no job has run for ${Math.floor(minutes)} minutes`, remedy);
  const late = (await readJobs(db, nowMs)).filter(({ isLate }) => isLate);
  const failed = late.filter(({ succeededAt, error }) => succeededAt !== null || error !== null);
  if (failed.length > 0) throw failure(`not succeeded for long: ${failed.map(tell).join(', ')}`, remedy);
  if (late.length > 0) throw warning(`not run yet: ${late.map(tell).join(', ')}`, remedy);
  return 'all of them run';
}
