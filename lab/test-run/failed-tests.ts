import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

/** Lines of a failed property that tell how to repeat it and why it failed. */
const OF_A_PROPERTY = /^(?:\{ seed:|Got )/;

/** A failed test in the summary of a run: its place, its title, and the first line of the reason; of a property also its seed and error. */
const describeFailure = (title: string, reason: string | undefined): string => {
  const lines = stripVTControlCharacters(reason ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [first, ...others] = lines;
  return first === undefined
    ? title
    : [`${title}: ${first}`, ...others.filter((line) => OF_A_PROPERTY.test(line))].join(' · ');
};

const VitestFailures = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});

/**
 * Failed tests in a JSON report of Vitest, and files that failed outside of all tests. `root` is removed from the
 * files' names.
 */
export function failedInVitest(report: unknown, root: string): string[] {
  return VitestFailures.parse(report).testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = name.startsWith(root) ? name.slice(root.length) : name;
    const failed = assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => describeFailure(`${file} › ${test.fullName}`, test.failureMessages?.[0]));
    return failed.length === 0 && status === 'failed' ? [describeFailure(file, message)] : failed;
  });
}

const Spec = z.object({
  title: z.string(),
  file: z.string(),
  tests: z.array(
    z.object({
      projectName: z.string(),
      status: z.enum(['expected', 'unexpected', 'flaky', 'skipped']),
      results: z.array(z.object({ error: z.object({ message: z.string().optional() }).optional() })),
    }),
  ),
});
const Suite = z.object({
  specs: z.array(Spec).default([]),
  get suites() {
    return z.array(Suite).default([]);
  },
});
const PlaywrightReport = z.object({
  suites: z.array(Suite),
  errors: z.array(z.object({ message: z.string().optional() })).default([]),
});

const testsIn = ({ specs, suites }: z.infer<typeof Suite>): Array<{ name: string; status: string; reason: string }> => [
  ...specs.flatMap(({ title, file, tests }) =>
    tests.map(({ projectName, status, results }) => ({
      name: `${file} [${projectName}] › ${title}`,
      status,
      reason: results.find(({ error }) => error)?.error?.message ?? '',
    })),
  ),
  ...suites.flatMap(testsIn),
];

/** Maximum number of journeys that may fail among the others and pass alone before the run counts as failed. */
const MOST_FLAKY = 2;

/** The journeys of a JSON report of Playwright: those that failed, and those that passed when they ran again, alone. */
export function journeysIn(report: unknown) {
  const { suites, errors } = PlaywrightReport.parse(report);
  const tests = suites.flatMap(testsIn);
  const linesOf = (wanted: string): string[] =>
    tests.filter(({ status }) => status === wanted).map(({ name, reason }) => describeFailure(name, reason));
  const count = (wanted: string): number => tests.filter(({ status }) => status === wanted).length;
  const flaky = linesOf('flaky').map((line) => `FLAKY, find the cause: ${line}`);
  const isForgiven = flaky.length <= MOST_FLAKY;
  const outside = errors.map(({ message }) => describeFailure('outside of all journeys', message));
  return {
    passed: count('expected') + (isForgiven ? flaky.length : 0),
    failed: count('unexpected') + (isForgiven ? 0 : flaky.length),
    skipped: count('skipped'),
    failures: [...linesOf('unexpected'), ...outside],
    flaky,
  };
}
