import { spawn } from 'node:child_process';
import { copyFile, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { SUBMIT_FEE_MIST } from '#shared/constants.ts';
import { lastBackup, lastRestore } from '#server/kit/backups.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { findMissing, findPublished, releaseRecord } from '#server/record/after-restore.ts';
import { createTestApp, startServer, type TestApp } from '#lab/testing/app.ts';
import { grantTokens, insertProject } from '#lab/testing/builders.ts';
import { fundedWallet, pay, sharedChain } from '#lab/testing/chain.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { newDraft, submitPaid } from '#lab/testing/drafts.ts';
import { insertUsers, insertVotesAt, logKey, publishAll } from '#lab/testing/record.ts';
import { run } from '../process/programs.ts';
import { finishRestore } from './after-restore.ts';
import { compareContents, readDatabaseContents } from './contents.ts';
import { makeBackup } from './make-backup.ts';
import { DUMP_FILE, type Manifest, MANIFEST_FILE } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';
import { closeToday } from '#lab/testing/close.ts';

/*
 * The programs of PostgreSQL must have at least the server's version, so these tests run on the machine's PostgreSQL
 * alone.
 */
const isOnSystem = process.env.TEST_DATABASE === 'system';

async function asSuperuser(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databaseUrl') });
  await client.connect();
  await client.query(statement);
  await client.end();
}

let serial = 0;
/** A new, empty database, dropped after the test. */
async function emptyDatabase(): Promise<string> {
  serial += 1;
  const name = `restored_${process.pid}_${serial}`;
  await asSuperuser(`CREATE DATABASE ${name}`);
  onTestFinished(() => asSuperuser(`DROP DATABASE ${name} WITH (FORCE)`));
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

describe.skipIf(!isOnSystem)('a backup and its restore', () => {
  const env = { LOG_PRIVATE_KEY: logKey() };
  let server: TestApp;
  let folder: string;
  let voter: TestUser;
  let projectId: number;
  let made: { folder: string; manifest: Manifest };
  let contents: Awaited<ReturnType<typeof readDatabaseContents>>;

  const backup = (keep = 5) => makeBackup({ databaseUrl: server.databaseUrl, to: folder, keep });
  const vote = (user: Client, id: number, userId: number) =>
    user.post('/api/votes', { userId, projectId: id, voteType: 'bullish' });

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'snapswipe-backup-'));
    server = await createTestApp({ env });
    const { db } = server.services;
    const chain = sharedChain();
    voter = await newUser(server, await fundedWallet(chain));
    const digest = await pay(chain, voter.wallet, SUBMIT_FEE_MIST);
    const statuses = [(await submitPaid(voter, await newDraft(), digest)).status];
    projectId = await insertProject(db);
    statuses.push((await vote(voter, projectId, voter.id)).status);
    await grantTokens(db, voter.id, 100);
    const withdrawal = { userId: voter.id, walletAddress: voter.address, tokenAmount: 60 };
    statuses.push((await voter.post('/api/withdrawals', withdrawal)).status);
    await insertVotesAt(db, { users: await insertUsers(db, 3), projects: [projectId], at: 'yesterday' });
    await db
      .insertInto('networkSalts')
      .values({ day: '2026-01-01', salt: Buffer.alloc(32) })
      .execute();
    contents = await readDatabaseContents(server.databaseUrl);
    made = await backup();
    // Later changes are in no restore of it.
    statuses.push((await vote(voter, await insertProject(db), voter.id)).status);
    if (statuses.join() !== '201,200,201,200') throw new Error(`the set-up got ${statuses.join()}`);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('a backup holds every table, and the command restores it into an empty database', async () => {
    const { backups: own, ...before } = contents;
    const { backups: noted, ...held } = made.manifest.tables;
    expect(compareContents(before, held)).toEqual([]);
    expect([own?.rows, noted?.rows]).toEqual([0, 1]);
    expect(before).not.toHaveProperty('network_salts');
    const url = await emptyDatabase();
    const { code, output } = await run(process.execPath, ['scripts/restore.ts', '--from', made.folder, '--into', url], {
      env,
    });
    expect(output).toContain('✓ Backup restored, each table compared');
    expect(output).toContain('The public record WAITS');
    expect(code).toBe(0);
    const {
      backups: completed,
      restores,
      job_runs: runs,
      database_copies: copy,
      ...restored
    } = await readDatabaseContents(url);
    expect([completed?.rows, restores?.rows, runs?.rows]).toEqual([1, 1, held.job_runs?.rows]);
    // The restore says in it that this is another copy of the database.
    const { restores: none, job_runs: same, database_copies: original, ...expected } = held;
    expect([original?.rows, copy?.rows]).toEqual([1, 1]);
    expect([none?.rows, same]).toEqual([0, runs]);
    expect(compareContents(expected, restored)).toEqual([]);
  });

  test('a server on the restored database knows its sessions, counts votes, and its books add up', async () => {
    const url = await emptyDatabase();
    await restoreBackup(made.folder, url);
    const restored = await startServer(url, { env });
    onTestFinished(() => restored.close());
    const { db } = restored.services;
    const user = Object.assign(new Client(restored.url), { cookie: voter.cookie });
    const { body } = await user.get<{ totalVotes: number; balance: number }>(`/api/users/${voter.id}/stats`);
    expect(body.totalVotes).toBe(1 + 1);
    expect((await vote(user, projectId, voter.id)).status).toBe(409);
    expect((await vote(user, await insertProject(db), voter.id)).status).toBe(200);
    expect(await findDifferences(db)).toEqual([]);
    expect(await db.selectFrom('networkSalts').selectAll().execute()).toEqual([]);
    expect(await lastBackup(db)).toMatchObject({ id: made.manifest.id, kind: 'dump', bytes: made.manifest.file.bytes });
  });

  test('publishing waits and reports the missing days while readers hold a newer checkpoint than the backup', async () => {
    const { services } = server;
    expect(await publishAll(services)).toBeGreaterThan(0);
    const note = await (await fetch(`${server.url}/log/checkpoint`)).text();
    const [early, late] = [await emptyDatabase(), await emptyDatabase()];
    await restoreBackup(made.folder, early);
    expect(await finishRestore(early, new Date(made.manifest.moment), true)).toEqual({
      differences: [],
      record: 'empty',
    });
    const restored = await startServer(early, { env });
    onTestFinished(() => restored.close());
    const { db } = restored.services;
    await expect(closeToday(restored.services)).rejects.toMatchObject({ code: 'restore_not_confirmed' });
    expect(await db.selectFrom('logFiles').select('path').execute()).toEqual([]);
    expect(await findMissing(db, note)).toMatch(
      /^\d+ entries of the record are missing: the log has 0, readers hold \d+$/,
    );
    expect(await findMissing(db, 'nothing')).toBe('it is not a checkpoint');
    expect(await findPublished(db)).toBeNull();
    expect(await findPublished(services.db)).toBe('this database has published: give the newest checkpoint');
    await releaseRecord(db);
    expect(await publishAll(restored.services)).toBeGreaterThan(0);
    expect(await findMissing(services.db, note)).toBeNull();
    // The backup that reaches today has no successor before the next midnight.
    const second = await backup();
    await restoreBackup(second.folder, late);
    expect(await finishRestore(late, new Date(second.manifest.moment), true)).toMatchObject({ record: 'goes on' });
  });

  test('a restore refuses a database with rows, and a folder without a backup', async () => {
    await expect(restoreBackup(made.folder, server.databaseUrl)).rejects.toThrow('The database is not empty');
    await expect(restoreBackup(folder, await emptyDatabase())).rejects.toThrow('is no backup');
  });

  test('a backup with a schema that cannot be upgraded is refused before any row is written, with advice', async () => {
    const setHash = (hash: string) =>
      server.services.pool.query("UPDATE schema_migrations SET hash = $1 WHERE name LIKE '0001%' RETURNING hash", [
        hash,
      ]);
    const { rows } = await server.services.pool.query<{ hash: string }>(
      "SELECT hash FROM schema_migrations WHERE name LIKE '0001%'",
    );
    await setHash('other');
    const old = await backup();
    await setHash(rows[0]?.hash ?? '');
    const url = await emptyDatabase();
    await expect(restoreBackup(old.folder, url)).rejects.toThrow(
      /^The backup cannot be used: the schema is that of another version.* Nothing was changed; run the version that made it\.$/,
    );
    expect(Object.keys(await readDatabaseContents(url))).toEqual([]);
  });

  test('a restore reads the dump once', async () => {
    const once = await mkdtemp(path.join(folder, 'once-'));
    await copyFile(path.join(made.folder, MANIFEST_FILE), path.join(once, MANIFEST_FILE));
    const pipe = path.join(once, DUMP_FILE);
    expect(await run('mkfifo', [pipe])).toMatchObject({ code: 0 });
    // The first reader gets the dump through the pipe, any other one another file.
    const script = 'exec 3> "$2"; rm "$2"; echo another > "$2"; cat "$1" >&3';
    const feeder = spawn('sh', ['-c', script, 'sh', path.join(made.folder, DUMP_FILE), pipe], { stdio: 'ignore' });
    onTestFinished(() => void feeder.kill());
    const url = await emptyDatabase();
    await restoreBackup(once, url);
    expect(await readDatabaseContents(url)).toMatchObject({ votes: made.manifest.tables.votes });
  });

  test('a dump with one changed byte anywhere restores nothing', async () => {
    const { folder: broken, manifest } = await backup();
    const dump = path.join(broken, DUMP_FILE);
    const { bytes } = manifest.file;
    const file = await open(dump, 'r+');
    onTestFinished(() => file.close());
    const url = await emptyDatabase();
    for (const place of [0, Math.floor(bytes / 3), bytes - 1]) {
      const { buffer } = await file.read(Buffer.alloc(1), 0, 1, place);
      await file.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, place);
      await expect(restoreBackup(broken, url)).rejects.toThrow('is damaged');
      await file.write(buffer, 0, 1, place);
      expect(await readDatabaseContents(url)).toEqual({});
    }
    await file.truncate(bytes - 1);
    await expect(restoreBackup(broken, url)).rejects.toThrow('is damaged');
    expect(await readDatabaseContents(url)).toEqual({});
  });

  test('the backup command keeps the newest backups, readable only by their owner, and records what it made', async () => {
    const own = path.join(folder, 'own');
    for (let n = 0; n < 2; n += 1) await makeBackup({ databaseUrl: server.databaseUrl, to: own, keep: 2 });
    const { code, output } = await run(process.execPath, ['scripts/backup.ts', '--to', own, '--keep', '2'], {
      env: { DATABASE_URL: server.databaseUrl, DATABASE_DIRECT_URL: '' },
    });
    expect(output).toContain('Backup made and checked');
    expect(code).toBe(0);
    const left = (await readdir(own)).toSorted();
    expect(left).toHaveLength(2);
    const newestFolder = path.join(own, left[1] ?? '');
    const files = (await readdir(newestFolder)).map((name) => path.join(newestFolder, name));
    expect(files).toHaveLength(2);
    for (const each of [newestFolder, ...files]) expect([each, (await stat(each)).mode & 0o077]).toEqual([each, 0]);
    const newest = await lastBackup(server.services.db);
    expect(newest).toMatchObject({ kind: 'dump', checksum: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(output).toContain(`${newest?.bytes?.toLocaleString()} bytes`);
    expect(await lastRestore(server.services.db)).toBeNull();
  });

  test('a failed backup is recorded with its reason, and is not the last backup', async () => {
    const before = await lastBackup(server.services.db);
    await expect(makeBackup({ databaseUrl: server.databaseUrl, to: '/dev/null/x', keep: 1 })).rejects.toThrow();
    const rows = await server.services.db
      .selectFrom('backups')
      .select('error')
      .where('error', 'is not', null)
      .execute();
    expect(rows).toEqual([{ error: expect.stringContaining('ENOTDIR') }]);
    expect(await lastBackup(server.services.db)).toEqual(before);
  });
});
