import { messageOf, seconds } from '#ops/process/report.ts';
import { type Counts, type Lane, ONLY_IN_ALL, PARTS, type TestStep } from './test-steps.ts';

interface Result extends Counts {
  name: string;
  time: string;
}

/**
 * Runs the named parts, or all parts of the lane without a name. Returns whether nothing failed.
 * @throws Error when there is no such part.
 */
export async function runTests(lane: Lane, names: string[]): Promise<boolean> {
  const unknown = names.find((name) => !Object.hasOwn(PARTS, name));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}". Parts: ${Object.keys(PARTS).join(', ')}.`);
  const isChosen = (name: string): boolean =>
    names.length === 0 ? lane === 'all' || !ONLY_IN_ALL.includes(name) : names.includes(name);
  const steps = [...new Set(Object.entries(PARTS).flatMap(([name, part]) => (isChosen(name) ? part : [])))];
  return runSteps(lane, steps);
}

/** Runs the steps; a failed one does not stop the others. Prints a table, flaky journeys and, as the last line, the sum. */
export async function runSteps(lane: Lane, steps: readonly TestStep[]): Promise<boolean> {
  const results: Result[] = [];
  for (const [index, step] of steps.entries()) {
    console.log(`\n[${index + 1}/${steps.length}] ${step.name}`);
    const result = await runStep(step, lane);
    console.log(`${result.failed === 0 ? '✓' : '✗'} ${describe(result)}`);
    results.push(result);
  }
  printTable(results);
  printFailures(results);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  const leftOut = results.flatMap((result) => result.leftOut ?? []);
  if (leftOut.length > 0) console.log(`\nLeft out: ${leftOut.join('; ')}`);
  const flaky = results.flatMap((result) => result.flaky ?? []);
  if (flaky.length > 0) console.log(`\n${flaky.join('\n')}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0;
}

async function runStep(step: TestStep, lane: Lane): Promise<Result> {
  const startedAtMs = performance.now();
  const counts = await step.work(lane).catch((error: unknown): Counts => {
    console.log(messageOf(error));
    return { passed: 0, failed: 1, skipped: 0 };
  });
  return { name: step.name, time: seconds(startedAtMs), ...counts };
}

function describe({ name, passed, failed, skipped, note, time }: Result): string {
  const parts = [`${passed} passed`, `${failed} failed`];
  if (skipped > 0) parts.push(`${skipped} skipped`);
  if (note !== undefined) parts.push(note);
  return `${name}: ${parts.join(', ')}  ${time}`;
}

function printTable(results: Result[]): void {
  const width = Math.max(...results.map(({ name }) => name.length));
  console.log(`\n${'Step'.padEnd(width + 2)}  passed  failed  skipped      time`);
  for (const { name, passed, failed, skipped, time, note } of results) {
    const cells = [passed, failed, skipped].map((count, index) => String(count).padStart(index === 2 ? 7 : 6));
    console.log(
      `${failed === 0 ? '✓' : '✗'} ${name.padEnd(width)}  ${cells.join('  ')}  ${time.padStart(8)}  ${note ?? ''}`.trimEnd(),
    );
  }
}

const LINE_CHARS = 500;

function printFailures(results: Result[]): void {
  for (const { name, failed, failures = [] } of results) {
    if (failed === 0) continue;
    console.log(`\n✗ ${name}:`);
    for (const line of failures) console.log(`  ${line.slice(0, LINE_CHARS)}`);
    if (failures.length === 0) console.log('  see the output of this step');
  }
}
