import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { RecordSummary } from '#shared/contract/record.ts';
import { type Checkpoint, openCheckpoint } from '#record/log/checkpoint.ts';
import { cosign, openCosignatures } from '#record/log/cosignature.ts';
import { emptyRoot } from '#record/log/hashes.ts';
import { createSigner, decodeHash, formatVerifier, parseVerifier, type Verifier } from '#record/log/note.ts';
import { verifyConsistency } from '#record/log/proofs.ts';
import { createTestDatabase, startServer, type TestApp } from '#lab/testing/app.ts';
import { insertProject, insertUser } from '#lab/testing/builders.ts';
import { Client } from '#lab/testing/client.ts';
import { insertVoteAt, logKey, publishAll } from '#lab/testing/record.ts';
import { cosignCheckpoints } from './cosign.ts';

interface Response {
  status: number;
  text: string;
}

/** A witness (C2SP tlog-witness) that says what `respond` says; while `isDown`, it refuses each request. */
async function startWitness(respond: (body: string) => Response) {
  const state = { isDown: false };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { status, text } = state.isDown
        ? { status: 503, text: 'down\n' }
        : respond(Buffer.concat(chunks).toString());
      response.writeHead(status, { 'content-type': status === 409 ? 'text/x.tlog.size' : 'text/plain' }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise((resolve) => server.close(resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/witness/`, state, close };
}

const witnessKey = () => createSigner('witness.test/witness', randomBytes(32), 'cosignature');

/** Cosigns what begins with the checkpoint before. */
function honestWitness(log: () => Verifier, signer = witnessKey()) {
  let newest: Pick<Checkpoint, 'size' | 'root'> = { size: 0, root: emptyRoot() };
  const respond = (body: string): Response => {
    const end = body.indexOf('\n\n');
    const [first = '', ...lines] = body.slice(0, end).split('\n');
    if (first !== `old ${newest.size}`) return { status: 409, text: `${newest.size}\n` };
    const note = body.slice(end + 2);
    const offered = openCheckpoint(note, log());
    const proof = lines.map((line) => decodeHash(line, 'proof'));
    if (newest.size > 0 && !verifyConsistency(newest, offered, proof).holds) return { status: 422, text: 'a fork\n' };
    newest = offered;
    const text = note.slice(0, note.indexOf('\n\n') + 1);
    return { status: 200, text: cosign(text, signer, Math.floor(Date.now() / 1000)) };
  };
  return { respond, key: formatVerifier(signer) };
}

async function publishOne({ services }: TestApp): Promise<number> {
  const { db } = services;
  await insertVoteAt(db, { userId: await insertUser(db), projectId: await insertProject(db), at: '2026-08-01 12:00' });
  return publishAll(services);
}

/** Whether the newest public checkpoint carries a cosignature of a witness that the site names. */
async function isCosigned({ url }: TestApp): Promise<boolean> {
  const note = await (await fetch(`${url}/log/checkpoint`)).text();
  const { body } = await new Client(url).get<RecordSummary>('/api/record');
  const named = body.witnesses.map((key) => parseVerifier(key, 'cosignature'));
  return openCosignatures(note, named).length === named.length;
}

const secret = logKey();
const log = createSigner('site.test/log', Buffer.from(secret, 'base64'));
const honest = honestWitness(() => log);
let witness: Awaited<ReturnType<typeof startWitness>>;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let site: TestApp;

const startSite = (databaseUrl: string, key = honest.key, url = witness.url): Promise<TestApp> =>
  startServer(databaseUrl, {
    env: { PUBLIC_ORIGIN: 'https://site.test', LOG_PRIVATE_KEY: secret, LOG_WITNESSES: `${key} ${url}` },
  });

beforeAll(async () => {
  witness = await startWitness(honest.respond);
  database = await createTestDatabase();
  site = await startSite(database.url);
});
afterAll(async () => {
  await site.close();
  await database.drop();
  await witness.close();
});

test('a witness cosigns each checkpoint, including those published while it was down [R65]', async () => {
  await publishOne(site);
  await cosignCheckpoints(site.services);
  expect(await isCosigned(site)).toBe(true);
  witness.state.isDown = true;
  await publishOne(site);
  await cosignCheckpoints(site.services);
  expect(await isCosigned(site)).toBe(false);
  await publishOne(site);
  witness.state.isDown = false;
  await cosignCheckpoints(site.services);
  expect(await isCosigned(site)).toBe(true);
  expect(await site.services.db.selectFrom('logCosignatures').select('size').execute()).toHaveLength(3);
});

test('a fork of a log gets no cosignature of a witness that knows the log [R65]', async () => {
  await publishOne(site);
  await cosignCheckpoints(site.services);
  const other = await createTestDatabase();
  const fork = await startSite(other.url);
  onTestFinished(async () => {
    await fork.close();
    await other.drop();
  });
  for (let batch = 0; batch < 8; batch += 1) await publishOne(fork);
  await cosignCheckpoints(fork.services);
  expect(await fork.services.db.selectFrom('logCosignatures').selectAll().execute()).toEqual([]);
});

test('a witness that sends false or endless responses delays no checkpoint, and its response is not stored [R65]', async () => {
  const responses: Response[] = [
    { status: 200, text: '\u2014 liar.test/witness AAAA\n' },
    { status: 200, text: 'x'.repeat(300_000) },
    { status: 409, text: '999999\n' },
    { status: 500, text: 'no' },
  ];
  const left = [...responses];
  const liar = await startWitness(() => left.shift() ?? { status: 200, text: 'nothing\n' });
  const empty = await createTestDatabase();
  const key = formatVerifier(createSigner('liar.test/witness', randomBytes(32), 'cosignature'));
  const asking = await startSite(empty.url, key, liar.url);
  onTestFinished(async () => {
    await asking.close();
    await empty.drop();
    await liar.close();
  });
  await publishOne(asking);
  while (left.length > 0) await cosignCheckpoints(asking.services);
  expect(left).toEqual([]);
  expect(await asking.services.db.selectFrom('logCosignatures').selectAll().execute()).toEqual([]);
  expect(await publishOne(asking)).toBeGreaterThan(1);
});
