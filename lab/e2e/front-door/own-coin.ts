/** A site of its own without a coin of Snaps (R83): it is started again with the coin that its owner makes. */
import pg from 'pg';
import { type Stack, startStack } from '../stack.ts';
import { test as base } from './door.ts';

export const test = base.extend<object, { site: Stack }>({
  site: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are wanted from this very pattern
    async ({}, use) => {
      const stack = await startStack({ E2E_WITHOUT_COIN: '1' });
      await use(stack);
      await stack.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  database: async ({ site }, use) => {
    const pool = new pg.Pool({ connectionString: site.databaseUrl, max: 2 });
    await use(pool);
    await pool.end();
  },
});
