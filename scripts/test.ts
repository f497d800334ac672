/** `npm test [-- check|unit|http|e2e]`: what each change runs. `npm run test:all`: also hammer, programs, sql, engines, and both devices. */
import { printFailure } from '#ops/process/report.ts';
import { runTests } from '#lab/test-run/run-tests.ts';

const [first, ...rest] = process.argv.slice(2);
const isAll = first === '--all';
try {
  const names = isAll ? rest : process.argv.slice(2);
  process.exitCode = (await runTests(isAll ? 'all' : 'short', names)) ? 0 : 1;
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
