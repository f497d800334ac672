/** `npm run build`: builds the web page into dist/ and holds it to its budget. */
import { checkBudget } from './lib/budget.ts';
import { buildPage } from './lib/build-page.ts';
import { printFailure, step } from './lib/report.ts';

try {
  await step('Web page built', buildPage);
  await step(
    'Budget',
    () => checkBudget(),
    (weight) => `Budget kept: ${weight}`,
  );
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
