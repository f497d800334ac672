/**
 * `npm run serve -- --workers N` without its checks, for tests: sends {ready, url}. SIGHUP replaces the processes, with
 * the settings of the last message; then it sends {replaced} or {failed}. TEST_RELEASES is the folder of built pages,
 * where it is not dist/.
 */
import { runWithLifecycle } from '../process/lifecycle.ts';
import { readWorkers, startWorkers } from './workers.ts';

await runWithLifecycle(async (lifecycle) => {
  const count = readWorkers(process.argv.slice(2));
  let env = process.env;
  process.on('message', (settings: NodeJS.ProcessEnv) => (env = { ...env, ...settings }));
  const workers = await lifecycle.own(startWorkers({ count, env, releases: process.env.TEST_RELEASES }));
  lifecycle.running(() => {
    workers.replace(env).then(
      () => process.send?.({ replaced: true }),
      (error: unknown) => process.send?.({ failed: String(error) }),
    );
  });
  process.send?.(workers.ready);
});
