import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './dev/test-run/longest-first.ts';

// Test files start more than a hundred servers and chains, which compile the same code; workers take it from there, too.
process.env['NODE_COMPILE_CACHE'] ??= path.resolve('node_modules/.cache/compiled');

/** Tests that speak HTTP or SQL need a database and a chain; the rest need nothing. */
const HTTP_TESTS = [
  'server/**/*.test.ts',
  'dev/stack/workers.test.ts',
  'dev/simulation/*.test.ts',
  'demo/*.test.ts',
  'db/migrate*.test.ts',
  'dev/backup/*.test.ts',
];

/** Files in which the version of the database plays no part: once, on the embedded one, is enough. */
const ON_ONE_DATABASE = [
  // Minutes of kills, outages and restarts.
  '**/faults.test.ts',
  '**/workers.test.ts',
  'server/payments/rotation.test.ts',
  '**/properties.test.ts',
  // Other programs, and processes of our own.
  'server/{proxies,metrics/monitoring,telemetry/tracing}.test.ts',
  // Rejected before any statement: settings, bodies, forged addresses, limits that a server keeps in its memory.
  'server/{config,sentences}.test.ts',
  'server/attacks/{bodies,proxy,reads}.test.ts',
  'server/auth/limits.test.ts',
  'server/http/drain.test.ts',
  // Pictures on their way to the database, which stores bytes.
  'server/attacks/pictures.test.ts',
  'server/images/intake.test.ts',
  // Days of statements that other tests run one by one.
  'dev/simulation/*.test.ts',
  // Arithmetic.
  'server/standing/rhythm-rule.test.ts',
  'server/record/sum-builder.test.ts',
];

/** How often a property is tried, times what is usual, and the random numbers of a failure (docs/build/hammer.md). */
const FC_TIMES = Number(process.env['FC_TIMES'] ?? 1);
const FC_SEED = process.env['FC_SEED'];
const provide = { propertyRuns: { times: FC_TIMES, seed: FC_SEED === undefined ? null : Number(FC_SEED) } };

/** Only what is broken takes so long, not a slow machine on which the tests run twice at the same time. */
const TIMEOUT_MS = 180_000 * FC_TIMES;

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{shared,chain,db,dev,sandbox,verify,web}/**/*.test.ts', 'web/**/*.test.tsx'],
          exclude: HTTP_TESTS,
          provide,
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
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
          exclude: process.env['TEST_DATABASE'] === 'system' ? ON_ONE_DATABASE : [],
          globalSetup: ['./server/testing/global-setup.ts'],
          provide,
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
          // What is waited for comes within milliseconds; a machine that does much else takes its time.
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
});
