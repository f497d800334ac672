/** What comes before an upgrade, as a process of its own: the one that runs the servers has the code of the version before. */
import { printFailure } from '../process/report.ts';
import { prepare } from './prepare.ts';
import { readWorkers } from './workers.ts';

try {
  await prepare(process.env, readWorkers(process.argv.slice(2)));
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
