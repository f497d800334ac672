/**
 * `npm test`: everything that can be checked, including the preparations. `npm test -- check|unit|http|hammer|e2e`: a
 * part of it.
 */
import { printFailure } from '#dev/process/report.ts';
import { runTests } from '#dev/test-run/run-tests.ts';

try {
  process.exitCode = (await runTests(process.argv.slice(2))) ? 0 : 1;
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
