/**
 * `npm run serve [-- --workers 4]`: production, with the environment or .env; .env.example explains every setting. SIGHUP
 * upgrades to the present code and settings.
 */
import { readConfig } from '#server/kit/config.ts';
import { runWithLifecycle } from '#ops/process/lifecycle.ts';
import { readDotEnv, step } from '#ops/process/report.ts';
import { checkPorts } from '#ops/serve/ports.ts';
import { prepare } from '#ops/serve/prepare.ts';
import { createUpgrade } from '#ops/serve/upgrade.ts';
import { readWorkers, startWorkers } from '#ops/serve/workers.ts';

await runWithLifecycle(async (lifecycle) => {
  const count = readWorkers(process.argv.slice(2));
  const readEnv = () => ({ ...readDotEnv(), ...process.env, NODE_ENV: 'production' });
  const env = readEnv();
  const config = readConfig(env);
  await checkPorts(config);
  await prepare(env, count);
  await lifecycle.checkpoint();
  const title = count > 1 ? `Server, ${count} processes` : 'Server';
  const workers = await step(title, () => lifecycle.own(startWorkers({ count, env })));
  lifecycle.running(createUpgrade({ workers, count, config, readEnv }));
  console.log(`Serving ${config.publicOrigin} at ${String(workers.ready.url)}`);
  if (process.platform !== 'win32') console.log(`To upgrade: kill -HUP ${process.pid}`);
});
