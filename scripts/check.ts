/** `npm run check`: types, lint and format only. */
import { printFailure } from '#ops/process/report.ts';
import { runTests } from '#lab/test-run/run-tests.ts';

try {
  process.exitCode = (await runTests('short', ['check'])) ? 0 : 1;
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
