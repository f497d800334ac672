/**
 * The steps before an upgrade, in a separate process: the one that runs the servers has the code of the previous
 * version.
 */
import { printFailure } from '../process/report.ts';
import { prepare } from './prepare.ts';
import { readWorkers } from './workers.ts';

try {
  await prepare(process.env, readWorkers(process.argv.slice(2)));
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
