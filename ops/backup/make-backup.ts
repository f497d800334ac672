/**
 * `npm run backup` wraps `pg_dump` in one exported snapshot, in which each table is also counted and hashed; a restore
 * compares both. Restores go into empty databases, in one transaction; missing roles are created without a login, so
 * that rights in the dump find them. After a restore the public record waits until no published day can be missing,
 * because a wrong guess could never be taken back.
 *
 * Rejected: a format of our own by COPY (one more thing that must be right), `pg_dumpall` for roles (needs a superuser,
 * and copies passwords), noticing a restore by the timeline (every failover has a new one), copying missing record
 * entries from a lost database by a command (their votes would be published and not counted).
 */
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { directConnection } from '#db/session-settings.ts';
import { connectionOf, findDumpPrograms, runDumpProgram } from './clients.ts';
import { LEFT_OUT, readContents } from './contents.ts';
import { DUMP_FILE, type Manifest, writeManifest } from './manifest.ts';
import { readDump } from './read-dump.ts';
import { readRoles } from './roles.ts';

const PREFIX = 'snapswipe-';
const UNFINISHED = '.unfinished-';

interface BackupOptions {
  databaseUrl: string;
  to: string;
  keep: number;
}

interface MadeBackup {
  folder: string;
  manifest: Manifest;
  deleted: string[];
}

const nameOf = (moment: Date): string => `${PREFIX}${moment.toISOString().replaceAll(':', '-')}`;

/** A backup gets its name when it is complete. A failed one is recorded in the database, too. */
export async function makeBackup({ databaseUrl, to, keep }: BackupOptions): Promise<MadeBackup> {
  const client = new pg.Client({ ...directConnection(databaseUrl), application_name: 'snapswipe-backup' });
  await client.connect();
  try {
    await client.query('SET statement_timeout = 0');
    const { id, moment } = await noteStart(client);
    try {
      const folder = path.join(to, nameOf(moment));
      const { manifest, checksum } = await writeBackup(client, { databaseUrl, id, moment, folder });
      await client.query(
        'UPDATE backups SET finished_at = clock_timestamp(), bytes = $2, tables = $3, checksum = $4 WHERE id = $1',
        [id, manifest.file.bytes, Object.keys(manifest.tables).length, checksum],
      );
      return { folder, manifest, deleted: await deleteOld(to, keep) };
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      const message = error instanceof Error ? error.message : String(error);
      await client.query('UPDATE backups SET finished_at = clock_timestamp(), error = $2 WHERE id = $1', [id, message]);
      throw error;
    }
  } finally {
    await client.end();
  }
}

async function noteStart(client: pg.Client): Promise<{ id: string; moment: Date }> {
  const { rows } = await client
    .query<{ id: string; moment: Date }>(
      `INSERT INTO backups (kind, started_at) VALUES ('dump', clock_timestamp()) RETURNING id, started_at AS moment`,
    )
    .catch((error: unknown) => {
      throw new Error('This database is not up to date: run `npm run migrate` first.', { cause: error });
    });
  const [row] = rows;
  if (!row) throw new Error('The backup could not be noted in the database.');
  return row;
}

interface Wanted {
  databaseUrl: string;
  id: string;
  moment: Date;
  folder: string;
}

async function writeBackup(
  client: pg.Client,
  { databaseUrl, id, moment, folder }: Wanted,
): Promise<{ manifest: Manifest; checksum: string }> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { rows } = await client.query<Omit<Manifest, 'tables' | 'roles' | 'file'> & { snapshot: string }>(`
    SELECT pg_export_snapshot() AS snapshot, current_database() AS database,
      current_setting('server_version_num')::int / 10000 AS "serverVersion",
      (SELECT json_object_agg(name, hash) FROM schema_migrations WHERE name NOT LIKE 'functions/%') AS migrations`);
  const [row] = rows;
  if (!row) throw new Error('The database has no answer.');
  const { snapshot, ...about } = row;
  const programs = await findDumpPrograms(about.serverVersion);
  const unfinished = path.join(path.dirname(folder), UNFINISHED + path.basename(folder));
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  try {
    const file = path.join(unfinished, DUMP_FILE);
    // Created first, because pg_dump would use the permissions of the umask.
    await writeFile(file, '', { mode: 0o600 });
    const { url, env } = connectionOf(databaseUrl);
    const without = LEFT_OUT.map((table) => `--exclude-table-data=public.${table}`);
    const dump = ['--format=custom', '--no-password', `--snapshot=${snapshot}`, ...without, `--file=${file}`, url];
    await runDumpProgram(programs.pgDump, dump, { env });
    const read = await readDump(file, { program: programs.pgRestore, args: ['--format=custom', '--file=/dev/null'] });
    const [roles, tables] = [await readRoles(client), await readContents(client)];
    await client.query('COMMIT');
    const manifest: Manifest = {
      ...about,
      format: 1,
      id,
      moment: moment.toISOString(),
      dumpVersion: programs.majorVersion,
      roles,
      file: read,
      tables,
    };
    const checksum = await writeManifest(unfinished, manifest);
    await rename(unfinished, folder);
    return { manifest, checksum };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function deleteOld(to: string, keep: number): Promise<string[]> {
  const names = await readdir(to);
  const old = names
    .filter((name) => name.startsWith(PREFIX))
    .toSorted()
    .slice(0, -keep);
  const cutOff: string[] = [];
  for (const name of names.filter((each) => each.startsWith(UNFINISHED)))
    if (Date.now() - (await stat(path.join(to, name))).mtimeMs > 86_400_000) cutOff.push(name);
  for (const name of [...old, ...cutOff]) await rm(path.join(to, name), { recursive: true, force: true });
  return old;
}
