import type { FailedJourney } from './failed-tests.ts';

export interface SecondRun {
  journey: FailedJourney;
  /** The reason of the second failure; null where it passed. */
  reason: string | null;
}

/** So many journeys may fail among the others and pass alone before the run counts as failed. */
const MOST_FLAKY = 2;

const nameOf = ({ file, project, title }: FailedJourney): string => `${file} [${project}] › ${title}`;

/** Returns how many of the journeys count as passed: those that passed alone, or none of them where those are too many. */
export function countForgiven(runs: readonly SecondRun[]): number {
  const flaky = runs.filter(({ reason }) => reason === null).length;
  return flaky <= MOST_FLAKY ? flaky : 0;
}

export function describeSecondRuns(runs: readonly SecondRun[]): string[] {
  return runs.flatMap(({ journey, reason }) => [
    `${reason === null ? 'FLAKY, find the cause' : 'failed twice'}: ${nameOf(journey)}`,
    `  first:  ${journey.reason}`,
    `  second: ${reason ?? 'passed'}`,
  ]);
}
