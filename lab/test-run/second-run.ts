import type { FailedJourney } from './failed-tests.ts';
import type { KnownFlaky } from './known-flaky.ts';

export interface SecondRun {
  journey: FailedJourney;
  /** The reason of the second failure; null where it passed. */
  reason: string | null;
}

const nameOf = ({ file, project, title }: FailedJourney): string => `${file} [${project}] › ${title}`;

/** A journey that passes alone is forgiven only where it is known to be flaky. */
export const isForgiven = ({ journey, reason }: SecondRun, known: readonly KnownFlaky[]): boolean =>
  reason === null && known.some(({ title }) => title === journey.title);

export function describeSecondRuns(runs: readonly SecondRun[], known: readonly KnownFlaky[]): string[] {
  return runs.flatMap((run) => {
    const word = run.reason !== null ? 'failed twice' : isForgiven(run, known) ? 'known flaky' : 'FLAKY, not listed';
    return [
      `${word}: ${nameOf(run.journey)}`,
      `  first:  ${run.journey.reason}`,
      `  second: ${run.reason ?? 'passed'}`,
    ];
  });
}
