/** `npm run serve -- --workers N` without the checks before it, for tests: sends {ready, url}. */
import { runWithLifecycle } from '../process/lifecycle.ts';
import { readWorkers, startWorkers } from './workers.ts';

await runWithLifecycle(async (lifecycle) => {
  const count = readWorkers(process.argv.slice(2));
  const { ready } = await lifecycle.own(startWorkers({ count, env: process.env }));
  lifecycle.running();
  process.send?.(ready);
});
