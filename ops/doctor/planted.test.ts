import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '#ops/process/free-port.ts';
import { hashPassword } from '#server/panel/admin/password.ts';
import { jobs } from '#server/jobs.ts';
import { publish } from '#server/record/publish.ts';
import { openArchived } from '#lab/testing/archiver.ts';
import { createTestApp, createTestDatabase, startServer } from '#lab/testing/app.ts';
import { fund, fundedWallet, pay, sharedChain } from '#lab/testing/chain.ts';
import { type Faults, withProxy } from '#lab/testing/faulty-proxy.ts';
import { hasPgBouncer, startPgBouncer } from '#lab/testing/pgbouncer.ts';
import { hasProxy, SITE_HOST, writeCertificate } from '#lab/testing/proxies.ts';
import { logKey } from '#lab/testing/record.ts';
import { ADMIN_KEYPAIR, newWallet } from '#lab/testing/wallets.ts';
import type { CheckResult, State } from './check.ts';
import { examine } from './doctor.ts';

const ORIGIN = `http://${SITE_HOST}`;
const HOUR_MS = 3_600_000;
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
const LOG_PRIVATE_KEY = logKey();
const ADMIN_PASSWORD_HASH = await hashPassword('correct horse battery staple');
const server = await createTestApp({
  env: { PUBLIC_ORIGIN: ORIGIN, TRUST_PROXY: '1', LOG_PRIVATE_KEY, ADMIN_PASSWORD_HASH, ADMIN_PASSWORD: '' },
});
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

async function noteRuns(startedAt = new Date()): Promise<void> {
  await db.deleteFrom('jobRuns').execute();
  await db
    .insertInto('jobRuns')
    .values(jobs.map(({ name }) => ({ name, startedAt, succeededAt: startedAt })))
    .execute();
}

const noteBackup = () =>
  db.insertInto('backups').values({ kind: 'dump', startedAt: new Date(), finishedAt: new Date() }).execute();

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'snapswipe-planted-'));
  await fund(chain, WELL.ADMIN_WALLET);
  await publish(server.services, 'now');
  await noteBackup();
  await noteRuns();
});
afterAll(() => rm(root, { recursive: true }));

interface Look {
  env?: Record<string, string>;
  faults?: Faults;
  ca?: string;
  outside?: string[];
  processes?: number;
}

/** Everything that the doctor reports. */
async function look({ env = {}, faults = {}, ca, outside = [], processes = 1 }: Look = {}): Promise<CheckResult[]> {
  const results = await withProxy(server, faults, (door) =>
    examine({
      env: { ...WELL, ...env },
      root,
      processes,
      outside,
      door: { ...door, ...(ca === undefined ? {} : { ca }) },
    }),
  );
  return results.filter(({ state }) => state !== 'ok');
}

const keyOf = ({ name, what, remedy }: CheckResult): string => `${name} ${what} ${remedy}`.replaceAll(/\d+/g, '0');
/** Faults of the machine that the tests run on, and of its database, which runs without fsync. */
const OF_MACHINE = new Set(['Durability', 'Clock', 'Disk', 'Node']);
let ofMachine: Set<string>;
beforeAll(async () => {
  ofMachine = new Set((await look()).filter(({ name }) => OF_MACHINE.has(name)).map(keyOf));
});

/** A check, its state, and parts of its message and of its remedy. */
type Finding = [name: string, state: State, what: string, remedy: string];

const find = async (options: Look): Promise<CheckResult[]> =>
  (await look(options)).filter((result) => !ofMachine.has(keyOf(result)));

/** Only its own check names the planted fault. */
const named = (...wanted: Finding[]) =>
  wanted.map(([name, state, what, remedy]) => ({
    name,
    state,
    what: expect.stringContaining(what),
    remedy: expect.stringContaining(remedy),
  }));

/** The URL of the test's database with a changed part. */
const changedUrl = (parts: Partial<Pick<URL, 'username' | 'password' | 'pathname' | 'port' | 'hostname'>>): string =>
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
const { username } = new URL(server.databaseUrl);

const SETTINGS: Plant[] = [
  [
    'a setting that the server rejects',
    { env: { ADMIN_WALLET: '0xabc' } },
    ['Settings', 'fail', 'ADMIN_WALLET', 'Correct that line'],
  ],
  [
    'a missing ACCOUNT_KEY',
    { env: { ACCOUNT_KEY: '' } },
    ['Account key', 'warn', 'ACCOUNT_KEY is empty', 'openssl rand'],
  ],
  ['a missing OPERATOR', { env: { OPERATOR: '' } }, ['Operator', 'warn', 'OPERATOR is empty', 'Set OPERATOR']],
  [
    'another LOG_PRIVATE_KEY than that of the record',
    { env: { LOG_PRIVATE_KEY: logKey() } },
    ['Public record', 'fail', 'is not the key', 'previous LOG_PRIVATE_KEY'],
  ],
  [
    'a missing LOG_PRIVATE_KEY',
    { env: { LOG_PRIVATE_KEY: '' } },
    ['Public record', 'fail', 'has ended', 'previous LOG_PRIVATE_KEY'],
  ],
  [
    'metrics on every address',
    { env: { METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' } },
    ['Metrics', 'warn', '9464', 'METRICS_HOST'],
  ],
];

const DATABASE: Plant[] = [
  [
    'a wrong password of the database',
    { env: { DATABASE_URL: changedUrl({ password: 'wrong' }) } },
    ['Database', 'fail', 'password', 'the password in DATABASE_URL'],
  ],
  [
    'a database that does not exist',
    { env: { DATABASE_URL: changedUrl({ pathname: '/nothing' }) } },
    ['Database', 'fail', 'does not exist', 'name of the database'],
  ],
  [
    'a database that does not run',
    { env: { DATABASE_URL: changedUrl({ port: '1' }) } },
    ['Database', 'fail', 'ECONNREFUSED', 'Start that database'],
  ],
  [
    'an unknown host of the database',
    { env: { DATABASE_URL: changedUrl({ hostname: 'db.invalid' }) } },
    ['Database', 'fail', 'db.invalid', 'Correct the host in DATABASE_URL'],
  ],
  [
    'an empty database',
    { env: { DATABASE_URL: changedUrl({ pathname: '/template1' }) } },
    ['Schema', 'warn', 'empty', 'npm run migrate'],
  ],
  ['too few connections', { processes: 1_000 }, ['Database', 'warn', '1000 processes', 'DATABASE_POOL']],
  [
    'a console that signs in as another role',
    { env: { CONSOLE_DATABASE_URL: server.databaseUrl } },
    ['SQL console', 'fail', `signs in as ${username}`, 'snapswipe_console'],
  ],
  [
    'a wrong password of the console',
    { env: { CONSOLE_DATABASE_URL: changedUrl({ password: 'wrong' }) } },
    ['SQL console', 'fail', 'password', 'CONSOLE_DATABASE_URL'],
  ],
  [
    'a replica of another database',
    { env: { DATABASE_REPLICA_URL: inject('databaseUrl') } },
    ['Replica', 'fail', 'another database', 'DATABASE_REPLICA_URL'],
  ],
  [
    'a replica that accepts writes',
    { env: { DATABASE_REPLICA_URL: server.databaseUrl } },
    ['Replica', 'warn', 'takes writes', 'streaming replica'],
  ],
  [
    'a replica that does not run',
    { env: { DATABASE_REPLICA_URL: changedUrl({ port: '1' }) } },
    ['Replica', 'fail', 'ECONNREFUSED', 'DATABASE_REPLICA_URL'],
  ],
  [
    'a direct URL to another database',
    { env: { DATABASE_DIRECT_URL: server.databaseUrl, DATABASE_URL: inject('databaseUrl') } },
    ['Pooler', 'fail', 'different databases', 'DATABASE_DIRECT_URL'],
  ],
];

const CHAIN: Plant[] = [
  [
    'a node that does not respond',
    { env: { SUI_RPC_URL: 'http://127.0.0.1:1', SNAPS_COIN_TYPE: '0x2::sui::SUI', SNAPS_DECIMALS: '9' } },
    ['Chain', 'fail', 'does not respond', 'SUI_RPC_URL'],
  ],
  [
    'a node of another network',
    { env: { SUI_NETWORK: 'testnet' } },
    ['Chain', 'fail', 'another chain than testnet', 'SUI_NETWORK'],
  ],
  [
    'an admin wallet that the chain does not know',
    { env: { ADMIN_WALLET: newWallet().toSuiAddress() } },
    ['Admin wallet', 'warn', 'mistyped', 'ADMIN_WALLET'],
  ],
  [
    'a coin that the chain does not know',
    { env: { SNAPS_COIN_TYPE: '0x5::none::NONE' } },
    ['Coin', 'fail', 'knows no coin', 'SNAPS_COIN_TYPE'],
  ],
  [
    'decimals that are not those of the coin',
    { env: { SNAPS_COIN_TYPE: '0x2::sui::SUI', SNAPS_DECIMALS: '6' } },
    ['Coin', 'fail', 'factor of 10^3', 'SNAPS_DECIMALS=9'],
  ],
  [
    'a wallet for anchors without gas',
    { env: { ANCHOR_PRIVATE_KEY: newWallet().getSecretKey() } },
    ['Anchors', 'warn', '0.000 SUI', 'Send SUI'],
  ],
];

const PROXY: Plant[] = [
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
    ['Metrics', 'fail', 'anyone', '404'],
  ],
  [
    'a server on HOST=127.0.0.1 that other machines reach',
    { env: { PORT: serverPort }, outside: ['127.0.0.1'] },
    ['Listening', 'fail', `127.0.0.1:${serverPort} responds`, 'Restart the server'],
  ],
];

test('the doctor finds no problem with a healthy site', async () => {
  expect(await find({})).toEqual([]);
});

test.each([...SETTINGS, ...DATABASE, ...CHAIN, ...PROXY])(
  'the doctor names %s, and nothing else',
  async (_title, options, ...wanted) => {
    expect(await find(options)).toEqual(named(...wanted));
  },
);

describe('single faults', () => {
  test('the doctor names only a site that cannot be reached', async () => {
    const results = await examine({ env: WELL, root, outside: [], door: { host: '127.0.0.1', port: 1 } });
    const found = results.filter((result) => result.state !== 'ok' && !ofMachine.has(keyOf(result)));
    expect(found).toMatchObject([{ name: 'Site', state: 'fail', what: expect.stringContaining('cannot be reached') }]);
  });

  test('the doctor names only a misspelled setting, and a settings file that all users may read', async () => {
    const file = path.join(root, '.env');
    await writeFile(file, 'ADMIN_WALET=0x1\n');
    await chmod(file, 0o644);
    try {
      expect(await find({})).toEqual(
        named(
          ['Settings', 'warn', 'every user of this machine', 'chmod o='],
          ['Setting names', 'warn', 'ADMIN_WALET is not a setting: did you mean ADMIN_WALLET?', 'Correct or delete'],
        ),
      );
    } finally {
      await rm(file);
    }
  });

  test('the doctor names only a role that may not set up the console', async () => {
    await withRole('', async (DATABASE_URL, name) => {
      await sql(`GRANT pg_read_all_data TO ${name}`);
      expect(await find({ env: { DATABASE_URL } })).toEqual(
        named(['SQL console', 'warn', 'may not set up', `ALTER ROLE ${name} CREATEROLE`]),
      );
    });
  });

  test('the doctor names only a role that gives up durability', async () => {
    await withRole('SUPERUSER', async (DATABASE_URL, name) => {
      await sql(`ALTER ROLE ${name} SET synchronous_commit = off`);
      expect(await find({ env: { DATABASE_URL } })).toEqual(
        named(['Durability', 'fail', 'synchronous_commit', `ALTER ROLE ${name} RESET synchronous_commit;`]),
      );
      await sql(`ALTER ROLE ${name} RESET synchronous_commit`);
      await sql(
        `ALTER ROLE ${name} IN DATABASE ${new URL(DATABASE_URL).pathname.slice(1)} SET synchronous_commit = off`,
      );
      expect(await find({ env: { DATABASE_URL } })).toEqual(
        named(['Durability', 'fail', 'synchronous_commit', `ALTER ROLE ${name} IN DATABASE`]),
      );
    });
  });

  test('the doctor names only a database in another encoding', async () => {
    const name = `ascii_${randomBytes(6).toString('hex')}`;
    await sql(`CREATE DATABASE ${name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`);
    try {
      const env = { DATABASE_URL: changedUrl({ pathname: `/${name}` }) };
      expect(await find({ env })).toEqual(
        named(['Database', 'fail', 'SQL_ASCII', "ENCODING 'UTF8'"], ['Schema', 'warn', 'empty', 'migrate']),
      );
    } finally {
      await sql(`DROP DATABASE ${name}`);
    }
  });

  test('the doctor names only a missing migration', async () => {
    const first = 'WHERE name = (SELECT min(name) FROM schema_migrations)';
    await sql(`UPDATE schema_migrations SET hash = 'x' || hash ${first}`);
    expect(await find({})).toEqual(named(['Schema', 'warn', '1 of the changes', 'npm run migrate']));
    await sql(`UPDATE schema_migrations SET hash = substr(hash, 2) ${first}`);
  });

  test('the doctor names only servers that stopped', async () => {
    await noteRuns(new Date(Date.now() - HOUR_MS));
    expect(await find({})).toEqual(named(['Jobs', 'fail', 'no job has run for 60 minutes', 'Start the server']));
    await noteRuns();
  });

  test('the doctor reports the readings of balances per second that the wallets need and the node allows [R37]', async () => {
    const hourAgo = new Date(Date.now() - HOUR_MS);
    const plan = (wallets: number, walletsRead: number) =>
      db
        .insertInto('standingReadings')
        .values({ day: dayOf(new Date()), reading: 1, startsAt: hourAgo, startedAt: hourAgo, wallets, walletsRead })
        .onConflict((conflict) => conflict.columns(['day', 'reading']).doUpdateSet({ wallets, walletsRead }))
        .execute();
    try {
      await plan(48_000, 11_250);
      expect(await find({})).toEqual(
        named([
          'Readings of balances',
          'warn',
          '48,000 wallets: needs 10 a second, gets 3.1',
          'a full node of your own',
        ]),
      );
      await plan(48_000, 47_000);
      expect(await find({})).toEqual([]);
      expect(await find({ env: { STANDING_READS_PER_SECOND: '5' } })).toEqual(
        named(['Readings of balances', 'fail', 'STANDING_READS_PER_SECOND allows 5', 'STANDING_READS_PER_SECOND=15']),
      );
    } finally {
      await db.deleteFrom('standingReadings').execute();
    }
  });

  test('the doctor names only a job that fails', async () => {
    const succeededAt = new Date(Date.now() - HOUR_MS);
    await db
      .updateTable('jobRuns')
      .set({ succeededAt, error: 'no node' })
      .where('name', '=', 'recover-payments')
      .execute();
    expect(await find({})).toEqual(named(['Jobs', 'fail', 'recover-payments (no node)', 'job failed']));
    await noteRuns();
  });

  test('the doctor names only a log that cannot be archived, also without any backup', async () => {
    const archived = await openArchived(server.databaseUrl);
    try {
      await db.deleteFrom('backups').execute();
      await archived.say({ archivedAt: new Date(Date.now() - HOUR_MS), failedAt: new Date() });
      expect(await find({ env: { DATABASE_URL: archived.url } })).toEqual(
        named(
          ['Backups', 'fail', 'there is none', 'npm run backup'],
          ['Log archive', 'fail', 'has not been able to archive', 'archive_command'],
        ),
      );
      await archived.say({ archivedAt: new Date(), failedAt: new Date(Date.now() - HOUR_MS) });
      expect((await find({ env: { DATABASE_URL: archived.url } })).map(({ name }) => name)).toEqual(['Backups']);
    } finally {
      await archived.close();
      await noteBackup();
    }
  });

  test('the doctor names only an admin wallet without the gas of payouts', async () => {
    const poor = newWallet().toSuiAddress();
    await pay(chain, await fundedWallet(chain), 10_000_000n, poor);
    const env = { ADMIN_WALLET: poor, SNAPS_COIN_TYPE: '0x2::sui::SUI', SNAPS_DECIMALS: '9' };
    expect(await find({ env })).toEqual(
      named(['Admin wallet', 'warn', 'too little for the gas of payouts', `Send SUI to ${poor}`]),
    );
  });

  test('the doctor names only metrics that respond on another address than the settings have', async () => {
    const METRICS_PORT = String(await freePort());
    const old = await startServer(server.databaseUrl, { env: { METRICS_PORT, METRICS_HOST: '0.0.0.0' } });
    try {
      expect(await find({ env: { METRICS_PORT, METRICS_HOST: '' }, outside: ['127.0.0.1'] })).toEqual(
        named(['Listening', 'fail', `/metrics at 127.0.0.1:${METRICS_PORT}`, 'METRICS_HOST=127.0.0.1']),
      );
    } finally {
      await old.close();
    }
  });

  // Skipped where openssl or nginx is not installed.
  test.skipIf(!hasProxy('nginx'))(
    'the doctor names only a certificate that ends soon, and one that browsers refuse',
    async () => {
      const cert = await writeCertificate(root);
      const faults = { tls: { cert, key: await readFile(path.join(root, 'site.key'), 'utf8') } };
      const env = { PUBLIC_ORIGIN: `https://${SITE_HOST}` };
      expect(await find({ env, faults, ca: cert })).toEqual(named(['Site', 'warn', 'ends in 1 days', 'certbot renew']));
      expect(await find({ env, faults })).toEqual(named(['Site', 'fail', 'browsers refuse', 'certbot renew']));
    },
  );

  // Skipped where Debian's package pgbouncer is not installed; `npm test` installs it where it can.
  test.skipIf(!hasPgBouncer)(
    'the doctor names only a pooler without a direct connection, and a form of dates that it passes on',
    async () => {
      const german = await createTestDatabase();
      const bouncer = await startPgBouncer(inject('databaseUrl'), 3);
      try {
        const DATABASE_URL = bouncer.through(server.databaseUrl);
        expect(await find({ env: { DATABASE_URL } })).toEqual(
          named(['Pooler', 'fail', 'transaction mode', 'Set DATABASE_DIRECT_URL']),
        );
        // No server has set the time limit of the login.
        expect(await find({ env: { DATABASE_URL, DATABASE_DIRECT_URL: server.databaseUrl } })).toEqual(
          named(['Pooler', 'warn', 'time limit', '']),
        );
        await sql(`ALTER DATABASE ${new URL(german.url).pathname.slice(1)} SET datestyle = 'German, DMY'`);
        const env = { DATABASE_URL: bouncer.through(german.url), DATABASE_DIRECT_URL: german.url };
        const found = await look({ env });
        expect(found.find(({ name }) => name === 'Pooler')).toMatchObject({
          state: 'fail',
          what: expect.stringContaining('DateStyle as German'),
          remedy: expect.stringContaining('RECONNECT'),
        });
      } finally {
        await bouncer.end();
        await german.drop();
      }
    },
  );
});
