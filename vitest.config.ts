import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';

// Test files start more than a hundred servers and chains, which compile the same code; workers take it from there, too.
process.env['NODE_COMPILE_CACHE'] ??= path.resolve('node_modules/.cache/compiled');

/** Server tests that open no database and no chain. */
const SERVER_UNIT_TESTS = [
  'server/kit/{config,outgoing}.test.ts',
  'server/panel/console/catalogue-retry.test.ts',
  'server/kit/cache/{cache,snapshot}.test.ts',
  'server/listings/images/data-url.test.ts',
  'server/voting/daily-deck/choose.test.ts',
  'ops/doctor/machine.test.ts',
  'server/kit/http/{address,client-address,input,device,drain,rejection-pace}.test.ts',
  'server/open/lookup/choose-listings.test.ts',
  'server/listings/projects/leads-away.test.ts',
  'server/people/push/pauses.test.ts',
  'server/money/coin/module.test.ts',
  'server/record/listed-payments.test.ts',
  'server/site/{cards,preloads}.test.ts',
  'server/figures/standing/{rhythm-rule,seen}.test.ts',
];

/** Only in `npm run test:all`: the subject is another program or a cluster of database servers. */
const PROGRAM_TESTS = [
  'server/{proxies,cluster-config}.test.ts',
  'server/kit/replica.test.ts',
  'ops/metrics/monitoring.test.ts',
  'ops/deploy/units.test.ts',
];

/** Only in `npm run test:all`, on the machine's PostgreSQL: they need its programs. */
const SYSTEM_POSTGRES_TESTS = [
  'server/pooler.test.ts',
  'server/panel/console/installed-roles.test.ts',
  'ops/backup/*.test.ts',
];

/** The subject is SQL: `npm run test:all` repeats these files on the machine's PostgreSQL. Add a file here to opt in. */
const SQL_TESTS = [
  'db/migrate*.test.ts',
  'server/{table-bounds,page-plans}.test.ts',
  'server/people/accounts/{delete,delete-refused}.test.ts',
  'server/panel/console/{console,console-attacks,given-login}.test.ts',
  'server/money/payouts/{payouts,totals}.test.ts',
  'server/kit/cache/notifications.test.ts',
  'ops/doctor/doctor.test.ts',
  'server/figures/insights/insights.test.ts',
  'server/jobs.test.ts',
  'server/people/retention/delete-unused.test.ts',
  'server/voting/leaderboard/top-voters.test.ts',
  'server/money/ledger/check-invariants.test.ts',
  'server/money/payments/phases.test.ts',
  'server/listings/projects/{feed-order,look-alikes,verified-order}.test.ts',
  'server/record/record.test.ts',
  'server/listings/search/search.test.ts',
  'server/figures/standing/{networks,states}.test.ts',
  'server/money/supply/{balance-guard,supply}.test.ts',
  'server/figures/trends/trends.test.ts',
  'server/voting/votes/{engine,engine-periods,engine-failures,undo,votes}.test.ts',
  'server/money/withdrawals/withdrawals.test.ts',
];

/** Tests that speak HTTP or SQL need a database and a chain. */
const HTTP_TESTS = [
  'server/**/*.test.ts',
  'ops/{doctor,metrics}/*.test.ts',
  'lab/demo/*.test.ts',
  'db/migrate*.test.ts',
];

/** Only in `npm run test:all`: attacks, failures, worlds and processes, which take as long as all other tests together. */
const LONG_TESTS = [
  'lab/{load/attacks,properties,simulation}/*.test.ts',
  'ops/{serve/{workers,ports},postgres/embedded,install/install,process/programs}.test.ts',
  'server/{chain-swap,start}.test.ts',
  'server/voting/votes/faults.test.ts',
  'server/money/payments/{attacks,faults,rotation}.test.ts',
  'server/panel/console/console-attacks.test.ts',
];

/** How often a property is tried, times what is usual, and the random numbers of a failure (docs/build/hammer.md). */
const FC_TIMES = Number(process.env['FC_TIMES'] ?? 1);
const FC_SEED = process.env['FC_SEED'];
const provide = { propertyRuns: { times: FC_TIMES, seed: FC_SEED === undefined ? null : Number(FC_SEED) } };

/** Only a broken test takes this long, not a slow machine on which the tests run twice at the same time. */
const TIMEOUT_MS = 180_000 * FC_TIMES;

const httpProject = (name: string, include: string[], exclude: string[] = []) => ({
  test: {
    name,
    // Each file has servers and a database of its own; loading all code again for each would take longer than its tests.
    isolate: false,
    // Long tests wait for processes, timers and the disk: several at a time keep two cores busy.
    maxWorkers: Math.max(5, availableParallelism() - 1),
    include,
    exclude,
    globalSetup: ['./lab/testing/global-setup.ts'],
    provide,
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    // Expected changes arrive within milliseconds, later on a busy machine.
    expect: { poll: { timeout: 20_000 } },
  },
});

export default defineConfig({
  test: {
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'unit',
          // Loading all code again for each file would take longer than its tests.
          isolate: false,
          include: ['{shared,chain,db,record,ops,lab,packages}/**/*.test.ts', ...SERVER_UNIT_TESTS],
          exclude: [
            ...HTTP_TESTS.filter((pattern) => !pattern.startsWith('server/')).map((pattern) =>
              pattern.replace('ops/{doctor,metrics}/*', 'ops/{doctor,metrics}/!(machine)'),
            ),
            ...LONG_TESTS,
            ...PROGRAM_TESTS,
            ...SYSTEM_POSTGRES_TESTS,
          ],
          provide,
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
        },
      },
      {
        test: {
          name: 'web',
          // Isolated: modules of the page listen on the window that they were loaded with, and each file has one of its own.
          pool: 'vmThreads',
          include: ['web/**/*.test.{ts,tsx}'],
          provide,
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
        },
      },
      httpProject('http', HTTP_TESTS, [
        ...SERVER_UNIT_TESTS,
        ...PROGRAM_TESTS,
        ...SYSTEM_POSTGRES_TESTS,
        ...LONG_TESTS,
      ]),
      httpProject('long', LONG_TESTS),
      httpProject('programs', PROGRAM_TESTS),
      httpProject('sql', [...SQL_TESTS, ...SYSTEM_POSTGRES_TESTS]),
    ],
  },
});
