/** `npm run build`: builds the web page into dist/ and holds it to its budget and its stylesheets to their own pages. */
import { checkBudget } from '#dev/page/budget.ts';
import { buildPage } from '#dev/page/build-page.ts';
import { checkBuiltStyles } from '#dev/page/built-styles.ts';
import { printFailure, step } from '#dev/process/report.ts';

try {
  await step('Web page built', buildPage);
  await step(
    'Budget',
    () => checkBudget(),
    (weight) => `Budget kept: ${weight}`,
  );
  await step(
    'Styles',
    () => checkBuiltStyles(),
    (count) => `Styles kept apart: ${count} stylesheets share no class and no animation`,
  );
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
