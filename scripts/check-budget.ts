/**
 * `node scripts/check-budget.ts`, after a build: the size of a visitor's first JavaScript; exits with 1 above the
 * budget.
 */
import { checkBudget } from '#ops/page/budget.ts';
import { printFailure } from '#ops/process/report.ts';

try {
  console.log(await checkBudget());
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
