import type { JobState } from '#shared/contract/overview.ts';
import type { JobSchedule, Services } from './services.ts';

/** A job that has not succeeded for this many of its intervals is late; short ones get some minutes. */
const LATE_INTERVALS = 3;
const LATE_AT_LEAST_MS = 300_000;

/** Whether a server of this configuration runs the job. */
export const isSetUp = (job: JobSchedule, config: Services['config']): boolean => job.isSetUp?.(config) ?? true;

export async function readJobs(
  { config, db, jobs }: Pick<Services, 'config' | 'db' | 'jobs'>,
  nowMs: number,
): Promise<JobState[]> {
  const rows = await db
    .selectFrom('jobRuns')
    .select(['name', 'startedAt', 'succeededAt', 'durationMs', 'error'])
    .execute();
  const runs = new Map(rows.map((row) => [row.name, row]));
  return jobs.map((job) => {
    const { name, intervalMs } = job;
    const run = runs.get(name);
    const lastMs = run?.succeededAt?.getTime() ?? 0;
    return {
      name,
      startedAt: run?.startedAt.toISOString() ?? null,
      succeededAt: run?.succeededAt?.toISOString() ?? null,
      durationMs: run?.durationMs ?? null,
      error: run?.error ?? null,
      isLate: isSetUp(job, config) && nowMs - lastMs > Math.max(LATE_INTERVALS * intervalMs, LATE_AT_LEAST_MS),
    };
  });
}
