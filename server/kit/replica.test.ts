import { sql } from 'kysely';
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type TestApp, startServer, testConfig } from '#lab/testing/app.ts';
import { toText } from '#ops/metrics/families.ts';
import { createSurroundings } from '#ops/metrics/surroundings.ts';
import { parseMetrics } from '#lab/testing/metrics.ts';
import { insertProject, insertShownImage } from '#lab/testing/builders.ts';
import { Client, newUser } from '#lab/testing/client.ts';
import { insertUsers, insertVotesAt, logKey } from '#lab/testing/record.ts';
import { createLog } from './http/log.ts';
import { digestVotes } from '#server/record/digests.ts';
import { type ReplicatedDatabase, startReplicatedDatabase } from '#lab/testing/replica.ts';
import { closeToday } from '#lab/testing/close.ts';

const WAIT = { timeout: 30_000, interval: 50 };
const READS = [
  '/api/projects',
  '/api/projects/leaderboard/all',
  '/api/leaderboard',
  '/api/supply',
  '/sitemap.xml',
  '/og/site.jpg',
];

let databases: ReplicatedDatabase;
let server: TestApp;
let visitor: Client;
/** Log lines about the replica. */
const lines: string[] = [];
const FROM_PRIMARY = /^public lists are read from the primary: /;
const FROM_REPLICA = 'public lists are read from the replica';

function start(env: Record<string, string>, cache = false): Promise<TestApp> {
  const log = createLog({ logLevel: 'warn', logsAddresses: false }, { write: () => undefined });
  // Before the server exists: a replica may be refused while it is being started.
  log.warn = (line: unknown) => void lines.push(String(line));
  return startServer(databases.primaryUrl, { env, cache, log });
}
const readsFromReplica = async ({ services }: TestApp): Promise<boolean> => {
  const { rows } = await sql<{ yes: boolean }>`SELECT pg_is_in_recovery() AS yes`.execute(services.replica);
  return rows[0]?.yes ?? false;
};
async function onReplica(statement: string): Promise<pg.QueryResult<Record<string, unknown>>> {
  const client = new pg.Client({ connectionString: databases.replicaUrl });
  await client.connect();
  try {
    return await client.query<Record<string, unknown>>(statement);
  } finally {
    await client.end();
  }
}
const names = async (): Promise<string[]> =>
  (await visitor.get<Array<{ name: string }>>('/api/projects/leaderboard/all')).body.map(({ name }) => name);

beforeAll(async () => {
  databases = await startReplicatedDatabase();
  server = await start({ DATABASE_REPLICA_URL: databases.replicaUrl });
  visitor = new Client(server.url);
  await vi.waitUntil(() => readsFromReplica(server), WAIT);
});
afterAll(async () => {
  await server.close();
  await databases.end();
});
beforeEach(async () => {
  await vi.waitUntil(() => readsFromReplica(server), WAIT);
  lines.length = 0;
});

test('public lists are read from the replica, and never behind the primary', async () => {
  const { db } = server.services;
  expect((await sql<{ yes: boolean }>`SELECT pg_is_in_recovery() AS yes`.execute(db)).rows).toEqual([{ yes: false }]);
  for (let each = 1; each <= 20; each += 1) {
    const name = `Just listed ${each}`;
    await insertProject(db, { name });
    expect(await names()).toContain(name);
  }
  await vi.waitUntil(() => readsFromReplica(server), WAIT);
  for (const path of READS) expect([path, (await visitor.get(path)).status]).toEqual([path, 200]);
});

test('a replica that falls behind is replaced by the primary, with one line in the log, and used again when it has caught up', async () => {
  await onReplica('SELECT pg_wal_replay_pause()');
  try {
    for (let each = 1; each <= 10; each += 1) {
      const name = `Listed meanwhile ${each}`;
      await insertProject(server.services.db, { name });
      expect(await names()).toContain(name);
    }
    expect(lines).toEqual(['public lists are read from the primary: it is more than 250 ms behind']);
    expect(await readsFromReplica(server)).toBe(false);
  } finally {
    await onReplica('SELECT pg_wal_replay_resume()');
  }
  await vi.waitFor(async () => expect(await readsFromReplica(server)).toBe(true), WAIT);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toBe(FROM_REPLICA);
});

test('a replica stopped and started under requests: every request gets a response, and the log has a line for each change', async () => {
  const over = new AbortController();
  const statuses: number[] = [];
  const readers = Promise.all(
    READS.map(async (path) => {
      while (!over.signal.aborted) statuses.push((await visitor.get(path)).status);
    }),
  );
  const readMore = () => {
    const before = statuses.length;
    return vi.waitFor(() => expect(statuses.length).toBeGreaterThan(before + 20), WAIT);
  };
  try {
    await readMore();
    await databases.stopReplica();
    try {
      await readMore();
      expect(lines.at(-1)).toMatch(FROM_PRIMARY);
    } finally {
      await databases.startReplica();
    }
    await vi.waitFor(async () => expect(await readsFromReplica(server)).toBe(true), WAIT);
  } finally {
    over.abort();
    await readers;
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
  // A slow machine's replica may have been late before it was stopped: there and back once more.
  expect(lines.length % 2).toBe(0);
  const sources = lines.map((line) => (FROM_PRIMARY.test(line) ? 'primary' : line));
  expect(sources).toEqual(lines.map((_, at) => (at % 2 === 0 ? 'primary' : FROM_REPLICA)));
  expect(lines.length).toBeLessThan(statuses.length / 4);
});

test('without a primary, public reads continue from the replica, even for users with a session, and their own data waits', async () => {
  const { db } = server.services;
  const user = await newUser(server);
  const projectId = await insertProject(db, { name: 'Read without a primary' });
  const create = { width: 64, height: 64, channels: 3, background: { r: 9, g: 90, b: 160 } } as const;
  const hash = await insertShownImage(db, await sharp({ create }).png().toBuffer());
  const paths = [...READS, `/api/projects/${projectId}`, `/api/projects/${projectId}/reviews`, `/images/${hash}.webp`];
  const vote = () => user.post('/api/votes', { userId: user.id, projectId, voteType: 'bullish' });
  const read = async (client: Client) => {
    const statuses: Array<[string, number]> = [];
    for (const path of paths) statuses.push([path, (await client.get(path)).status]);
    return statuses;
  };
  const allRead = paths.map((path) => [path, 200]);
  await databases.stopPrimary();
  try {
    expect(await read(visitor)).toEqual(allRead);
    expect(await read(user)).toEqual(allRead);
    expect(lines).toEqual([
      expect.stringMatching(/^public lists are read from the replica, as far as it has come: the primary does not/),
    ]);
    const own = [`/api/users/${user.id}/stats`, `/api/projects?userId=${user.id}`, '/api/payments'];
    for (const path of own) expect([path, (await user.get(path)).status]).toEqual([path, 503]);
    expect(await vote()).toMatchObject({ status: 503, body: { error: 'vote_failed' } });
  } finally {
    await databases.startPrimary();
  }
  await vi.waitFor(() => expect(lines.at(-1)).toBe(FROM_REPLICA), WAIT);
  // Automatically, on new connections, and up to date again.
  expect((await vote()).status).toBe(200);
  for (let each = 1; each <= 5; each += 1) {
    const name = `Listed afterwards ${each}`;
    await insertProject(db, { name });
    expect(await names()).toContain(name);
  }
});

test('reads of unknown age during an outage of the primary do not stay in the cache', async () => {
  const { cache } = server.services;
  await databases.stopPrimary();
  try {
    // Notifications are trusted for a moment after the last one; here for longer.
    cache.setValidUntil(performance.now() + 60_000);
    await names();
    expect(cache.getCached('ranked:')).toBeDefined();
  } finally {
    await databases.startPrimary();
  }
  await vi.waitFor(() => expect(lines.at(-1)).toBe(FROM_REPLICA), WAIT);
  expect(cache.getCached('ranked:')).toBeUndefined();
  cache.setValidUntil(0);
});

test.each([
  ['that is no replica', () => databases.primaryUrl, /it is not a replica/],
  [
    'of another database',
    () => databases.replicaUrl.replace(/\/\w+$/, '/postgres'),
    /it is a replica of another database/,
  ],
  ['where nothing listens', () => 'postgres://nobody@127.0.0.1:1/nothing', /ECONNREFUSED/],
])('a replica %s is not read from, and the log has the reason', async (_what, url, reason) => {
  lines.length = 0;
  const other = await start({ DATABASE_REPLICA_URL: url() });
  try {
    expect((await new Client(other.url).get('/api/projects/leaderboard/all')).status).toBe(200);
    expect(await readsFromReplica(other)).toBe(false);
    await vi.waitFor(() => expect(lines).toHaveLength(1), WAIT);
    expect(lines[0]).toMatch(reason);
  } finally {
    await other.close();
  }
});

test('the metrics show that a replica no longer receives anything, long before it is far behind', async () => {
  const config = testConfig(databases.primaryUrl, { DATABASE_REPLICA_URL: databases.replicaUrl });
  const { rows } = await onReplica('SHOW primary_conninfo');
  const source = pg.escapeLiteral(String(rows[0]?.['primary_conninfo']));
  await onReplica("ALTER SYSTEM SET primary_conninfo = ''");
  await onReplica('SELECT pg_reload_conf()');
  const receivers = async () => (await onReplica('SELECT FROM pg_stat_wal_receiver')).rowCount;
  await vi.waitFor(async () => expect(await receivers()).toBe(0), WAIT);
  await insertProject(server.services.db, { name: 'Never sent to the replica' });
  const metrics = parseMetrics(await toText([await createSurroundings({ ...server.services, config })()]));
  expect(metrics.get('snapswipe_replica_up')).toBe(1);
  expect(metrics.get('snapswipe_replica_behind_bytes')).toBeGreaterThan(0);
  await onReplica(`ALTER SYSTEM SET primary_conninfo = ${source}`);
  await onReplica('SELECT pg_reload_conf()');
  await vi.waitFor(async () => expect(await receivers()).toBe(1), WAIT);
});

test('a site with a replica stores the digests of what it publishes [R62]', async () => {
  const recording = await start({ DATABASE_REPLICA_URL: databases.replicaUrl, LOG_PRIVATE_KEY: logKey() });
  try {
    const { services } = recording;
    await vi.waitUntil(() => readsFromReplica(recording), WAIT);
    const projectId = await insertProject(services.db, { name: 'Recorded' });
    await insertVotesAt(services.db, {
      users: await insertUsers(services.db, 3),
      projects: [projectId],
      at: '2026-08-01 12:00:00+00',
    });
    await closeToday(services);
    await digestVotes(services);
    const digests = await services.db.selectFrom('recordDigests').select(['projectId', 'period']).execute();
    expect(digests).toContainEqual({ projectId, period: 1 });
  } finally {
    await recording.close();
  }
});

test('the replica accepts single statements only', async () => {
  const { replica } = server.services;
  await expect(replica.transaction().execute(async () => undefined)).rejects.toThrow('for single statements');
  await expect(sql`UPDATE projects SET name = 'x'`.execute(replica)).resolves.toBeDefined();
});
