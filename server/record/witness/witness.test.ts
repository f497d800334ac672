import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '#ops/process/free-port.ts';
import type { RecordSummary } from '#shared/contract/record.ts';
import { formatAddCheckpoint } from '#record/log/add-checkpoint.ts';
import { signCheckpoint } from '#record/log/checkpoint.ts';
import { cosign, openCosignatures } from '#record/log/cosignature.ts';
import { emptyRoot, hashLeaf, hashNode } from '#record/log/hashes.ts';
import { createSigner, formatVerifier, parseVerifier } from '#record/log/note.ts';
import { openDatabase } from '#db/client.ts';
import { bringWitnessForward, noteRestore, releaseWitness } from '../after-restore.ts';
import { cosignCheckpoints } from '../cosign.ts';
import { createTestDatabase, startServer, type TestApp } from '#lab/testing/app.ts';
import { insertProject, insertUser } from '#lab/testing/builders.ts';
import { Client } from '#lab/testing/client.ts';
import { insertVoteAt, logKey, publishAll } from '#lab/testing/record.ts';

/** Three sites with their records, each a witness of the two others. */
interface Site {
  name: string;
  logSecret: string;
  logKey: string;
  witnessKey: string;
  port: number;
  databaseUrl: string;
}

async function makeSite(name: string): Promise<Site & { witnessVerifier: string; drop: () => Promise<void> }> {
  const [logSecret, witnessKey] = [logKey(), logKey()];
  const database = await createTestDatabase();
  return {
    name,
    logSecret,
    logKey: formatVerifier(createSigner(`${name}.test/log`, Buffer.from(logSecret, 'base64'))),
    witnessKey,
    witnessVerifier: formatVerifier(
      createSigner(`${name}.test/witness`, Buffer.from(witnessKey, 'base64'), 'cosignature'),
    ),
    port: await freePort(),
    databaseUrl: database.url,
    drop: database.drop,
  };
}
const made = [await makeSite('one'), await makeSite('two'), await makeSite('three')] as const;
afterAll(async () => void (await Promise.all(made.map(({ drop }) => drop()))));

const startSite = (site: (typeof made)[number], databaseUrl = site.databaseUrl): Promise<TestApp> => {
  const others = made.filter((one) => one !== site);
  return startServer(databaseUrl, {
    port: site.port,
    env: {
      PUBLIC_ORIGIN: `https://${site.name}.test`,
      LOG_PRIVATE_KEY: site.logSecret,
      WITNESS_KEY: site.witnessKey,
      WITNESS_LOGS: others.map((other) => other.logKey).join(', '),
      LOG_WITNESSES: others
        .map(({ witnessVerifier, port }) => `${witnessVerifier} http://127.0.0.1:${port}/witness/`)
        .join(', '),
    },
  });
};

async function publishOne({ services }: TestApp): Promise<number> {
  const { db } = services;
  await insertVoteAt(db, { userId: await insertUser(db), projectId: await insertProject(db), at: '2026-08-01 12:00' });
  return publishAll(services);
}

/** Witnesses that have cosigned the newest checkpoint, by the public note. */
async function cosigners({ url }: TestApp): Promise<string[]> {
  const note = await (await fetch(`${url}/log/checkpoint`)).text();
  const { body } = await new Client(url).get<RecordSummary>('/api/record');
  expect(body.checkpoints[0]?.note).toBe(note);
  const known = body.witnesses.map((key) => parseVerifier(key, 'cosignature'));
  return openCosignatures(note, known)
    .map(({ witness }) => witness.name)
    .toSorted();
}

describe('three sites that witness each other', () => {
  let sites: TestApp[] = [];
  beforeAll(async () => {
    sites = await Promise.all(made.map((site) => startSite(site)));
  });
  afterAll(async () => void (await Promise.all(sites.map((site) => site.close()))));

  test('witnesses cosign each checkpoint, also missed ones [R65]', async () => {
    const [one, two, three] = sites as [TestApp, TestApp, TestApp];
    for (const site of sites) await publishOne(site);
    for (const site of sites) await cosignCheckpoints(site.services);
    expect(await Promise.all(sites.map(cosigners))).toEqual([
      ['three.test/witness', 'two.test/witness'],
      ['one.test/witness', 'three.test/witness'],
      ['one.test/witness', 'two.test/witness'],
    ]);
    // Two checkpoints while a witness is down.
    await two.close();
    await publishOne(one);
    await cosignCheckpoints(one.services);
    expect(await cosigners(one)).toEqual(['three.test/witness']);
    await publishOne(one);
    sites[1] = await startSite(made[1]);
    await cosignCheckpoints(one.services);
    expect(await cosigners(one)).toEqual(['three.test/witness', 'two.test/witness']);
    const rows = await one.services.db.selectFrom('logCosignatures').select('witness').execute();
    expect(rows).toHaveLength(6);
    expect(await cosigners(three)).toHaveLength(2);
  });

  test('witnesses publish their keys [R65]', async () => {
    const { body } = await new Client(sites[0]?.url ?? '').get<RecordSummary>('/api/record');
    expect(body.witnessKey).toBe(made[0].witnessVerifier);
    expect(body.witnesses).toEqual([made[1].witnessVerifier, made[2].witnessVerifier]);
  });

  test('witnesses do not cosign a fork, whatever it offers [R65]', async () => {
    const [one] = sites as [TestApp, TestApp, TestApp];
    await publishOne(one);
    await cosignCheckpoints(one.services);
    // The same name and key, and another history with the same number of entries.
    const database = await createTestDatabase();
    await one.close();
    const fork = await startSite(made[0], database.url);
    onTestFinished(async () => {
      await fork.close();
      await database.drop();
      sites[0] = await startSite(made[0]);
    });
    for (let batch = 0; batch < 8; batch += 1) await publishOne(fork);
    await cosignCheckpoints(fork.services);
    expect(await cosigners(fork)).toEqual([]);
    expect(await fork.services.db.selectFrom('logCosignatures').selectAll().execute()).toEqual([]);
  });
});

describe('a witness', () => {
  const log = createSigner('log.test/log', randomBytes(32));
  const stranger = createSigner('log.test/log', randomBytes(32));
  const leaves = [1, 2, 3].map((n) => hashLeaf(Uint8Array.of(n)));
  const [a, b, c] = leaves as [Uint8Array, Uint8Array, Uint8Array];
  const two = hashNode(a, b);
  const roots = [emptyRoot(), a, two, hashNode(two, c)];
  const noteOf = (size: number, { root = roots[size] ?? a, signer = log } = {}) =>
    signCheckpoint({ origin: signer.name, size, root }, signer);
  let site: TestApp;
  let drop: () => Promise<void>;
  const witness = createSigner('witness.test/witness', randomBytes(32), 'cosignature');
  const env = {
    PUBLIC_ORIGIN: 'https://witness.test',
    WITNESS_KEY: Buffer.from(witness.secretKey).toString('base64'),
    WITNESS_LOGS: formatVerifier(log),
  };
  beforeAll(async () => {
    const database = await createTestDatabase();
    ({ drop } = database);
    site = await startServer(database.url, { env });
  });
  afterAll(async () => {
    await site.close();
    await drop();
  });

  const ask = async (body: string, url = site.url) => {
    const response = await fetch(`${url}/witness/add-checkpoint`, { method: 'POST', body });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };
  const add = (oldSize: number, note: string, proof: Uint8Array[] = []) =>
    ask(formatAddCheckpoint({ oldSize, proof, note }));

  test('a witness cosigns a log from its first checkpoint on, in its order, also after a restart [R65]', async () => {
    const first = await add(0, noteOf(1));
    expect(first).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8' });
    const [cosignature] = openCosignatures(noteOf(1) + first.text, [witness]);
    expect(Math.abs((cosignature?.timeS ?? 0) - Date.now() / 1000)).toBeLessThan(600);
    // The requester does not know the witness's size, so the witness reports it.
    expect(await add(0, noteOf(3))).toEqual({ status: 409, type: 'text/x.tlog.size', text: '1\n' });
    const other = await startServer(site.databaseUrl, { env });
    onTestFinished(() => other.close());
    const body = formatAddCheckpoint({ oldSize: 1, proof: [b, c], note: noteOf(3) });
    expect((await ask(body, other.url)).status).toBe(200);
    expect(await add(1, noteOf(3), [b, c])).toMatchObject({ status: 409, text: '3\n' });
    // Repeating a request is cosigned again.
    expect((await add(3, noteOf(3))).status).toBe(200);
  });

  test.each<[what: string, status: number, ask: () => Promise<{ status: number }>]>([
    ['another root of the same size', 422, () => add(3, noteOf(3, { root: a }))],
    ['a log that becomes smaller', 400, () => add(3, noteOf(2))],
    ['a proof that does not hold', 422, async () => add(3, noteOf(4, { root: a }), [a])],
    [
      'a log that it does not know',
      404,
      () => add(0, noteOf(1, { signer: createSigner('x.test/log', randomBytes(32)) })),
    ],
    [
      'a false signature of its key',
      403,
      () =>
        add(
          3,
          noteOf(3).replace(
            / (\S{8})(\S)(\S*)\n$/,
            (_all, id, one, rest) => ` ${id}${one === 'A' ? 'B' : 'A'}${rest}\n`,
          ),
        ),
    ],
    ['a log by another key', 403, () => add(3, noteOf(3, { signer: stranger }))],
    ['text that is no request', 400, () => ask('hello')],
    ['no text at all', 400, () => ask('')],
    ['a size with a leading zero', 400, () => ask(`old 01\n\n${noteOf(1)}`)],
    ['a line that is no hash', 400, () => ask(`old 1\nAAAA\n\n${noteOf(1)}`)],
    [
      'too many lines',
      400,
      () =>
        add(
          3,
          noteOf(3),
          Array.from({ length: 64 }, () => a),
        ),
    ],
    ['a body that is too long', 413, () => ask('x'.repeat(200_000))],
  ])('a witness rejects %s with %i, and keeps its state [R65]', async (_what, status, request) => {
    expect((await request()).status).toBe(status);
    const rows = await site.services.db.selectFrom('witnessedLogs').select(['origin', 'size']).execute();
    expect(rows).toEqual([{ origin: 'log.test/log', size: 3 }]);
  });

  test('a witness cosigns one history for two simultaneous requests [R65]', async () => {
    await sql`DELETE FROM witnessed_logs`.execute(site.services.db);
    const fresh = await startServer(site.databaseUrl, { env });
    onTestFinished(() => fresh.close());
    const roots3 = [1, 2, 3, 4, 5, 6].map((n) => hashLeaf(Uint8Array.of(100 + n)));
    const responses = await Promise.all(
      roots3.map((root) => ask(formatAddCheckpoint({ oldSize: 0, proof: [], note: noteOf(1, { root }) }), fresh.url)),
    );
    expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409, 409, 409, 409,
    ]);
  });

  test('a loud address keeps no log from its cosignature [R65]', async () => {
    const database = await createTestDatabase();
    const quiet = await startServer(database.url, { env });
    onTestFinished(async () => {
      await quiet.close();
      await database.drop();
    });
    const [false1, long] = [noteOf(1, { signer: stranger }), 'x'.repeat(60_000)];
    const bodies = [
      formatAddCheckpoint({ oldSize: 0, proof: [], note: false1 }),
      formatAddCheckpoint({ oldSize: 9, proof: [], note: noteOf(3) }),
      long,
    ];
    const responses = await Promise.all(Array.from({ length: 240 }, (_, at) => ask(bodies[at % 3] ?? '', quiet.url)));
    expect([...new Set(responses.map(({ status }) => status))].toSorted((one, other) => one - other)).toEqual([
      400, 403, 429,
    ]);
    const true1 = formatAddCheckpoint({ oldSize: 0, proof: [], note: noteOf(1) });
    expect((await ask(true1, quiet.url)).status).toBe(200);
    // A repeated true request costs no new signature.
    const [repeated] = new Set(
      (
        await Promise.all(
          Array.from({ length: 100 }, () =>
            ask(formatAddCheckpoint({ oldSize: 1, proof: [], note: noteOf(1) }), quiet.url),
          ),
        )
      ).map(({ text }) => text),
    );
    expect(openCosignatures(noteOf(1) + repeated, [witness])).toHaveLength(1);
    expect((await ask(formatAddCheckpoint({ oldSize: 1, proof: [b, c], note: noteOf(3) }), quiet.url)).status).toBe(
      200,
    );
  });

  test('a restored witness cosigns nothing before its operator says what it has cosigned [R65]', async () => {
    const database = await createTestDatabase();
    const before = await startServer(database.url, { env });
    const request = (oldSize: number, size: number, proof: Uint8Array[]) =>
      formatAddCheckpoint({ oldSize, proof, note: noteOf(size) });
    expect((await ask(request(0, 1, []), before.url)).status).toBe(200);
    await before.close();
    const { db, close } = openDatabase(database.url, { maxConnections: 1 });
    onTestFinished(async () => {
      await close();
      await database.drop();
    });
    // The database of the backup knows one entry; the witness has cosigned three since.
    const line = cosign(noteOf(3).slice(0, noteOf(3).indexOf('\n\n') + 1), witness, 1_763_800_000);
    await noteRestore(db, new Date(), false);
    const first = await startServer(database.url, { env });
    expect(await ask(request(1, 3, [b, c]), first.url)).toMatchObject({
      status: 503,
      text: expect.stringContaining('restored from a backup') as string,
    });
    await first.close();
    const logs = [log];
    expect(await bringWitnessForward(db, noteOf(3), { witness, logs })).toBe('it has no cosignature of WITNESS_KEY');
    expect(await bringWitnessForward(db, noteOf(3, { signer: stranger }), { witness, logs })).toMatch(/No known key/);
    expect(await bringWitnessForward(db, 'x', { witness, logs })).toBe('it is of no log in WITNESS_LOGS');
    expect(await bringWitnessForward(db, noteOf(3) + line, { witness, logs })).toBeNull();
    const old = noteOf(1) + cosign(noteOf(1).slice(0, noteOf(1).indexOf('\n\n') + 1), witness, 1_763_700_000);
    expect(await bringWitnessForward(db, old, { witness, logs })).toBe('the witness knows a newer checkpoint');
    await releaseWitness(db);
    const second = await startServer(database.url, { env });
    onTestFinished(() => second.close());
    // Neither the checkpoint after the backup's nor a fork from there.
    const fork = hashNode(a, hashLeaf(Uint8Array.of(9)));
    expect(
      await ask(
        formatAddCheckpoint({ oldSize: 1, proof: [hashLeaf(Uint8Array.of(9))], note: noteOf(2, { root: fork }) }),
        second.url,
      ),
    ).toMatchObject({ status: 409, text: '3\n' });
    expect((await ask(request(3, 3, []), second.url)).status).toBe(200);
  });

  test('a site without a key is not a witness [R65]', async () => {
    const plain = await startServer(site.databaseUrl);
    onTestFinished(() => plain.close());
    expect((await ask('hello', plain.url)).status).toBe(404);
  });
});

test('a witness that sends false or endless responses or is down delays no checkpoint, and its response is not stored [R65]', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  let respond: (body: string) => [status: number, text: string] = () => [200, 'nothing\n'];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const [status, text] = respond('');
      response.writeHead(status, { 'content-type': 'text/x.tlog.size' }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => void (await new Promise((resolve) => server.close(resolve))));
  const liar = createSigner('liar.test/witness', randomBytes(32), 'cosignature');
  const site = await startServer(database.url, {
    env: {
      LOG_PRIVATE_KEY: logKey(),
      LOG_WITNESSES: `${formatVerifier(liar)} http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
  });
  onTestFinished(() => site.close());
  await publishOne(site);
  for (const response of [
    () => [200, '\u2014 liar.test/witness AAAA\n'] as [number, string],
    () => [200, 'x'.repeat(300_000)] as [number, string],
    () => [409, '999999\n'] as [number, string],
    () => [500, 'no'] as [number, string],
  ]) {
    respond = response;
    await cosignCheckpoints(site.services);
  }
  expect(await site.services.db.selectFrom('logCosignatures').selectAll().execute()).toEqual([]);
  expect(await publishOne(site)).toBeGreaterThan(1);
});
