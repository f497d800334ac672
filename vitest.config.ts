import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests that speak HTTP or SQL need a database and a chain; the rest need nothing. */
const HTTP_TESTS = [
  'server/**/*.test.ts',
  'dev/stack/workers.test.ts',
  'demo/*.test.ts',
  'db/migrate*.test.ts',
  'dev/backup/*.test.ts',
];

export default defineConfig({
  test: {
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{shared,chain,db,dev,sandbox,verify,web}/**/*.test.ts', 'web/**/*.test.tsx'],
          exclude: HTTP_TESTS,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'http',
          // Each file has servers and a database of its own; loading all code again for each would take longer than its tests.
          isolate: false,
          // The long ones wait for processes, timers and the disk: several at a time keep two cores busy.
          maxWorkers: Math.max(5, availableParallelism() - 1),
          include: HTTP_TESTS,
          // Minutes of kills and outages, and other programs, in which the database's version plays no part: once is enough.
          exclude:
            process.env.TEST_DATABASE === 'system'
              ? ['**/faults.test.ts', '**/workers.test.ts', '**/properties.test.ts', '**/proxies.test.ts']
              : [],
          globalSetup: ['./server/testing/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // What is waited for comes within milliseconds; a machine that does much else takes its time.
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
});
