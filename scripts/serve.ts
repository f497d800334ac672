/** `npm run serve`: production, on the environment as it is (or .env); see .env.example for every variable. */
import { migrate } from '#db/migrate.ts';
import { readConfig } from '#server/config.ts';
import { buildPage, isPageBuilt } from './lib/build-page.ts';
import { forkReady } from './lib/children.ts';
import { checkDatabase } from './lib/database.ts';
import { runWithLifecycle } from './lib/lifecycle.ts';
import { becomesFree } from './lib/ports.ts';
import { loadDotEnv, step } from './lib/report.ts';

await runWithLifecycle(async (lifecycle) => {
  loadDotEnv();
  const env = { ...process.env, NODE_ENV: 'production' };
  const config = readConfig(env);
  if (config.port !== 0 && !(await becomesFree(config.host, config.port))) {
    throw new Error(
      `Port ${config.port} of ${config.host} is in use (or not allowed): end the program that uses it, or set PORT.`,
    );
  }
  await step('Database answers', () => checkDatabase(config.databaseUrl));
  if (!(await isPageBuilt())) await step('Web page built', buildPage);
  await lifecycle.checkpoint();
  await step('Database is up to date', () => migrate(config.databaseUrl, (line) => console.log(`  ${line}`)));
  await lifecycle.checkpoint();
  const server = await step('Server', () =>
    lifecycle.own(forkReady({ name: 'The server', file: 'server/main.ts', env })),
  );
  lifecycle.running();
  console.log(`Serving ${config.publicOrigin} at ${String(server.ready.url)}`);
  throw new Error(`${await server.exited}.`);
});
