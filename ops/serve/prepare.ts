import { migrate } from '#db/migrate.ts';
import { keepSessionSettings } from '#db/session-settings.ts';
import { type Config, readConfig } from '#server/kit/config.ts';
import { findUnknownSettings } from '#server/kit/unknown-settings.ts';
import { buildPage, isPageBuilt } from '../page/build-page.ts';
import { readDotEnv, step } from '../process/report.ts';
import { checkDatabase, countConnections } from './database.ts';

/** Connections beside the pool: change notifications, their heartbeat, and the console. */
const OTHER_CONNECTIONS = 3;

/** Servers of the previous version may be running. @throws Error with one line */
export async function prepare(env: NodeJS.ProcessEnv, workers: number): Promise<void> {
  warnOfUnknownSettings(env);
  await prepareDatabase(readConfig(env), workers);
  if (!(await isPageBuilt())) await step('Web page built', buildPage);
}

async function prepareDatabase(config: Config, workers: number): Promise<void> {
  const { databaseUrl, databaseDirectUrl, isPooled } = config;
  await step('Database answers', () => checkDatabase(databaseUrl));
  if (isPooled) await step('Database answers directly', () => checkDatabase(databaseDirectUrl, 'DATABASE_DIRECT_URL'));
  await step('Database is up to date', () => migrate(databaseDirectUrl, (line) => console.log(`  ${line}`)));
  if (isPooled) return keepSessionSettings(databaseDirectUrl);
  const wanted = workers * (config.databasePool + OTHER_CONNECTIONS);
  const allowed = await countConnections(databaseUrl);
  if (wanted > allowed) {
    console.log(
      `! Up to ${wanted} connections may be wanted, and the database allows ${allowed}: lower DATABASE_POOL (now ${config.databasePool}), or put PgBouncer in front.`,
    );
  }
}

/** A misspelled name does not stop the start: it may belong to another program. */
export function warnOfUnknownSettings(env: NodeJS.ProcessEnv): void {
  for (const line of findUnknownSettings(readDotEnv(), env)) console.log(`! ${line}`);
}
