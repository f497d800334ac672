/**
 * `npm run serve`: production, on the environment as it is (or .env); see .env.example for every variable.
 * `npm run serve -- --workers 4` runs four server processes on the one port.
 */
import { migrate } from '#db/migrate.ts';
import { keepStatementTimeout } from '#db/statement-timeout.ts';
import { type Config, readConfig } from '#server/config.ts';
import { buildPage, isPageBuilt } from '#dev/page/build-page.ts';
import { checkDatabase, countConnections } from '#dev/stack/database.ts';
import { runWithLifecycle } from '#dev/process/lifecycle.ts';
import { becomesFree } from '#dev/process/ports.ts';
import { loadDotEnv, step } from '#dev/process/report.ts';
import { forkServer } from '#dev/stack/server.ts';
import { readWorkers, startWorkers } from '#dev/stack/workers.ts';

/** Beyond its pool a server has one for notices, and one for the console now and then. */
const OTHER_CONNECTIONS = 2;

await runWithLifecycle(async (lifecycle) => {
  loadDotEnv();
  const count = readWorkers(process.argv.slice(2));
  const env = { ...process.env, NODE_ENV: 'production' };
  const config = readConfig(env);
  if (config.port !== 0 && !(await becomesFree(config.host, config.port))) {
    throw new Error(
      `Port ${config.port} of ${config.host} is in use (or not allowed): end the program that uses it, or set PORT.`,
    );
  }
  await prepareDatabase(config, count);
  await lifecycle.checkpoint();
  if (!(await isPageBuilt())) await step('Web page built', buildPage);
  await lifecycle.checkpoint();
  if (count > 1) {
    const { ready } = await step(`Server, ${count} processes`, () => lifecycle.own(startWorkers({ count, env })));
    lifecycle.running();
    console.log(`Serving ${config.publicOrigin} at ${String(ready.url)}`);
    return;
  }
  const server = await step('Server', () => lifecycle.own(forkServer({ env })));
  lifecycle.running();
  console.log(`Serving ${config.publicOrigin} at ${String(server.ready.url)}`);
  throw new Error(`${await server.exited}.`);
});

async function prepareDatabase(config: Config, workers: number): Promise<void> {
  const { databaseUrl, databaseDirectUrl, isPooled } = config;
  await step('Database answers', () => checkDatabase(databaseUrl));
  if (isPooled) await step('Database answers directly', () => checkDatabase(databaseDirectUrl, 'DATABASE_DIRECT_URL'));
  await step('Database is up to date', () => migrate(databaseDirectUrl, (line) => console.log(`  ${line}`)));
  if (isPooled) return keepStatementTimeout(databaseDirectUrl);
  const wanted = workers * (config.databasePool + OTHER_CONNECTIONS);
  const allowed = await countConnections(databaseUrl);
  if (wanted > allowed) {
    console.log(
      `! Up to ${wanted} connections may be wanted, and the database allows ${allowed}: lower DATABASE_POOL (now ${config.databasePool}), or put PgBouncer in front.`,
    );
  }
}
