import path from 'node:path';
import pg from 'pg';
import { otherSchema } from '#db/migrate.ts';
import { readMigrations } from '#db/schema-files.ts';
import { directConnection } from '#db/session-settings.ts';
import { connectionOf, findDumpPrograms } from './clients.ts';
import { compareContents, readDatabaseContents } from './contents.ts';
import { DUMP_FILE, type Manifest, readManifest, type Role } from './manifest.ts';
import { readDump } from './read-dump.ts';
import { createMissingRoles } from './roles.ts';

interface Restored {
  manifest: Manifest;
  withoutLogin: Role[];
}

async function countObjects(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`
    SELECT count(*)::int AS count FROM pg_class
    WHERE relnamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = pg_class.oid AND d.deptype = 'e')`);
  return rows[0]?.count ?? 0;
}

async function prepareDatabase(databaseUrl: string, manifest: Manifest): Promise<Role[]> {
  const client = new pg.Client(directConnection(databaseUrl));
  await client.connect();
  try {
    if ((await countObjects(client)) > 0)
      throw new Error('The database is not empty: restore into one that was just created, so that nothing is lost.');
    const { rows } = await client.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::int / 10000 AS version",
    );
    const version = rows[0]?.version ?? 0;
    if (version < manifest.serverVersion)
      throw new Error(
        `The backup is of PostgreSQL ${manifest.serverVersion}, and this is ${version}: use a newer one.`,
      );
    return await createMissingRoles(client, manifest.roles);
  } finally {
    await client.end();
  }
}

/** The copy contains the row of its own backup as of the backup's start. */
async function completeRow(databaseUrl: string, manifest: Manifest, checksum: string): Promise<void> {
  const client = new pg.Client(directConnection(databaseUrl));
  await client.connect();
  try {
    await client.query(
      'UPDATE backups SET finished_at = started_at, bytes = $2, tables = $3, checksum = $4 WHERE id = $1',
      [manifest.id, manifest.file.bytes, Object.keys(manifest.tables).length, checksum],
    );
    await client.query('SET statement_timeout = 0; ANALYZE');
  } finally {
    await client.end();
  }
}

/** Restores in one transaction, and compares each table with the manifest. @throws Error with one line */
export async function restoreBackup(from: string, databaseUrl: string): Promise<Restored> {
  const { manifest, checksum } = await readManifest(from);
  const problem = otherSchema(new Map(Object.entries(manifest.migrations)), await readMigrations());
  if (problem !== null) throw new Error(`The backup cannot be used: ${problem}.`);
  const programs = await findDumpPrograms(manifest.dumpVersion);
  const withoutLogin = await prepareDatabase(databaseUrl, manifest);
  const { url, env } = connectionOf(databaseUrl);
  const args = ['--format=custom', '--no-owner', '--no-password', '--exit-on-error', '--single-transaction'];
  await readDump(path.join(from, DUMP_FILE), {
    program: programs.pgRestore,
    args: [...args, `--dbname=${url}`],
    env,
    expected: manifest.file,
  });
  const differences = compareContents(manifest.tables, await readDatabaseContents(databaseUrl));
  if (differences.length > 0)
    throw new Error(`The restored database is not what was backed up: ${differences.join('; ')}.`);
  await completeRow(databaseUrl, manifest, checksum);
  return { manifest, withoutLogin };
}
