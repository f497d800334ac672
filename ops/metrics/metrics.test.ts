import { randomBytes, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toBase58 } from '@mysten/sui/utils';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '#ops/process/free-port.ts';
import type { ChainStatus } from '#server/kit/services.ts';
import { runOnce } from '#server/kit/scheduler.ts';
import { createTestApp, startServer, type TestApp } from '#lab/testing/app.ts';
import { openArchived } from '#lab/testing/archiver.ts';
import { insertProject, insertUser } from '#lab/testing/builders.ts';
import { fund, sharedChain } from '#lab/testing/chain.ts';
import { newUser } from '#lab/testing/client.ts';
import { parseMetrics, type Series } from '#lab/testing/metrics.ts';
import { hasProxy, writeCertificate } from '#lab/testing/proxies.ts';
import { newWallet } from '#lab/testing/wallets.ts';
import { toText } from './families.ts';
import { createOwnFamilies } from './own.ts';
import { createSharedFamilies } from './shared.ts';
import { createSurroundings, readCertificateEnd } from './surroundings.ts';

const TOKEN = 'only-for-prometheus';
const server = await createTestApp({ env: { METRICS_TOKEN: TOKEN } });
const { services } = server;
const { db } = services;

/** A public list that is cached. */
const LIST = '/api/projects/leaderboard/all';
const load = (url: string, token = TOKEN) => fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
const scrape = async (): Promise<Series> => parseMetrics(await (await load(server.url)).text());
/** Present figures of the database, whatever a scrape has cached. */
const figures = async (): Promise<Series> => parseMetrics(await toText([await createSharedFamilies(services)()]));

describe('access to the metrics', () => {
  test('only a client that sends the token may read the metrics', async () => {
    const response = await load(server.url);
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      'no-store',
    ]);
    for (const token of ['', `${TOKEN}x`, TOKEN.slice(1)]) expect((await load(server.url, token)).status).toBe(401);
    expect((await fetch(`${server.url}/metrics`)).headers.get('www-authenticate')).toBe('Bearer');
  });

  test('every client that reaches the metrics port may read them, and without settings there are none', async () => {
    const port = await freePort();
    const other = await startServer(server.databaseUrl, { env: { METRICS_PORT: String(port) } });
    onTestFinished(() => other.close());
    const own = `http://127.0.0.1:${port}`;
    // Another address of this machine, like a public one.
    await expect(fetch(`http://127.0.0.2:${port}/metrics`)).rejects.toThrow('fetch failed');
    expect([(await fetch(`${own}/metrics`)).status, (await fetch(`${own}/api/config`)).status]).toEqual([200, 404]);
    expect((await load(other.url)).status).toBe(404);
    const taken = startServer(server.databaseUrl, { env: { METRICS_PORT: new URL(server.url).port } });
    await expect(taken).rejects.toThrow('METRICS_PORT is in use');
  });
});

describe('counts of a server', () => {
  test('the metrics count responses by route and status, including 304 and unknown routes', async () => {
    const before = await scrape();
    const tag = (await fetch(`${server.url}${LIST}`)).headers.get('etag') ?? '';
    await fetch(`${server.url}${LIST}`, { headers: { 'if-none-match': tag } });
    for (const id of [1, 2, 3]) await fetch(`${server.url}/api/users/${id}/activity`);
    await fetch(`${server.url}/no/such/${Math.random()}`);
    const after = await scrape();
    const grown = (series: string): number => (after.get(series) ?? 0) - (before.get(series) ?? 0);
    const route = 'method="GET",route="/api/projects/leaderboard/all"';
    expect(grown(`snapswipe_http_requests_total{${route},status="200"}`)).toBe(1);
    expect(grown(`snapswipe_http_requests_total{${route},status="304"}`)).toBe(1);
    expect(grown(`snapswipe_http_request_duration_seconds_count{${route}}`)).toBe(2);
    expect(grown(`snapswipe_http_request_duration_seconds_bucket{le="+Inf",${route}}`)).toBe(2);
    expect(grown(`snapswipe_http_requests_total{method="GET",route="/api/users/:id/activity",status="401"}`)).toBe(3);
    expect([...after.keys()].filter((series) => series.includes('such'))).toEqual([]);
  });

  test('the metrics count votes by outcome, and their batches', async () => {
    const before = await scrape();
    const [user, projectId] = [await newUser(server), await insertProject(db)];
    for (const status of [200, 409])
      expect((await user.post('/api/votes', { userId: user.id, projectId, voteType: 'bullish' })).status).toBe(status);
    const after = await scrape();
    const grown = (series: string): number => (after.get(series) ?? 0) - (before.get(series) ?? 0);
    expect(grown('snapswipe_votes_total{outcome="counted"}')).toBe(1);
    expect(grown('snapswipe_votes_total{outcome="already_voted"}')).toBe(1);
    expect(grown('snapswipe_vote_batch_votes_sum')).toBe(2);
    expect(grown('snapswipe_vote_batch_duration_seconds_count')).toBe(2);
    expect(after.get('snapswipe_vote_queue_length')).toBe(0);
    expect(after.get('snapswipe_vote_queue_limit')).toBeGreaterThan(0);
  });
});

test('counts of several processes are added up, and one failing process is visible', async () => {
  const [other, alone] = await Promise.all(
    [true, false].map((cache) =>
      startServer(server.databaseUrl, { cache, env: { METRICS_TOKEN: TOKEN, WORKERS: '2' } }),
    ),
  );
  if (!other || !alone) throw new Error('no servers');
  onTestFinished(async () => void (await Promise.all([other.close(), alone.close()])));
  const ask = (url: string, times: number) => Promise.all(Array.from({ length: times }, () => fetch(`${url}/healthz`)));
  await Promise.all([ask(other.url, 2), ask(alone.url, 3)]);
  const own = (app: TestApp) => createOwnFamilies(app.app, app.services)();
  const both = parseMetrics(await toText([await own(other), await own(alone)]));
  expect(both.get('snapswipe_http_requests_total{method="GET",route="/healthz",status="200"}')).toBe(5);
  expect(both.get('snapswipe_processes')).toBe(2);
  expect(both.get('snapswipe_processes_wanted')).toBe(2);
  expect(both.get('snapswipe_cache_usable')).toBe(0);
  expect(both.get('snapswipe_database_pool_limit')).toBe(2 * other.services.config.databasePool);
  const [calm, busy] = [await own(other), await own(alone)].map((families, level) =>
    families.map((family) =>
      family.name === 'snapswipe_load_level' ? { ...family, values: [{ labels: {}, value: 2 * level }] } : family,
    ),
  );
  expect(parseMetrics(await toText([calm ?? [], busy ?? []])).get('snapswipe_load_level')).toBe(2);
});

const digest = (): string => toBase58(randomBytes(32));

describe('figures shared by all servers of a database', () => {
  test('the metrics show unfinished payments and withdrawals, and how long the oldest of them waits', async () => {
    const userId = await insertUser(db);
    const hourAgo = sql<Date>`now() - interval '1 hour'`;
    const payment = { userId, purpose: 'renew', draft: '{}', amountMist: 1, expiresAt: hourAgo } as const;
    const order = () => ({ ...payment, orderHash: digest(), digest: digest(), chainId: 'chain' });
    for (const state of ['signed', 'unclaimed', 'fulfilled'] as const)
      await db
        .insertInto('payments')
        .values({ ...order(), state, createdAt: hourAgo })
        .execute();
    // A newer one as well.
    await db
      .insertInto('payments')
      .values({ ...order(), state: 'unclaimed' })
      .execute();
    const withdrawal = { userId, walletAddress: newWallet().toSuiAddress(), tokenAmount: 50, createdAt: hourAgo };
    for (const state of ['requested', 'approved', 'rejected'] as const)
      await db
        .insertInto('withdrawals')
        .values({ ...withdrawal, state })
        .execute();
    const now = await figures();
    for (const [state, count] of [
      ['signed', 1],
      ['paid', 0],
      ['unclaimed', 2],
    ] as const)
      expect(now.get(`snapswipe_payments_open{state="${state}"}`)).toBe(count);
    for (const [state, count] of [
      ['requested', 1],
      ['approved', 1],
    ] as const)
      expect(now.get(`snapswipe_withdrawals_open{state="${state}"}`)).toBe(count);
    expect(now.get('snapswipe_payments_oldest_age_seconds{state="unclaimed"}')).toBeGreaterThanOrEqual(3_600);
    expect(now.get('snapswipe_payments_oldest_age_seconds{state="paid"}')).toBe(0);
    expect(now.get('snapswipe_withdrawals_oldest_age_seconds{state="requested"}')).toBeGreaterThanOrEqual(3_600);
    await db.deleteFrom('withdrawals').execute();
    await db.deleteFrom('payments').execute();
  });

  test('the metrics show what the chain refuses, and what it paid before the approval [R79 R97]', async () => {
    const { id: userId } = await newUser(server);
    const approved = { userId, walletAddress: newWallet().toSuiAddress(), tokenAmount: 50, state: 'approved' as const };
    await db
      .insertInto('withdrawals')
      .values([
        { ...approved, refusedReason: 'denied' },
        { ...approved, paidEarlier: true },
      ])
      .execute();
    const now = await figures();
    expect(now.get('snapswipe_withdrawals_refused')).toBe(1);
    expect(now.get('snapswipe_withdrawals_paid_earlier')).toBe(1);
    await db.deleteFrom('withdrawals').execute();
  });

  test('the metrics show the last success and duration of jobs, and whether they fail', async () => {
    const job = { name: 'close-days', intervalMs: 300_000 };
    await runOnce(services, { ...job, intervalMs: 0, run: async () => undefined });
    const good = await figures();
    expect(good.get('snapswipe_job_failing{job_name="close-days"}')).toBe(0);
    expect(good.get('snapswipe_job_interval_seconds{job_name="close-days"}')).toBe(300);
    const succeeded = good.get('snapswipe_job_last_success_timestamp_seconds{job_name="close-days"}');
    expect(succeeded).toBeGreaterThan(1_600_000_000);
    const failing = { ...job, intervalMs: 0, run: () => Promise.reject(new Error('broken')) };
    await expect(runOnce(services, failing)).rejects.toThrow('broken');
    // One that never succeeded is the most overdue of all.
    const never = 'snapswipe_job_last_success_timestamp_seconds{job_name="refresh-top-voters"}';
    expect(good.get(never)).toBe(0);
    expect(good.get('snapswipe_job_interval_seconds{job_name="refresh-top-voters"}')).toBe(300);
    const bad = await figures();
    expect(bad.get('snapswipe_job_failing{job_name="close-days"}')).toBe(1);
    expect(bad.get('snapswipe_job_last_success_timestamp_seconds{job_name="close-days"}')).toBe(succeeded);
  });

  test('the metrics show the last backup, the size of the database, and the Sui node', async () => {
    const none = await figures();
    expect(none.has('snapswipe_backup_last_timestamp_seconds')).toBe(false);
    await db
      .insertInto('backups')
      .values({ kind: 'dump', finishedAt: new Date('2026-11-20T00:00:00Z'), bytes: 7_000 })
      .execute();
    const now = await figures();
    expect(now.get('snapswipe_backup_last_timestamp_seconds')).toBe(Date.parse('2026-11-20T00:00:00Z') / 1_000);
    expect(now.get('snapswipe_backup_last_bytes')).toBe(7_000);
    expect(now.get('snapswipe_storage_bytes{subject="votes"}')).toBeGreaterThan(8_000);
    expect([now.get('snapswipe_database_up'), now.get('snapswipe_chain_up')]).toEqual([1, 1]);
    expect(now.has('snapswipe_wal_archive_failing')).toBe(false);
  });

  test('the metrics show a log that cannot be archived', async () => {
    const archived = await openArchived(services.config.databaseUrl);
    const failing = async (at: { archivedAt: Date | null; failedAt: Date | null }) => {
      await archived.say(at);
      const read = createSharedFamilies({ ...services, db: archived.db });
      return parseMetrics(await toText([await read()])).get('snapswipe_wal_archive_failing');
    };
    const [earlier, later] = [new Date(0), new Date(1_000)];
    try {
      expect(await failing({ archivedAt: null, failedAt: later })).toBe(1);
      expect(await failing({ archivedAt: earlier, failedAt: later })).toBe(1);
      expect(await failing({ archivedAt: later, failedAt: earlier })).toBe(0);
    } finally {
      await archived.close();
    }
  });

  test('the metrics tell apart a Sui node that is down, behind, or not asked yet', async () => {
    const chainFigures = async (status: ChainStatus) => {
      const read = createSharedFamilies({ ...services, chainStatus: { read: async () => status } });
      const now = parseMetrics(await toText([await read()]));
      return [now.get('snapswipe_chain_up'), now.get('snapswipe_chain_behind_seconds')];
    };
    expect(await chainFigures({ state: 'down', behindMs: null })).toEqual([0, undefined]);
    expect(await chainFigures({ state: 'up', behindMs: 90_000 })).toEqual([1, 90]);
    expect(await chainFigures({ state: 'unknown', behindMs: null })).toEqual([undefined, undefined]);
  });

  test('the metrics show disks, wallets that pay gas, and an unreachable replica', async () => {
    const wallet = newWallet();
    await fund(sharedChain(), wallet.toSuiAddress());
    const config = {
      ...services.config,
      publicOrigin: 'http://127.0.0.1:1',
      anchorKey: wallet,
      databaseReplicaUrl: 'postgres://nobody@127.0.0.1:1/nothing',
    };
    const now = parseMetrics(await toText([await createSurroundings({ ...services, config })()]));
    const free = [...now].filter(([series]) => series.startsWith('snapswipe_disk_free_bytes{path="/'));
    expect(free.length).toBeGreaterThan(0);
    for (const [series, bytes] of free) {
      expect(bytes).toBeGreaterThan(0);
      expect(now.get(series.replace('free', 'size'))).toBeGreaterThanOrEqual(bytes);
    }
    const gas = [...now].filter(([series]) => series.startsWith('snapswipe_wallet_sui'));
    expect(gas).toEqual([[`snapswipe_wallet_sui{wallet="anchors",address="${wallet.toSuiAddress()}"}`, 200]]);
    expect([now.get('snapswipe_replica_up'), now.has('snapswipe_replica_behind_bytes')]).toEqual([0, false]);
    expect(now.has('snapswipe_certificate_expires_timestamp_seconds')).toBe(false);
  });

  // Skipped where openssl or nginx is not installed.
  test.skipIf(!hasProxy('nginx'))(
    'the metrics show when the certificate of the site ends, a self-signed one too',
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-certificate-'));
      const cert = await writeCertificate(folder);
      const site = createServer({ cert, key: await readFile(path.join(folder, 'site.key')) });
      onTestFinished(async () => {
        site.close();
        await rm(folder, { recursive: true });
      });
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
      const { port } = site.address() as AddressInfo;
      const end = await readCertificateEnd(`https://127.0.0.1:${port}`);
      expect(end).toEqual(new Date(new X509Certificate(cert).validTo));
    },
  );

  test('shared metrics are read every 15 seconds at most, and left out while the database fails', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const read = createSharedFamilies(services);
    const isUp = async () => parseMetrics(await toText([await read()])).get('snapswipe_database_up');
    const rename = async (from: string, to: string) =>
      void (await sql`ALTER TABLE ${sql.table(from)} RENAME TO ${sql.table(to)}`.execute(db));
    expect(await isUp()).toBe(1);
    await rename('job_runs', 'gone');
    onTestFinished(() => rename('gone', 'job_runs'));
    vi.advanceTimersByTime(15_000);
    expect(await isUp()).toBe(1);
    vi.advanceTimersByTime(1);
    const warn = vi.spyOn(services.log, 'warn').mockReturnValue(undefined);
    onTestFinished(() => warn.mockRestore());
    expect(await isUp()).toBe(0);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(parseMetrics(await toText([await read()])).has('snapswipe_payments_open{state="paid"}')).toBe(false);
  });
});
