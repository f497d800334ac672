import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { migrate } from './migrate.ts';

const run = promisify(execFile);
let serial = 0;

/** An empty database of its own; gone after the test. */
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

test('an empty database gets every migration once, in order; a second run finds nothing to do', async () => {
  const { url, client } = await emptyDatabase();
  const lines: string[] = [];
  await migrate(url, (line) => lines.push(line));
  const files = (await readdir(new URL('./migrations/', import.meta.url))).toSorted();
  expect(lines).toEqual(files.map((file) => `applied ${file}`));
  await migrate(url, (line) => lines.push(line));
  expect(lines).toHaveLength(files.length);
  const { rows } = await client.query('SELECT count(*)::int AS done FROM schema_migrations');
  expect(rows[0]).toEqual({ done: files.length });
});

test('several servers that start at once migrate once', async () => {
  const { url } = await emptyDatabase();
  const lines: string[] = [];
  await Promise.all(Array.from({ length: 4 }, () => migrate(url, (line) => lines.push(line))));
  expect(new Set(lines).size).toBe(lines.length);
});

test('a migration that was edited after it had been applied stops the start', async () => {
  const { url, client } = await emptyDatabase();
  await migrate(url);
  await client.query("UPDATE schema_migrations SET hash = 'another' WHERE name = '0001_core.sql'");
  await expect(migrate(url)).rejects.toThrow('0001_core.sql was changed after it had been applied');
});

test('a migration that fails is rolled back whole and named', async () => {
  const { url, client } = await emptyDatabase();
  await client.query('CREATE TABLE votes (something int)');
  await expect(migrate(url)).rejects.toThrow(/migration 0001_core\.sql failed: relation "votes" already exists/);
  const { rows } = await client.query("SELECT to_regclass('users') AS users");
  expect(rows[0]).toEqual({ users: null });
});

test('schema.ts is what the migrated database is', async () => {
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
