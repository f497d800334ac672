/** `npm test [-- check|unit|http|e2e]`: what each change runs. `npm run test:all`: also hammer, programs, sql, engines, and both devices. `--guarantees` lists the tests of each clause. */
import { printFailure } from '#ops/process/report.ts';
import { printGuarantees } from '#lab/test-run/guarantees.ts';
import { runTests } from '#lab/test-run/run-tests.ts';

const [first, ...rest] = process.argv.slice(2);
const isAll = first === '--all';
try {
  const names = isAll ? rest : process.argv.slice(2);
  const isFine = names.includes('--guarantees')
    ? await printGuarantees()
    : await runTests(isAll ? 'all' : 'short', names);
  process.exitCode = isFine ? 0 : 1;
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
