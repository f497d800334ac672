import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { migrate } from './migrate.ts';
import { schemaText } from './testing/schema-text.ts';

const run = promisify(execFile);
let serial = 0;

/** An empty database, dropped after the test. */
async function emptyDatabase(): Promise<{ url: string; client: Client }> {
  serial += 1;
  const name = `migrate_${process.pid}_${serial}`;
  const admin = new Client({ connectionString: inject('databaseUrl') });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  });
  return { url: url.href, client };
}

/** A copy of the migrations and functions to be changed, deleted after the test. */
async function copyOfFiles(): Promise<{
  root: URL;
  write(file: string, sql: string): Promise<void>;
  remove(file: string): Promise<void>;
}> {
  const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const name of ['migrations', 'functions'])
    await cp(new URL(`./${name}`, import.meta.url), path.join(folder, name), { recursive: true });
  return {
    root: pathToFileURL(`${folder}/`),
    write: (file, sql) => writeFile(path.join(folder, file), sql),
    remove: (file) => rm(path.join(folder, file)),
  };
}

const filesOf = async (folder: string): Promise<string[]> =>
  (await readdir(new URL(`./${folder}/`, import.meta.url))).toSorted();

test('an empty database gets every migration and function once; a second run finds nothing to do', async () => {
  const { url, client } = await emptyDatabase();
  const lines: string[] = [];
  await migrate(url, (line) => lines.push(line));
  const [migrations, functions] = [await filesOf('migrations'), await filesOf('functions')];
  expect(lines.slice(0, -1)).toEqual(migrations.map((file) => `applied ${file}`));
  expect(lines.at(-1)?.match(/\w+/g)?.slice(2).toSorted()).toEqual(functions.map((file) => path.parse(file).name));
  await migrate(url, (line) => lines.push(line));
  expect(lines).toHaveLength(migrations.length + 1);
  const { rows } = await client.query('SELECT name FROM schema_migrations ORDER BY name COLLATE "C"');
  expect(rows.map(({ name }) => name)).toEqual([...migrations, ...functions.map((file) => `functions/${file}`)]);
});

test('a role that owns the database and nothing else can migrate it', async () => {
  const { url, client } = await emptyDatabase();
  const role = `owner_${process.pid}`;
  const name = new URL(url).pathname.slice(1);
  await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'; ALTER DATABASE ${name} OWNER TO ${role}`);
  onTestFinished(async () => {
    await client.query(`REASSIGN OWNED BY ${role} TO CURRENT_USER; DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });
  const asOwner = new URL(url);
  Object.assign(asOwner, { username: role, password: 'secret' });
  await migrate(asOwner.href);
  const { rows } = await client.query(
    "SELECT rolname FROM pg_extension JOIN pg_roles r ON r.oid = extowner WHERE extname = 'pg_trgm'",
  );
  expect(rows).toEqual([{ rolname: role }]);
});

test('several servers that start at once migrate the database only once', async () => {
  const { url } = await emptyDatabase();
  const lines: string[] = [];
  await Promise.all(Array.from({ length: 4 }, () => migrate(url, (line) => lines.push(line))));
  expect(lines.length).toBeGreaterThan(0);
  expect(new Set(lines).size).toBe(lines.length);
});

test('a migration that was edited after it had been applied stops the start', async () => {
  const { url, client } = await emptyDatabase();
  await migrate(url);
  await client.query("UPDATE schema_migrations SET hash = 'another' WHERE name = '0001_schema.sql'");
  await expect(migrate(url)).rejects.toThrow('its 0001_schema.sql differs. Nothing was changed');
});

test('a failed file rolls back everything before it, and the error names it', async () => {
  const { url, client } = await emptyDatabase();
  const files = await copyOfFiles();
  await files.write(
    'functions/zebra.sql',
    'CREATE FUNCTION zebra() RETURNS int LANGUAGE sql RETURN (SELECT 1 FROM nowhere);',
  );
  await expect(migrate(url, undefined, files.root)).rejects.toThrow(
    /^functions\/zebra\.sql failed: relation "nowhere" does not exist$/,
  );
  const { rows } = await client.query(
    "SELECT to_regclass('users') AS users, to_regclass('schema_migrations') AS names",
  );
  expect(rows[0]).toEqual({ users: null, names: null });
});

test('leaves a database of a newer version unchanged', async () => {
  const { url, client } = await emptyDatabase();
  const files = await copyOfFiles();
  await files.write('migrations/9999_newer.sql', 'CREATE TABLE newer (id int)');
  await files.write('functions/feed_of.sql', 'CREATE FUNCTION feed_of() RETURNS int LANGUAGE sql RETURN 1;');
  await migrate(url, undefined, files.root);
  const lines: string[] = [];
  await migrate(url, (line) => lines.push(line));
  expect(lines).toEqual(['the database is that of a newer version, which has 9999_newer.sql: nothing to apply']);
  expect((await client.query('SELECT feed_of()')).rows[0]).toEqual({ feed_of: 1 });
});

test('applies a function and its triggers again when its text or a function it calls has changed', async () => {
  const { url, client } = await emptyDatabase();
  const files = await copyOfFiles();
  const zebra = (result: number): Promise<void> =>
    files.write(
      'functions/zebra.sql',
      `CREATE OR REPLACE FUNCTION zebra() RETURNS int LANGUAGE sql IMMUTABLE RETURN ${result};`,
    );
  const zoo = (when: string): Promise<void> =>
    files.write(
      'functions/zoo.sql',
      `CREATE OR REPLACE FUNCTION zoo() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.config_value := zebra(); RETURN NEW; END $$;
       CREATE TRIGGER zoo_${when} BEFORE ${when} ON config FOR EACH ROW EXECUTE FUNCTION zoo();`,
    );
  const lines: string[] = [];
  const upgrade = (): Promise<void> => migrate(url, (line) => lines.push(line), files.root);
  const triggers = async (): Promise<string[]> =>
    (await client.query("SELECT tgname FROM pg_trigger WHERE tgname LIKE 'zoo%'")).rows.map(({ tgname }) => tgname);
  await zebra(1);
  await zoo('INSERT');
  await upgrade();
  expect(await triggers()).toEqual(['zoo_insert']);
  await zebra(2);
  await zoo('UPDATE');
  await upgrade();
  expect(lines.at(-1)).toBe('applied functions: zebra, zoo');
  expect(await triggers()).toEqual(['zoo_update']);
  await zebra(3);
  await upgrade();
  expect(lines.at(-1)).toBe('applied functions: zebra, zoo');
  expect((await client.query('SELECT zebra()')).rows[0]).toEqual({ zebra: 3 });
  await files.remove('functions/zebra.sql');
  await files.remove('functions/zoo.sql');
  await upgrade();
  expect(lines.at(-1)).toBe('applied functions: no functions/zebra.sql, no functions/zoo.sql');
  expect(await triggers()).toEqual([]);
  const { rows } = await client.query("SELECT count(*)::int AS left FROM pg_proc WHERE proname IN ('zebra', 'zoo')");
  expect(rows[0]).toEqual({ left: 0 });
});

test('renews the guards against late rows when their function has changed', async () => {
  const { url, client } = await emptyDatabase();
  const files = await copyOfFiles();
  const guards = async (): Promise<unknown[]> =>
    (
      await client.query(
        "SELECT pg_get_triggerdef(oid) AS guard FROM pg_trigger WHERE tgfoid = 'keep_deleted_empty'::regproc ORDER BY 1",
      )
    ).rows;
  await migrate(url, undefined, files.root);
  const before = await guards();
  expect(before.length).toBeGreaterThan(15);
  const text = await readFile(new URL('./functions/keep_deleted_empty.sql', import.meta.url), 'utf8');
  await files.write('functions/keep_deleted_empty.sql', `${text}-- new\n`);
  await migrate(url, undefined, files.root);
  expect(await guards()).toEqual(before);
});

test('rejects a file after which two functions have the same name', async () => {
  const { url } = await emptyDatabase();
  const files = await copyOfFiles();
  await files.write('functions/one.sql', 'CREATE OR REPLACE FUNCTION one() RETURNS int LANGUAGE sql RETURN 1;');
  await migrate(url, undefined, files.root);
  await files.write('functions/one.sql', 'CREATE OR REPLACE FUNCTION one(n int) RETURNS int LANGUAGE sql RETURN n;');
  await expect(migrate(url, undefined, files.root)).rejects.toThrow(
    'functions/one.sql has to define one and nothing else',
  );
});

test('votes do not block an upgrade, and an upgrade does not block votes', async () => {
  const { url, client } = await emptyDatabase();
  await migrate(url);
  const files = await copyOfFiles();
  const text = await readFile(new URL('./functions/user_stats_changed.sql', import.meta.url), 'utf8');
  // Locks in the opposite order of the upgrade, which gives way after a second and tries again.
  await client.query("SET deadlock_timeout = '5s'; BEGIN; LOCK TABLE user_stats IN ROW EXCLUSIVE MODE");
  await files.write(
    'functions/projects_changed.sql',
    `${await readFile(new URL('./functions/projects_changed.sql', import.meta.url), 'utf8')}-- new\n`,
  );
  await files.write('functions/user_stats_changed.sql', `${text}-- new\n`);
  const upgraded = migrate(url, undefined, files.root);
  await expect
    .poll(
      async () =>
        (
          await client.query(
            "SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND relation = 'user_stats'::regclass",
          )
        ).rows[0],
    )
    .toEqual({ n: 1 });
  await client.query('INSERT INTO project_stats (project_id) VALUES (1); COMMIT').catch(() => client.query('ROLLBACK'));
  await upgraded;
  const { rows } = await client.query(
    "SELECT count(*)::int AS triggers FROM pg_trigger WHERE tgname IN ('user_stats_updated', 'project_stats_changed')",
  );
  expect(rows[0]).toEqual({ triggers: 2 });
});

// Versions of PostgreSQL differ in how they write a view.
test.skipIf(process.env.TEST_DATABASE === 'system')(
  'schema.sql equals the schema of the migrated database',
  async () => {
    const { url, client } = await emptyDatabase();
    await migrate(url);
    await expect(await schemaText(client)).toMatchFileSnapshot('./schema.sql');
  },
);

test('schema.ts equals the schema of the migrated database', async () => {
  const { url } = await emptyDatabase();
  await migrate(url);
  const bin = path.resolve('node_modules/kysely-codegen/dist/cli/bin.js');
  const { stdout } = await run(process.execPath, [
    bin,
    '--dialect',
    'postgres',
    '--camel-case',
    '--exclude-pattern',
    'schema_migrations',
    '--type-mapping',
    '{"int8":"number"}',
    '--url',
    url,
    '--print',
  ]);
  const words = (text: string): string[] => text.slice(text.indexOf('import type')).match(/[\w$]+/g) ?? [];
  const written = await readFile(new URL('./schema.ts', import.meta.url), 'utf8');
  expect(words(written)).toEqual(words(stdout));
});
