import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { failedInVitest, journeysIn } from './failed-tests.ts';
import { runSteps } from './run-tests.ts';

const ran = (projectName: string, status: string, ...reasons: string[]) => ({
  projectName,
  status,
  results: [...reasons.map((message) => ({ error: { message } })), ...(status === 'unexpected' ? [] : [{}])],
});
const reportOf = (...tests: ReturnType<typeof ran>[]) => ({
  suites: [{ suites: [{ specs: [{ title: 'deals a card', file: 'deck.e2e.ts', tests }] }] }],
});
const flaky = ran('desktop', 'flaky', 'no card');

test('names a journey that failed in two projects of three once for each of the two', () => {
  const tests = [
    ran('desktop', 'unexpected', 'no card'),
    ran('phone', 'unexpected', 'no pill'),
    ran('translated', 'expected'),
  ];
  expect(journeysIn(reportOf(...tests))).toMatchObject({
    passed: 1,
    failed: 2,
    failures: ['deck.e2e.ts [desktop] › deals a card: no card', 'deck.e2e.ts [phone] › deals a card: no pill'],
  });
});

test('two journeys that pass alone count as passed, three as failed, and each is named', () => {
  expect(journeysIn(reportOf(flaky, flaky))).toMatchObject({ passed: 2, failed: 0 });
  expect(journeysIn(reportOf(flaky, flaky, flaky))).toMatchObject({ passed: 0, failed: 3 });
});

test('prints flaky journeys, and the sum as the last line', async () => {
  const printed: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(...line.split('\n')));
  const isGreen = await runSteps('all', [{ name: 'Journeys', work: async () => journeysIn(reportOf(flaky)) }]);
  vi.restoreAllMocks();
  expect(isGreen).toBe(true);
  expect(printed.slice(-3)).toEqual([
    'FLAKY, find the cause: deck.e2e.ts [desktop] › deals a card: no card',
    '',
    '1 passed, 0 failed',
  ]);
});

test('names a failed property with the seed that repeats it, and the reason', () => {
  const fails = () => {
    throw new Error('3 entries are missing');
  };
  const property = fc.property(fc.nat(), fails);
  const message = fc.defaultReportMessage(fc.check(property, { seed: 7, includeErrorInReport: true })) ?? '';
  const failed = {
    fullName: 'has all entries',
    status: 'failed',
    failureMessages: [`Error: ${message}\n    at a (b.ts:1)`],
  };
  const report = { testResults: [{ name: '/house/a.test.ts', status: 'failed', assertionResults: [failed] }] };
  expect(failedInVitest(report, '/house/')).toEqual([
    expect.stringMatching(
      /^a\.test\.ts › has all entries: Error: Property failed after 1 tests · \{ seed: 7, .+ · Got error: 3 entries are missing$/,
    ),
  ]);
});
