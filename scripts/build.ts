/** `npm run build`: builds the web page as a new release in dist/. `npm test` holds it to its budget. */
import { buildPage } from '#ops/page/build-page.ts';
import { printFailure, step } from '#ops/process/report.ts';

try {
  await step('Web page built', buildPage);
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
