import pg from 'pg';
import { type Stack, startStack } from '../stack.ts';
import { test as base } from './door.ts';

/** Journeys on a site of their own, which no other journey sees; `prepare` says more of it. */
export const onOwnSite = <More extends object = object>(
  settings: Record<string, string> = {},
  prepare?: (stack: Stack) => Promise<More>,
) =>
  base.extend<object, { site: Stack & More }>({
    site: [
      // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are wanted from this very pattern
      async ({}, use) => {
        const stack = await startStack(settings);
        await use(Object.assign(stack, await prepare?.(stack)) as Stack & More);
        await stack.stop();
      },
      { scope: 'worker', timeout: 180_000 },
    ],
    baseURL: async ({ site }, use) => use(site.url),
    database: async ({ site }, use) => {
      const pool = new pg.Pool({ connectionString: site.databaseUrl, max: 2 });
      // An idle connection ends when the journey stops or copies the database.
      pool.on('error', () => undefined);
      await use(pool);
      await pool.end();
    },
  });
