import { defineConfig } from 'vitest/config';

/** Tests that speak HTTP or SQL need a database and a chain; the rest need nothing. */
const HTTP_TESTS = ['server/**/*.test.ts', 'db/seed*.test.ts', 'db/migrate*.test.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{shared,chain,db,sandbox,scripts,web}/**/*.test.ts'],
          exclude: HTTP_TESTS,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'http',
          include: HTTP_TESTS,
          // Minutes of kills and outages, in which the database's version plays no part: once is enough.
          exclude: process.env.TEST_DATABASE === 'system' ? ['**/faults.test.ts'] : [],
          globalSetup: ['./server/testing/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
