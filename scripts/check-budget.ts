/** `node scripts/check-budget.ts`, after a build: how heavy a visitor's first JavaScript is; ends with 1 when too heavy. */
import { checkBudget } from '#dev/page/budget.ts';
import { printFailure } from '#dev/process/report.ts';

try {
  console.log(await checkBudget());
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
