/** `npm run build`: builds the web page into dist/. What the tests hold it to (its budget, its stylesheets) fails no operator's build. */
import { buildPage } from '#dev/page/build-page.ts';
import { printFailure, step } from '#dev/process/report.ts';

try {
  await step('Web page built', buildPage);
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
