import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '#ops/process/programs.ts';
import { ROOT } from '#ops/process/report.ts';
import type { TestApp } from '#lab/testing/app.ts';
import { createTestApp, startServer, testConfig } from '#lab/testing/app.ts';
import { fund, send, sharedChain } from '#lab/testing/chain.ts';
import { Client } from '#lab/testing/client.ts';
import { sendFunds } from '#lab/testing/own-coins.ts';
import { type Faults, withProxy, type Writes } from '#lab/testing/faulty-proxy.ts';
import { logKey } from '#lab/testing/record.ts';
import { newWallet } from '#lab/testing/wallets.ts';
import { type Door } from './ask-site.ts';
import { checkCoin, checkPayoutKey } from './chain.ts';
import { type CheckResult, runCheck } from './check.ts';
import { checkDatabase, checkDurability } from './database.ts';
import { PROBE_HEADER, PROBE_PATH, createProbe } from './probe.ts';
import { checkProxy, checkUploads } from './site.ts';
import { checkBackups, checkJobs, checkRecord } from './upkeep.ts';

const ORIGIN = 'http://snapswipe.test';
const HOUR_MS = 3_600_000;
const server = await createTestApp({ env: { PUBLIC_ORIGIN: ORIGIN, TRUST_PROXY: '1' } });
const chain = sharedChain();

const settings = (overrides: Record<string, string> = {}) =>
  testConfig(server.databaseUrl, { PUBLIC_ORIGIN: ORIGIN, ...overrides });
const diagnose = (check: () => Promise<string | null>): Promise<CheckResult | null> =>
  runCheck({ name: 'It', run: check, remedy: 'See to it' });

async function onDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

describe('the database', () => {
  test('the doctor names an unreachable database without its password', async () => {
    const url = 'postgres://snapswipe:hidden@127.0.0.1:1/nothing';
    const found = await diagnose(() => checkDatabase(settings({ DATABASE_URL: url }), 1));
    expect(found).toMatchObject({ state: 'fail', what: expect.stringContaining('ECONNREFUSED') });
    expect(JSON.stringify(found)).not.toContain('hidden');
  });

  test('the doctor reports database settings that would lose votes in a power cut', async () => {
    const find = () => diagnose(() => checkDurability(settings()));
    const name = new URL(server.databaseUrl).pathname.slice(1);
    const alter = (change: string) => onDatabase((client) => client.query(`ALTER DATABASE ${name} ${change}`));
    await alter('SET synchronous_commit = on');
    expect(await find()).toMatchObject({
      state: 'fail',
      what: expect.stringMatching(/^fsync(?:, full_page_writes)? (?:is|are) off/),
      // They are on its command line.
      remedy: expect.stringContaining('Start PostgreSQL without `-c fsync=off`.'),
    });
    await alter('SET synchronous_commit = off');
    expect(await find()).toMatchObject({
      state: 'fail',
      what: expect.stringMatching(/^fsync,.* synchronous_commit are off/),
      remedy: expect.stringContaining(`ALTER DATABASE ${name} RESET synchronous_commit;`),
    });
    await alter('RESET synchronous_commit');
  });
});

describe('the upkeep', () => {
  const backup = (ageHours: number) =>
    server.services.db
      .insertInto('backups')
      .values({ kind: 'dump', startedAt: new Date(), finishedAt: new Date(Date.now() - ageHours * HOUR_MS) })
      .execute();

  test('the doctor reports missing and old backups, and accepts one of the last night', async () => {
    const { db } = server.services;
    await db.deleteFrom('backups').execute();
    const remedy = expect.stringContaining('npm run backup');
    // Neither a failed nor a running one is a backup.
    await db
      .insertInto('backups')
      .values([
        { kind: 'dump', finishedAt: new Date(), error: 'ENOSPC' },
        { kind: 'physical', finishedAt: null },
      ])
      .execute();
    expect(await diagnose(() => checkBackups(db))).toMatchObject({ state: 'fail', what: 'there is none', remedy });
    await backup(100);
    expect(await diagnose(() => checkBackups(db))).toMatchObject({
      state: 'fail',
      what: 'the last one is 4 days old',
      remedy,
    });
    await backup(30);
    expect(await diagnose(() => checkBackups(db))).toMatchObject({ state: 'warn', remedy });
    await backup(20);
    expect(await diagnose(() => checkBackups(db))).toMatchObject({ state: 'ok', what: 'the last one is 20 hours old' });
  });

  test('the doctor reports jobs that never ran', async () => {
    const { db } = server.services;
    await db.deleteFrom('jobRuns').execute();
    expect(await diagnose(() => checkJobs(db))).toMatchObject({ state: 'warn' });
    await db.insertInto('jobRuns').values({ name: 'recover-payments', startedAt: new Date() }).execute();
    await db.updateTable('jobRuns').set({ succeededAt: new Date() }).execute();
    expect(await diagnose(() => checkJobs(db))).toMatchObject({
      state: 'warn',
      what: expect.stringContaining('not run yet: recover-payouts'),
    });
  });
});

describe('the chain', () => {
  test('the doctor warns of an admin wallet without coins for payouts', async () => {
    const ADMIN_WALLET = newWallet().toSuiAddress();
    const config = settings({ SNAPS_COIN_TYPE: '0x2::sui::SUI', SNAPS_DECIMALS: '9', ADMIN_WALLET });
    expect(await diagnose(() => checkCoin(chain.client, config))).toMatchObject({ state: 'warn' });
    await fund(chain, ADMIN_WALLET);
    expect(await diagnose(() => checkCoin(chain.client, config))).toMatchObject({ state: 'ok' });
  });

  test('the doctor warns of a payout wallet without gas or coins [R79]', async () => {
    const wallet = newWallet();
    const address = wallet.toSuiAddress();
    const PAYOUT_PRIVATE_KEY = wallet.getSecretKey();
    const SUI = { SNAPS_COIN_TYPE: '0x2::sui::SUI', SNAPS_DECIMALS: '9' };
    const find = (overrides: Record<string, string>) =>
      diagnose(() => checkPayoutKey(chain.client, settings({ ...SUI, ...overrides })));
    expect(await find({})).toBeNull();
    expect(await find({ PAYOUT_PRIVATE_KEY })).toMatchObject({ state: 'warn', remedy: `Send SUI to ${address}` });
    await fund(chain, address);
    const what = expect.stringContaining('its wallet holds 200 Snaps');
    expect(await find({ PAYOUT_PRIVATE_KEY })).toMatchObject({ state: 'ok', what });
    const remedy = `Send what payouts need to ${address}`;
    const other = { PAYOUT_PRIVATE_KEY, SNAPS_COIN_TYPE: '0x5::none::NONE' };
    expect(await find(other)).toMatchObject({ state: 'warn', remedy });
  });

  test('the doctor counts money in an address balance, and explains why it cannot pay', async () => {
    const [wallet, payer] = [newWallet(), newWallet()];
    const address = wallet.toSuiAddress();
    const SUI = { SNAPS_COIN_TYPE: '0x2::sui::SUI', SNAPS_DECIMALS: '9' };
    const key = settings({ ...SUI, PAYOUT_PRIVATE_KEY: wallet.getSecretKey() });
    const admin = settings({ ...SUI, ADMIN_WALLET: address });
    await fund(chain, payer.toSuiAddress());
    const funds = { coinType: SUI.SNAPS_COIN_TYPE, amount: 90_000_000_000n, recipient: address };
    await send(chain, [payer], sendFunds(payer.toSuiAddress(), funds));
    const find = async () => [
      await diagnose(() => checkPayoutKey(chain.client, key)),
      await diagnose(() => checkCoin(chain.client, admin)),
    ];
    const what = expect.stringMatching(/ 90 \w+, all in its address balance, from which payouts cannot be paid yet$/);
    const warned = { state: 'warn', what, remedy: `Send what payouts need to ${address} as coins` };
    expect(await find()).toMatchObject([warned, warned]);
    await fund(chain, address);
    const isOk = { state: 'ok', what: expect.stringContaining('90 of them in its address balance') };
    expect(await find()).toMatchObject([isOk, { state: 'ok' }]);
  });
});

test('the doctor warns that the record is off without a key', async () => {
  const { db } = server.services;
  const find = (overrides: Record<string, string>) => diagnose(() => checkRecord(db, settings(overrides)));
  expect(await find({})).toMatchObject({ state: 'warn', what: expect.stringContaining('off') });
  expect(await find({ LOG_PRIVATE_KEY: logKey() })).toMatchObject({
    state: 'ok',
    what: 'signed, without anchors on Sui',
  });
});

describe('the site', () => {
  const replaces: Writes = (client) => client;
  const appends: Writes = (client, given) => `${given}, ${client}`;
  const appendsTwice: Writes = (client, given) => `${given}, ${client}, 198.51.100.9`;
  const passesOn: Writes = (_client, given) => given;
  const drops: Writes = () => undefined;
  const appendsOwn: Writes = (_client, given) => `${given}, 127.0.0.1`;
  let others: Record<string, TestApp>;
  beforeAll(async () => {
    const start = (TRUST_PROXY: string) =>
      startServer(server.databaseUrl, { cache: false, env: { PUBLIC_ORIGIN: ORIGIN, TRUST_PROXY } });
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
      const found = await withProxy(target, { writes }, (door) =>
        diagnose(() => checkProxy(settings({ TRUST_PROXY: trust }), { origin: ORIGIN, ...door })),
      );
      expect(found).toMatchObject({ state });
      expect(`${found?.what} ${found?.remedy}`).toMatch(told);
    },
  );

  test('the server answers a probe once, within a minute, and only with the key of its settings', async () => {
    const client = new Client(server.url);
    const ask = async (header?: string) => {
      const headers: Record<string, string> = header === undefined ? {} : { [PROBE_HEADER]: header };
      return (await client.get(PROBE_PATH, headers)).status;
    };
    const config = settings();
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
      createProbe({ ...config, adminPassword: 'x' }).header,
    ];
    for (const each of refused) expect([each, await ask(each)]).toEqual([each, unknown]);
  });

  test('the doctor distinguishes a busy server from an upload limit, and warns of other responses', async () => {
    const find = (faults: Faults, check: (door: Door) => Promise<string>) =>
      withProxy(server, faults, (door) => diagnose(() => check({ origin: ORIGIN, ...door })));
    const remedy = expect.stringContaining('client_max_body_size 16m');
    const busy = { responds: (): [number, string] => [503, '{"error":"uploads_busy","message":"Try again soon."}'] };
    expect(await find(busy, checkUploads)).toMatchObject({ state: 'ok' });
    // Responses of the samples in ops/deploy/ for a server that is down, and of other proxies to a large body.
    for (const response of [
      [503, '{"error":"restarting","message":"Try again."}'],
      [503, '<h1>503</h1>'],
      [403, '<h1>403</h1>'],
      [404, '<h1>404</h1>'],
    ] as const)
      expect(await find({ responds: () => [...response] }, checkUploads)).toMatchObject({ state: 'warn', remedy });
  });
});

describe('npm run doctor', () => {
  const start = async (env: Record<string, string>, ...args: string[]) =>
    run(process.execPath, [`${ROOT}/scripts/doctor.ts`, ...args], { env, timeoutMs: 120_000 });

  test('npm run doctor reports problems of the settings, and exits with code 1', async () => {
    const { code, output } = await start({ DATABASE_URL: server.databaseUrl, ADMIN_WALLET: '0xabc' });
    expect(output).toMatch(/^✓ Node .*\n✗ Settings +ADMIN_WALLET: is a placeholder.*\n +→ Correct that line/);
    expect(code).toBe(1);
  });

  test('npm run doctor checks everything once, for the given number of processes', async () => {
    const env = {
      DATABASE_URL: server.databaseUrl,
      SUI_NETWORK: 'localnet',
      SUI_RPC_URL: chain.rpcUrl,
      ADMIN_WALLET: newWallet().toSuiAddress(),
      ADMIN_PASSWORD: 'correct horse battery staple',
      PUBLIC_ORIGIN: ORIGIN,
      TRUST_PROXY: '1',
    };
    const { port } = new URL(server.url);
    const { code, output } = await start(env, '--json', '--processes', '900', '--connect', `127.0.0.1:${port}`);
    const results = JSON.parse(output) as CheckResult[];
    const names = ['Node', 'Settings', 'Setting names', 'Database', 'Durability', 'SQL console', 'Pooler', 'Schema'];
    names.push('Public record', 'Jobs', 'Vacuum', 'Backups', 'Chain', 'Admin wallet', 'Coin', 'Clock', 'Disk');
    names.push('Site', 'Proxy', 'Uploads', 'Metrics', 'Listening', 'Operator', 'Account key');
    expect(results.map(({ name }) => name)).toEqual(names);
    for (const { state, remedy } of results) expect(state === 'ok').toBe(remedy === null);
    expect(results.find(({ name }) => name === 'Database')?.what).toContain('900 processes');
    // fsync, and a server that is reached without a proxy although TRUST_PROXY names one.
    const failures = results.filter(({ state }) => state === 'fail').map(({ name }) => name);
    expect(failures).toEqual(expect.arrayContaining(['Durability', 'Proxy']));
    expect(code).toBe(1);
  });
});
