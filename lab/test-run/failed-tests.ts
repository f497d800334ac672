import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

/** Lines of a property's failure that repeat it and say why. */
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

export interface FailedJourney {
  file: string;
  line: number;
  project: string;
  title: string;
  reason: string;
}

interface Suite {
  title: string;
  specs?: { title: string; file: string; line: number; ok: boolean; tests: SpecTest[] }[] | undefined;
  suites?: Suite[] | undefined;
}
interface SpecTest {
  projectName: string;
  status: string;
  results: { error?: { message?: string | undefined } | undefined }[];
}
const Suite: z.ZodType<Suite> = z.object({
  title: z.string(),
  specs: z
    .array(
      z.object({
        title: z.string(),
        file: z.string(),
        line: z.number(),
        ok: z.boolean(),
        tests: z.array(
          z.object({
            projectName: z.string(),
            status: z.string(),
            results: z.array(z.object({ error: z.object({ message: z.string().optional() }).optional() })),
          }),
        ),
      }),
    )
    .optional(),
  suites: z.array(z.lazy(() => Suite)).optional(),
});
const PlaywrightFailures = z.object({
  suites: z.array(Suite),
  errors: z.array(z.object({ message: z.string().optional() })).optional(),
});

function failedInSuite({ specs = [], suites = [] }: Suite): FailedJourney[] {
  // A journey that failed in several projects is one of each: they run again apart.
  const failed = specs
    .filter(({ ok }) => !ok)
    .flatMap(({ title, file, line, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected')
        .map(({ projectName: project, results }) => {
          const reason = results.find(({ error }) => error)?.error?.message ?? '';
          return { file, line, title, project, reason };
        }),
    );
  return [...failed, ...suites.flatMap(failedInSuite)];
}

export const failedJourneys = (report: unknown): FailedJourney[] =>
  PlaywrightFailures.parse(report).suites.flatMap(failedInSuite);

/** Failed journeys in a JSON report of Playwright, and errors before any of them ran, a line each. */
export function failedInPlaywright(report: unknown): string[] {
  const { errors = [] } = PlaywrightFailures.parse(report);
  return [
    ...failedJourneys(report).map(({ file, project, title, reason }) =>
      describeFailure(`${file} [${project}] › ${title}`, reason),
    ),
    ...errors.map(({ message }) => describeFailure('outside of all journeys', message)),
  ];
}
