import type { JobState } from '#shared/contract/overview.ts';
import { plural } from '#shared/numbers/plural.ts';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';

function stateOf({ error, isLate, startedAt }: JobState): [label: string, tone: BadgeTone] {
  if (error !== null) return ['Failed', 'accent'];
  if (startedAt === null) return ['Not run yet', 'neutral'];
  return isLate ? ['Late', 'accent'] : ['Fine', 'neutral'];
}

export const isBad = ({ error, isLate, startedAt }: JobState): boolean =>
  error !== null || (isLate && startedAt !== null);

const durationOf = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

function Job({ job }: { job: JobState }) {
  const { name, succeededAt, durationMs, error } = job;
  const [label, tone] = stateOf(job);
  return (
    <li className="grid gap-1 py-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 flex-1 basis-40 font-semibold">{name}</span>
        <Badge tone={tone}>{label}</Badge>
      </p>
      <p className="text-sm text-muted">
        {succeededAt === null ? (
          'Has not succeeded yet'
        ) : (
          <>
            Succeeded <RelativeTime iso={succeededAt} />
          </>
        )}
        {durationMs === null ? null : `, took ${durationOf(durationMs)}`}
      </p>
      {error === null ? null : <p className="text-sm wrap-anywhere text-text">{error}</p>}
    </li>
  );
}

/** One line until a job is not fine; then those first, and the others folded. */
export function JobsCard({ jobs }: { jobs: readonly JobState[] }) {
  const bad = jobs.filter(isBad);
  const rest = jobs.filter((job) => !isBad(job));
  return (
    <Card aria-labelledby="jobs" className="grid gap-2">
      <CardTitle id="jobs">Jobs</CardTitle>
      {bad.length > 0 ? <Jobs jobs={bad} /> : null}
      <details>
        <summary className="flex min-h-11 items-center font-semibold">
          {bad.length > 0 ? `${plural(rest.length, 'other job')} fine` : `All ${jobs.length} jobs are fine`}
        </summary>
        <Jobs jobs={rest} />
      </details>
    </Card>
  );
}

function Jobs({ jobs }: { jobs: readonly JobState[] }) {
  return (
    <ul className="divide-y divide-line">
      {jobs.map((job) => (
        <Job key={job.name} job={job} />
      ))}
    </ul>
  );
}
