/**
 * `npm run drill`: the restore drill with pgBackRest (docs/operate/backup.md). The database goes back to a moment between
 * votes, payments and payouts, servers start, and everything that seems due is paid. Prints differences in any table.
 */
import { existsSync } from 'node:fs';
import { installDebianPackage } from '#ops/install/machine-packages.ts';
import { findSystemPostgres } from '#ops/install/system-postgres.ts';
import { startDatabase } from '#lab/stack.ts';
import { runWithLifecycle } from '#ops/process/lifecycle.ts';
import { run } from '#ops/process/programs.ts';
import { step } from '#ops/process/report.ts';

const DRILL_TIMEOUT_MS = 10 * 60_000;

await runWithLifecycle(async (lifecycle) => {
  const found = await findSystemPostgres();
  if ('problem' in found) throw new Error(`There is no PostgreSQL 15 or newer on this machine: ${found.problem}.`);
  const problem = existsSync('/usr/bin/pgbackrest') ? null : await installDebianPackage('pgbackrest');
  if (problem !== null) throw new Error(`There is no pgBackRest on this machine: ${problem}.`);
  const database = { durable: false, isBare: true, binDir: found.binDir };
  const { url } = await step('Database for the tests', () => startDatabase(lifecycle, database));
  const { code } = await run('vitest', ['run', '--project', 'sql', 'ops/backup/recovery.test.ts'], {
    env: { TEST_DATABASE: 'system', TEST_DATABASE_URL: url, TEST_POSTGRES_BIN: found.binDir, DRILL: 'true' },
    show: true,
    timeoutMs: DRILL_TIMEOUT_MS,
  });
  await lifecycle.end(code);
});
