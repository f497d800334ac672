import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { sql } from 'kysely';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { decodeBundle } from '#record/log/bundles.ts';
import { openCheckpoint } from '#record/log/checkpoint.ts';
import { parseVerifier } from '#record/log/note.ts';
import type { RecordCheckpoint, RecordSummary, Recount } from '#shared/contract/record.ts';
import { parseSecret, pseudonymOf } from '#record/entries/secrets.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { behindTheTriggers, empty, insertProject, insertProjects, insertUser } from '#lab/testing/builders.ts';
import { startChainProxy } from '#lab/testing/chain-proxy.ts';
import { balanceMist, fund, sharedChain } from '#lab/testing/chain.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { insertVoteAt, logKey, publishAll, readLog } from '#lab/testing/record.ts';
import { anchorCheckpoints } from './anchor.ts';
import { digestVotes } from './digests.ts';

const chain = sharedChain();
const anchorKey = new Ed25519Keypair();
await fund(chain, anchorKey.toSuiAddress());
const env = { LOG_PRIVATE_KEY: logKey(), ANCHOR_PRIVATE_KEY: anchorKey.getSecretKey() };
const server = await createTestApp({ env });
const { services } = server;
const { db } = services;
const visitor = new Client(server.url);
beforeEach(() => empty(db));

const vote = (user: TestUser, projectId: number, voteType = 'bullish') =>
  user.post('/api/votes', { userId: user.id, projectId, voteType });
/** A batch with at least one new vote, so that no two tests have the same root. */
const publishNow = async (): Promise<number> => {
  await insertVoteAt(db, { userId: await insertUser(db), projectId: await insertProject(db), at: 'now' });
  const size = await publishAll(services);
  if (size === null) throw new Error('there is something to publish');
  return size;
};
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(server.url + path, { method, headers: { 'accept-encoding': 'identity', ...headers } });

test('the log is empty and reported as empty before the first batch [R40]', async () => {
  const summary = await visitor.get<RecordSummary>('/api/record');
  expect(summary.body).toMatchObject({ isPublished: true, origin: 'snapswipe.test/log', checkpoints: [] });
  expect((await visitor.get('/log/checkpoint')).body).toMatchObject({ error: 'not_in_log' });
  expect((await visitor.get<Recount>('/api/record/recount')).body).toMatchObject({ size: null, until: null });
});

test('without a key there is no record, and the summary reports it [R40]', async () => {
  const plain = await startServer(server.databaseUrl);
  onTestFinished(() => plain.close());
  const { body } = await new Client(plain.url).get<RecordSummary>('/api/record');
  expect(body).toMatchObject({ isPublished: false, origin: null, verifierKey: null, anchorSender: null });
  const admin = await signInAsAdmin(plain);
  expect(await admin.post('/api/admin/record/publish')).toMatchObject({ status: 409, body: { error: 'no_log_key' } });
});

test('the files of the log are public, immutable, and open to pages of other origins [R40]', async () => {
  const user = await newUser(server);
  await vote(user, await insertProject(db));
  const size = await publishNow();
  const { entries } = await readLog(server.url);
  expect(entries).toHaveLength(size);

  const checkpoint = await get('/log/checkpoint');
  expect(checkpoint.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(checkpoint.headers.get('cache-control')).toBe('public, max-age=5');
  const tile = await get(`/log/tile/0/000.p/${size}`);
  const bundle = await get(`/log/tile/entries/000.p/${size}`);
  for (const { headers } of [tile, bundle]) {
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
  for (const { headers } of [checkpoint, tile, bundle]) {
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  }
  const bytes = await bundle.bytes();
  expect(decodeBundle(bytes, size)).toHaveLength(size);
  const head = await get(`/log/tile/0/000.p/${size}`, {}, 'HEAD');
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(size * 32)]);
  const known = await get(`/log/tile/0/000.p/${size}`, { 'if-none-match': tile.headers.get('etag') ?? '' });
  expect([known.status, await known.text()]).toEqual([304, '']);
});

test('bundles are compressed for clients that take gzip, tiles are not [R40]', async () => {
  const size = await publishNow();
  const path = `/log/tile/entries/000.p/${size}`;
  const plain = Buffer.from(await (await get(path)).bytes());
  for (const accepted of ['gzip', 'br, gzip;q=0.5', 'deflate,gzip']) {
    const response = await get(path, { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    // fetch unpacks it.
    expect(Buffer.from(await response.bytes()).equals(plain)).toBe(true);
  }
  for (const accepted of ['identity', 'br', 'gzip;q=0', 'gzip; q=0.0, br']) {
    expect((await get(path, { 'accept-encoding': accepted })).headers.get('content-encoding')).toBeNull();
  }
  const tile = await get(`/log/tile/0/000.p/${size}`, { 'accept-encoding': 'gzip' });
  expect(tile.headers.get('content-encoding')).toBeNull();
});

test('each encoding of a bundle has a separate ETag [R63]', async () => {
  const path = `/log/tile/entries/000.p/${await publishNow()}`;
  const etagOf = async (accepted: string) => (await get(path, { 'accept-encoding': accepted })).headers.get('etag');
  const [plain, packed] = [await etagOf('identity'), await etagOf('gzip')];
  expect(plain).not.toBe(packed);
  const status = async (accepted: string, etag: string | null) =>
    (await get(path, { 'accept-encoding': accepted, 'if-none-match': etag ?? '' })).status;
  expect(await status('identity', plain)).toBe(304);
  expect(await status('gzip', packed)).toBe(304);
  expect(await status('gzip', plain)).toBe(200);
  expect(await status('identity', packed)).toBe(200);
});

test.each([
  '/log/tile/0/000.p/256',
  '/log/tile/0/000?x=1',
  '/log/tile/0/%30%30%30',
  '/log/checkpoint?x=1',
  '/log/checkpoint2',
  '/log/other',
])('%s is not in the log [R40]', async (path) => {
  const response = await get(path);
  expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
});

test('a voter always gets the same secret, and finds their entries by it [R40 R42]', async () => {
  const [user, other] = [await newUser(server), await newUser(server)];
  const projects = await insertProjects(db, 3);
  for (const projectId of projects) await vote(user, projectId, 'bearish');
  const secretOf = async (of: TestUser) => (await of.get<{ secret: string }>('/api/record/secret')).body.secret;
  const [one, again, theirs] = await Promise.all([secretOf(user), secretOf(user), secretOf(other)]);
  expect(again).toBe(one);
  expect(theirs).not.toBe(one);
  await publishNow();
  expect(await secretOf(user)).toBe(one);
  const secret = parseSecret(one) ?? new Uint8Array();
  const { entries } = await readLog(server.url);
  const own = entries.filter(
    (entry) => entry.kind === 'vote' && entry.pseudonym === pseudonymOf(secret, entry.projectId),
  );
  expect(own).toMatchObject(projects.map((projectId) => ({ projectId, bullish: false, state: 'waiting' })));
});

test('checkpoints come newest first, in pages, each with its signed note [R40 R43]', async () => {
  const sizes = [await publishNow(), await publishNow(), await publishNow()];
  const { body, headers } = await visitor.get<RecordCheckpoint[]>('/api/record/checkpoints?limit=2');
  expect(body.map(({ size }) => size)).toEqual(sizes.toReversed().slice(0, 2));
  const next = await visitor.get<RecordCheckpoint[]>(
    `/api/record/checkpoints?limit=1&cursor=${headers.get('x-next-cursor')}`,
  );
  expect(next.body.map(({ size }) => size)).toEqual(sizes.slice(0, 1));
  const summary = (await visitor.get<RecordSummary>('/api/record')).body;
  expect(summary.checkpoints[0]).toEqual(body[0]);
  for (const { note, size, root, anchorAddress } of body) {
    const opened = openCheckpoint(note, parseVerifier(summary.verifierKey ?? ''));
    expect(opened).toMatchObject({ size, origin: summary.origin });
    expect(Buffer.from(opened.root).toString('base64')).toBe(root);
    expect(anchorAddress).toBe(`0x${Buffer.from(opened.root).toString('hex')}`);
  }
});

test('votes are recounted before and since the newest checkpoint [R43]', async () => {
  const projectId = await insertProject(db);
  const [user, later] = [await newUser(server), await newUser(server)];
  await vote(user, projectId);
  const size = await publishNow();
  await digestVotes(server.services);
  await vote(later, projectId, 'bearish');
  await expect
    .poll(async () => (await visitor.get<Recount>('/api/record/recount')).body)
    .toMatchObject({
      size,
      projects: expect.arrayContaining([
        {
          projectId,
          period: 1,
          recorded: { bullish: 1, bearish: 0 },
          since: { bullish: 0, bearish: 1 },
          votes: 1,
          digest: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
        },
      ]),
    });
});

test('the admin publishes at any time outside production, and never in it [R40]', async () => {
  const panel = await signInAsAdmin(server);
  const published = await panel.post<RecordCheckpoint>('/api/admin/record/publish');
  expect(published).toMatchObject({ status: 200, body: { anchorState: 'anchored' } });
  expect((await readLog(server.url)).checkpoint.size).toBe(published.body.size);
  const audit = await panel.get<Array<{ action: string }>>('/api/admin/audit?limit=1');
  expect(audit.body).toMatchObject([{ action: 'record.publish' }]);
  const production = await startServer(server.databaseUrl, { env: { ...env, NODE_ENV: 'production' } });
  onTestFinished(() => production.close());
  const refused = await (await signInAsAdmin(production)).post('/api/admin/record/publish');
  expect(refused).toMatchObject({ status: 409, body: { error: 'once_a_day' } });
});

/** The chain's balance at the address of the newest checkpoint's root. */
async function anchored(): Promise<{ mist: bigint; checkpoint: RecordCheckpoint }> {
  const [checkpoint] = (await visitor.get<RecordSummary>('/api/record')).body.checkpoints;
  if (!checkpoint) throw new Error('there is a checkpoint');
  return { mist: await balanceMist(chain, checkpoint.anchorAddress), checkpoint };
}

test('each checkpoint is anchored once: 1 MIST to the address that is its root [R41]', async () => {
  await publishNow();
  await publishNow();
  const { mist, checkpoint } = await anchored();
  expect([mist, checkpoint.anchorState, checkpoint.anchorDigest]).toEqual([0n, 'none', null]);
  await Promise.all([anchorCheckpoints(services), anchorCheckpoints(services)]);
  await expect.poll(() => anchorCheckpoints(services)).toBe(0);
  const { body } = await visitor.get<RecordCheckpoint[]>('/api/record/checkpoints');
  for (const { anchorAddress, anchorState, anchorDigest } of body) {
    expect([anchorState, await balanceMist(chain, anchorAddress)]).toEqual(['anchored', 1n]);
    expect(anchorDigest).toMatch(/^\w{40,44}$/);
  }
});

test.each([
  ['the response to the first is lost', true],
  ['the first never arrives', false],
])('the same transaction is sent again when %s [R41]', async (_what, isDone) => {
  const proxy = await startChainProxy(services.config.rpcUrl);
  onTestFinished(() => proxy.close());
  const distant = await startServer(server.databaseUrl, { env: { ...env, SUI_RPC_URL: proxy.url } });
  onTestFinished(() => distant.close());
  await publishNow();
  proxy.fail('execute', 'unavailable', { isDone });
  expect(await anchorCheckpoints(distant.services)).toBe(1);
  const { checkpoint } = await anchored();
  expect(checkpoint.anchorState).toBe('sent');
  proxy.heal();
  await expect.poll(() => anchorCheckpoints(distant.services)).toBe(0);
  const after = await anchored();
  expect([after.mist, after.checkpoint.anchorDigest]).toEqual([1n, checkpoint.anchorDigest]);
});

test('a root that the log has not signed is never anchored [R63]', async () => {
  const size = await publishNow();
  await behindTheTriggers(db, (trx) =>
    sql`UPDATE log_checkpoints SET root = sha256('other'::bytea) WHERE size = ${size}`.execute(trx),
  );
  expect(await anchorCheckpoints(services)).toBe(1);
  expect(await db.selectFrom('logAnchors').select('size').where('size', '=', size).execute()).toEqual([]);
  await behindTheTriggers(db, (trx) =>
    sql`UPDATE log_checkpoints SET root = decode(split_part(signed_note, E'\n', 3), 'base64') WHERE size = ${size}`.execute(
      trx,
    ),
  );
  expect(await anchorCheckpoints(services)).toBe(0);
});

test.each<[what: string, chainId: string | null]>([
  ['that the chain rejects is replaced', services.chainId],
  ['of a chain that has started over is sent again', 'another'],
])('an anchor %s [R41]', async (_what, chainId) => {
  const size = await publishNow();
  const digest = '11111111111111111111111111111111';
  const lost = { size, chainId: chainId ?? '', digest, transaction: Buffer.of(1), signature: 'AA==' };
  await db.insertInto('logAnchors').values(lost).execute();
  await expect.poll(() => anchorCheckpoints(services)).toBe(0);
  expect((await anchored()).mist).toBe(1n);
});

test('a second server leaves the anchor of the first one unchanged [R41]', async () => {
  const proxy = await startChainProxy(services.config.rpcUrl);
  onTestFinished(() => proxy.close());
  const first = await startServer(server.databaseUrl, { env: { ...env, SUI_RPC_URL: proxy.url } });
  onTestFinished(() => first.close());
  await publishNow();
  proxy.fail('execute', 'unavailable', { isDone: true });
  // This server has seen a checkpoint without an anchor. Before it signs one, the first server sends one.
  const key = services.config.anchorKey ?? anchorKey;
  const sign = key.signTransaction.bind(key);
  const signing = vi.spyOn(key, 'signTransaction').mockImplementationOnce(async (bytes) => {
    expect(await anchorCheckpoints(first.services)).toBe(1);
    return sign(bytes);
  });
  onTestFinished(() => signing.mockRestore());
  expect(await anchorCheckpoints(services)).toBe(1);
  const { checkpoint } = await anchored();
  expect([signing.mock.calls.length, checkpoint.anchorState]).toEqual([1, 'sent']);
  await expect.poll(() => anchorCheckpoints(services)).toBe(0);
  const after = await anchored();
  expect([after.mist, after.checkpoint.anchorDigest]).toEqual([1n, checkpoint.anchorDigest]);
});
