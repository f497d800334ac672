import { randomBytes } from 'node:crypto';
import { readFile, rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '#ops/process/free-port.ts';
import { run } from '#ops/process/programs.ts';
import { ROOT } from '#ops/process/report.ts';
import { hashPassword } from '#server/panel/admin/password.ts';
import { createTestApp, startServer, type TestApp } from '#lab/testing/app.ts';
import { fund, sharedChain } from '#lab/testing/chain.ts';
import { Client, newUser } from '#lab/testing/client.ts';
import { grantTokens } from '#lab/testing/builders.ts';
import { type Faults, withProxy, type Writes } from '#lab/testing/faulty-proxy.ts';
import { hasPgBouncer, startPgBouncer } from '#lab/testing/pgbouncer.ts';
import { hasProxy, SITE_HOST, writeCertificate } from '#lab/testing/proxies.ts';
import { logKey } from '#lab/testing/record.ts';
import { ADMIN_KEYPAIR, newWallet } from '#lab/testing/wallets.ts';
import type { CheckResult } from './check.ts';
import { examine } from './doctor.ts';
import { createProbe, PROBE_HEADER, PROBE_PATH } from './probe.ts';
import { closeToday } from '#lab/testing/close.ts';

const ORIGIN = `http://${SITE_HOST}`;
const LOG_PRIVATE_KEY = logKey();
const ADMIN_PASSWORD_HASH = await hashPassword('correct horse battery staple');
const CREDENTIALS = { PUBLIC_ORIGIN: ORIGIN, LOG_PRIVATE_KEY, ADMIN_PASSWORD_HASH, ADMIN_PASSWORD: '' };
const server = await createTestApp({ env: { ...CREDENTIALS, TRUST_PROXY: '1' } });
const { db } = server.services;
const chain = sharedChain();
const { port: serverPort } = new URL(server.url);

const WELL = {
  PUBLIC_ORIGIN: ORIGIN,
  TRUST_PROXY: '1',
  DATABASE_URL: server.databaseUrl,
  SUI_NETWORK: 'localnet',
  SUI_RPC_URL: chain.rpcUrl,
  ADMIN_WALLET: ADMIN_KEYPAIR.toSuiAddress(),
  ADMIN_PASSWORD_HASH,
  LOG_PRIVATE_KEY,
  ACCOUNT_KEY: randomBytes(32).toString('base64'),
  OPERATOR: 'Reef; 1 Pier; privacy@reef.example',
};

async function sql(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'snapswipe-planted-'));
  await fund(chain, WELL.ADMIN_WALLET);
  await closeToday(server.services);
});
afterAll(() => rm(root, { recursive: true }));

interface Look {
  env?: Record<string, string>;
  faults?: Faults;
  ca?: string;
  outside?: string[];
}

async function look({ env = {}, faults = {}, ca, outside = [] }: Look = {}): Promise<CheckResult[]> {
  return withProxy(server, faults, (door) =>
    examine({ env: { ...WELL, ...env }, root, outside, door: { ...door, ...(ca === undefined ? {} : { ca }) } }),
  );
}

/** The machine of the tests: its database runs without fsync. */
const isOfMachine = ({ name, what }: CheckResult): boolean =>
  name === 'Clock' || (name === 'Durability' && !what.includes('(by user)'));

async function find(options: Look): Promise<CheckResult[]> {
  return (await look(options)).filter((result) => result.state !== 'ok' && !isOfMachine(result));
}

/** A check, its state, and parts of its message and of its remedy. */
type Finding = [name: string, state: CheckResult['state'], what: string, remedy: string];

/** Only its own check names the planted fault. */
const named = (...wanted: Finding[]) =>
  wanted.map(([name, state, what, remedy]) => ({
    name,
    state,
    what: expect.stringContaining(what),
    remedy: expect.stringContaining(remedy),
  }));

/** The URL of the test's database with a changed part. */
const changedUrl = (parts: Partial<Pick<URL, 'username' | 'password' | 'pathname' | 'port'>>): string =>
  Object.assign(new URL(server.databaseUrl), parts).href;

/** Runs work with a separate role. */
async function withRole(rights: string, work: (url: string, name: string) => Promise<void>): Promise<void> {
  const name = `planted_${randomBytes(6).toString('hex')}`;
  await sql(`CREATE ROLE ${name} LOGIN ${rights} PASSWORD 'secret'`);
  try {
    await work(changedUrl({ username: name, password: 'secret' }), name);
  } finally {
    await sql(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
  }
}

type Plant = [title: string, options: Look, ...wanted: Finding[]];
const SUI = { SNAPS_COIN_TYPE: '0x2::sui::SUI', SNAPS_DECIMALS: '9', SNAPS_BOOK: `0x${'5'.repeat(64)}` };

const PLANTS: Plant[] = [
  [
    'missing keys and a missing OPERATOR',
    { env: { ACCOUNT_KEY: '', LOG_PRIVATE_KEY: '', OPERATOR: '' } },
    [
      'Settings',
      'warn',
      'OPERATOR is empty: /privacy and /terms do not say who runs the site; ACCOUNT_KEY is empty',
      'both PRIVACY_TEXT and TERMS_TEXT; Set ACCOUNT_KEY (`openssl rand -base64 32`) before the first deletion, and keep it as long as the database; Set LOG_PRIVATE_KEY',
    ],
  ],
  [
    'metrics on every address',
    { env: { METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' } },
    ['Exposure', 'warn', '9464', 'METRICS_HOST'],
  ],
  [
    'a wrong password of the database',
    { env: { DATABASE_URL: changedUrl({ password: 'wrong' }) } },
    ['Database', 'fail', 'password', 'Correct DATABASE_URL'],
  ],
  [
    'a database that does not run',
    { env: { DATABASE_URL: changedUrl({ port: '1' }) } },
    ['Database', 'fail', 'ECONNREFUSED', 'start that database'],
  ],
  [
    'an empty database',
    { env: { DATABASE_URL: changedUrl({ pathname: '/template1' }) } },
    ['Database', 'fail', 'empty', 'npm run migrate'],
  ],
  [
    'a node of another network',
    { env: { SUI_NETWORK: 'testnet' } },
    ['Admin wallet', 'fail', 'another chain than testnet', 'SUI_NETWORK'],
  ],
  [
    'an admin wallet that the chain does not know',
    { env: { ADMIN_WALLET: newWallet().toSuiAddress() } },
    ['Admin wallet', 'warn', 'mistyped', 'ADMIN_WALLET'],
  ],
  ['a proxy without a server', { faults: { responds: () => [502, ''] } }, ['Site', 'fail', '502', 'Start the server']],
  [
    'another program at the origin',
    { faults: { responds: () => [200, '<html>'] } },
    ['Site', 'fail', 'something else', 'PUBLIC_ORIGIN'],
  ],
  [
    'a proxy that refuses pictures',
    { faults: { bodyBytes: 1_000_000 } },
    ['Uploads', 'fail', '14 MB', 'client_max_body_size'],
  ],
  [
    'metrics that the proxy passes on',
    { faults: { responds: (asked) => (asked === '/metrics' ? [200, '# HELP snapswipe_'] : undefined) } },
    ['Exposure', 'fail', 'anyone', '404'],
  ],
  [
    'a server on HOST=127.0.0.1 that other machines reach',
    { env: { PORT: serverPort }, outside: ['127.0.0.1'] },
    ['Exposure', 'fail', `127.0.0.1:${serverPort} responds`, 'Restart the server'],
  ],
];

test('the doctor finds no problem with a healthy site', async () => {
  expect(await find({})).toEqual([]);
});

test.each(PLANTS)('the doctor names %s, and nothing else', async (_title, options, ...wanted) => {
  expect(await find(options)).toEqual(named(...wanted));
});

test('the doctor names an unreachable database without its password', async () => {
  const found = await find({ env: { DATABASE_URL: changedUrl({ password: 'hidden', port: '1' }) } });
  expect(JSON.stringify(found)).not.toContain('hidden');
});

test('the doctor names only a site that cannot be reached', async () => {
  const results = await examine({ env: WELL, root, outside: [], door: { host: '127.0.0.1', port: 1 } });
  const found = results.filter((result) => result.state !== 'ok' && !isOfMachine(result));
  expect(found).toMatchObject([{ name: 'Site', state: 'fail', what: expect.stringContaining('cannot be reached') }]);
});

test('the doctor names only a role that gives up durability', async () => {
  await withRole('SUPERUSER', async (DATABASE_URL, name) => {
    await sql(`ALTER ROLE ${name} SET synchronous_commit = off`);
    expect(await find({ env: { DATABASE_URL } })).toEqual(
      named(['Durability', 'fail', 'synchronous_commit (by user)', 'ALTER ROLE']),
    );
  });
});

test('the doctor names only a database in another encoding', async () => {
  const name = `ascii_${randomBytes(6).toString('hex')}`;
  await sql(`CREATE DATABASE ${name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`);
  try {
    const env = { DATABASE_URL: changedUrl({ pathname: `/${name}` }) };
    expect(await find({ env })).toEqual(named(['Database', 'fail', 'SQL_ASCII', "ENCODING 'UTF8'"]));
  } finally {
    await sql(`DROP DATABASE ${name}`);
  }
});

test("the doctor warns about a coin without a Book, and about a Book other than the database's [R97]", async () => {
  const ofCoin = async (more: Record<string, string>) =>
    (await look({ env: { SNAPS_COIN_TYPE: '0x5::none::NONE', ...more } })).find(({ name }) => name === 'Snaps coin');
  expect(await ofCoin({})).toMatchObject({ state: 'warn', what: expect.stringMatching(/no Book/) });
  const [known, other] = [`0x${'5'.repeat(64)}`, `0x${'6'.repeat(64)}`];
  const row = { objectId: known, packageId: known, tableId: known, coinType: 'c', decimals: 6, sharedSince: 1 };
  await db.insertInto('books').values(row).execute();
  try {
    expect(await ofCoin({ SNAPS_BOOK: known })).toMatchObject({ state: 'ok' });
    expect(await ofCoin({ SNAPS_BOOK: other })).toMatchObject({
      state: 'warn',
      what: expect.stringMatching(/continues/),
    });
  } finally {
    await db.deleteFrom('books').execute();
  }
});

test('the doctor warns when the paying wallets hold less than the open withdrawals [R84]', async () => {
  const voter = await newUser(server);
  await grantTokens(db, voter.id, 30_000);
  const waiting = 30_000;
  const body = { userId: voter.id, walletAddress: voter.address, tokenAmount: waiting };
  expect((await voter.post('/api/withdrawals', body)).status).toBe(201);
  try {
    const found = await find({ env: SUI });
    expect(found).toEqual(named(['Snaps coin', 'warn', '30,000 Snaps of open withdrawals', `to ${WELL.ADMIN_WALLET}`]));
  } finally {
    await db.deleteFrom('withdrawals').execute();
  }
});

test('the doctor names only metrics that respond on an address other than the configured one', async () => {
  const METRICS_PORT = String(await freePort());
  const old = await startServer(server.databaseUrl, { env: { METRICS_PORT, METRICS_HOST: '0.0.0.0' } });
  try {
    expect(await find({ env: { METRICS_PORT, METRICS_HOST: '' }, outside: ['127.0.0.1'] })).toEqual(
      named(['Exposure', 'fail', `/metrics at 127.0.0.1:${METRICS_PORT}`, 'METRICS_HOST=127.0.0.1']),
    );
  } finally {
    await old.close();
  }
});

// Skipped where openssl or nginx is not installed.
test.skipIf(!hasProxy('nginx'))('the doctor names only a certificate that browsers refuse', async () => {
  const cert = await writeCertificate(root);
  const faults = { tls: { cert, key: await readFile(path.join(root, 'site.key'), 'utf8') } };
  const env = { PUBLIC_ORIGIN: `https://${SITE_HOST}` };
  expect(await find({ env, faults, ca: cert })).toEqual([]);
  expect(await find({ env, faults })).toEqual(named(['Site', 'fail', 'browsers refuse', 'certbot renew']));
});

// Skipped where Debian's package pgbouncer is not installed; `npm test` installs it where it can.
test.skipIf(!hasPgBouncer)('the doctor names only a pooler without a direct connection', async () => {
  const bouncer = await startPgBouncer(inject('databaseUrl'), 3);
  try {
    const DATABASE_URL = bouncer.through(server.databaseUrl);
    const wanted = named(['Database', 'fail', 'through a pooler', 'Set DATABASE_DIRECT_URL']);
    expect(await find({ env: { DATABASE_URL } })).toEqual(wanted);
    expect(await find({ env: { DATABASE_URL, DATABASE_DIRECT_URL: `${DATABASE_URL}?application_name=x` } })).toEqual(
      wanted,
    );
    expect(await find({ env: { DATABASE_URL, DATABASE_DIRECT_URL: server.databaseUrl } })).toEqual([]);
  } finally {
    await bouncer.end();
  }
});

describe('the proxy', () => {
  const replaces: Writes = (client) => client;
  const appends: Writes = (client, given) => `${given}, ${client}`;
  const appendsTwice: Writes = (client, given) => `${given}, ${client}, 198.51.100.9`;
  const passesOn: Writes = (_client, given) => given;
  const drops: Writes = () => undefined;
  const appendsOwn: Writes = (_client, given) => `${given}, 127.0.0.1`;
  let others: Record<string, TestApp>;
  beforeAll(async () => {
    const start = (TRUST_PROXY: string) =>
      startServer(server.databaseUrl, { cache: false, env: { ...CREDENTIALS, TRUST_PROXY } });
    others = { false: await start('false'), '127.0.0.1': await start('127.0.0.1'), '2': await start('2'), '1': server };
  });
  afterAll(async () => {
    for (const other of Object.values(others)) if (other !== server) await other.close();
  });

  const CASES: [trust: string, what: string, writes: Writes, state: string, told: RegExp][] = [
    ['1', 'replaces it', replaces, 'ok', /sees the client’s address .*198\.51\.100\.7/],
    ['1', 'adds to it', appends, 'ok', /no forged one/],
    ['127.0.0.1', 'adds to it', appends, 'ok', /no forged one/],
    ['2', 'is behind another one', appendsTwice, 'ok', /198\.51\.100\.7/],
    ['false', 'replaces it', replaces, 'fail', /TRUST_PROXY=1/],
    ['1', 'is behind another one', appendsTwice, 'fail', /TRUST_PROXY=2/],
    ['2', 'adds to it', appends, 'fail', /TRUST_PROXY to the number .*\(1 did\)/],
    ['1', 'passes on what the client wrote', passesOn, 'fail', /clients choose the address/],
    ['1', 'drops it', drops, 'fail', /writes no X-Forwarded-For/],
    ['false', 'drops it', drops, 'ok', /directly/],
    ['127.0.0.1', 'is on the machine of the doctor', appendsOwn, 'warn', /seen from this machine.*replace/],
  ];
  test.each(CASES)(
    'the doctor compares TRUST_PROXY=%s with a proxy that %s',
    async (trust, _what, writes, state, told) => {
      const target = others[trust] ?? server;
      const results = await withProxy(target, { writes }, (door) =>
        examine({ env: { ...WELL, TRUST_PROXY: trust }, root, outside: [], door }),
      );
      const found = results.find(({ name }) => name === 'Proxy');
      expect(found).toMatchObject({ state });
      expect(`${found?.what} ${found?.remedy}`).toMatch(told);
    },
  );
});

test('the server answers a probe once, within a minute, and only with the key of its settings', async () => {
  const client = new Client(server.url);
  const ask = async (header?: string) => {
    const headers: Record<string, string> = header === undefined ? {} : { [PROBE_HEADER]: header };
    return (await client.get(PROBE_PATH, headers)).status;
  };
  const { config } = server.services;
  const unknown = (await client.get('/healthz/nothing')).status;
  const { header } = createProbe(config);
  expect(await ask(header)).toBe(200);
  const refused = [
    header,
    undefined,
    'a.b.c',
    createProbe(config).header.replace(/^\d+/, '1'),
    createProbe(config, Date.now() - 120_000).header,
    createProbe(config, Date.now() + 120_000).header,
    createProbe({ ...config, adminPasswordHash: 'x' }).header,
  ];
  for (const each of refused) expect([each, await ask(each)]).toEqual([each, unknown]);
});

test.each<[status: number, body: string]>([
  [503, '{"error":"restarting","message":"Try again."}'],
  [403, '<h1>403</h1>'],
])('the doctor warns of status %i for a large upload, with the body %s', async (...response) => {
  const responds = (asked: string) => (asked === '/api/payments' ? response : undefined);
  expect(await find({ faults: { responds } })).toEqual(named(['Uploads', 'warn', '14 MB', 'client_max_body_size 16m']));
});

test('the doctor tells a busy server from an upload limit', async () => {
  const responds = (asked: string): [number, string] | undefined =>
    asked === '/api/payments' ? [503, '{"error":"uploads_busy","message":"Try again soon."}'] : undefined;
  expect(await find({ faults: { responds } })).toEqual([]);
});

describe('npm run doctor', () => {
  const start = async (env: Record<string, string>, ...args: string[]) =>
    run(process.execPath, [`${ROOT}/scripts/doctor.ts`, ...args], { env, timeoutMs: 120_000 });

  test('npm run doctor reports settings with which no server starts, and exits with code 1', async () => {
    const { code, output } = await start({ ...WELL, ADMIN_WALLET: '0xabc' });
    expect(output).toContain('ADMIN_WALLET: is a placeholder');
    expect(code).toBe(1);
  });

  test('npm run doctor names a remedy for each problem, counts them, and exits with code 1', async () => {
    const { port } = new URL(server.url);
    // A server that is reached without a proxy, although TRUST_PROXY names one.
    const { code, output } = await start({ ...WELL, ACCOUNT_KEY: '' }, '--connect', `127.0.0.1:${port}`);
    expect(output).toMatch(/^✓ Database +PostgreSQL .*\n/m);
    expect(output).toMatch(/^! Settings +ACCOUNT_KEY is empty.*\n +→ Set ACCOUNT_KEY/m);
    expect(output).toMatch(/^✗ Proxy +.*\n +→ /m);
    expect(output).toMatch(/\n\n\d+ checks: \d+ failures, \d+ warnings?\n$/);
    expect(code).toBe(1);
  });
});
