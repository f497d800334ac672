import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { DEMO_PASSWORD, hashPassword, refuseDemoPassword } from '#server/panel/admin/password.ts';
import { ConfigError, readConfig, SETTING_NAMES } from './config.ts';
import { trustOf } from './trusted-proxies.ts';
import { findUnknownSettings } from './unknown-settings.ts';

const payoutKey = new Ed25519Keypair();
const PAYOUT_KEY = payoutKey.getSecretKey();
const PAYOUT_WALLET = payoutKey.toSuiAddress();
const minimal = {
  DATABASE_URL: 'postgres://localhost/snapswipe',
  ADMIN_WALLET: `0x${'7c'.repeat(31)}AB`,
  ADMIN_PASSWORD: 'long enough',
};

const MANY_REGIONS = Array.from(
  { length: 51 },
  (_, at) => `Land ${'abcdefghij'[at % 10]}${'abcdef'[Math.floor(at / 10)]}`,
).join();

/** A hash with these costs. */
const hashOf = (costs: string): string => `scrypt$${costs}$${'a'.repeat(22)}$${'b'.repeat(43)}`;

/** Settings that mainnet takes; each case takes one thing away. */
const MAINNET = {
  NODE_ENV: 'production',
  SUI_NETWORK: 'mainnet',
  PUBLIC_ORIGIN: 'https://snapswipe.example',
  ADMIN_PASSWORD: undefined,
  ADMIN_PASSWORD_HASH: hashOf('32768$8$3'),
};

test('the licence of the data has a name and an address [R75]', () => {
  const licenseOf = (text: string) => readConfig({ ...minimal, DATA_LICENSE: text }).dataLicense;
  expect(licenseOf('')).toBeNull();
  expect(licenseOf('CC BY 4.0 https://example.org/by')).toEqual({ name: 'CC BY 4.0', url: 'https://example.org/by' });
  for (const text of ['CC0', 'https://example.org/by', 'CC0 javascript:alert(1)'])
    expect(() => licenseOf(text)).toThrow(/^DATA_LICENSE: must be a name and an address/);
});

test('mainnet starts with an https origin and a hashed password', () => {
  expect(readConfig({ ...minimal, ...MAINNET })).toMatchObject({ network: 'mainnet', adminPassword: null });
});

test('.env.example, copied and not edited, does not start', async () => {
  const text = await readFile(new URL('../../.env.example', import.meta.url), 'utf8');
  expect(() => readConfig({ ...parseEnv(text) })).toThrow(/^ADMIN_WALLET is required/);
});

test('the network defaults to devnet, with a node for each network [S7.25 R21]', () => {
  expect(readConfig(minimal)).toMatchObject({ network: 'devnet', port: 3000, faucetUrl: null });
  for (const SUI_NETWORK of ['devnet', 'testnet', 'mainnet', 'localnet']) {
    const settings = SUI_NETWORK === 'mainnet' ? { ...minimal, ...MAINNET } : { ...minimal, SUI_NETWORK };
    expect(readConfig(settings).rpcUrl).toMatch(/^https?:\/\//);
  }
});

test('the admin wallet is normalised [R2]', () => {
  expect(readConfig(minimal).adminWallet).toBe(`0x${'7c'.repeat(31)}ab`);
});

test('DATABASE_URL counts as a pooler when a direct URL exists, too', () => {
  const direct = 'postgres://localhost:5432/snapswipe';
  const alone = { databaseDirectUrl: minimal.DATABASE_URL, isPooled: false, databaseReplicaUrl: null };
  expect(readConfig(minimal)).toMatchObject(alone);
  expect(readConfig({ ...minimal, DATABASE_DIRECT_URL: '', DATABASE_REPLICA_URL: '' })).toMatchObject(alone);
  expect(readConfig({ ...minimal, DATABASE_DIRECT_URL: minimal.DATABASE_URL })).toMatchObject(alone);
  expect(readConfig({ ...minimal, DATABASE_DIRECT_URL: direct })).toMatchObject({
    databaseUrl: minimal.DATABASE_URL,
    databaseDirectUrl: direct,
    isPooled: true,
  });
});

test('proxies are trusted by number or by address', () => {
  const trusted = (TRUST_PROXY?: string) => readConfig({ ...minimal, TRUST_PROXY }).trustProxy;
  expect([undefined, '', 'false', '0', '1', '2'].map(trusted)).toEqual([false, false, false, false, 1, 2]);
  expect(trusted('10.0.0.0/8, 192.0.2.7,fd00::/8')).toEqual(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']);
  expect([false as const, ['10.0.0.0/8']].map(trustOf)).toEqual([false, ['10.0.0.0/8']]);
  const twoHops = trustOf(2);
  if (typeof twoHops !== 'function') throw new Error('a number of hops is counted by a function');
  expect([0, 1, 2, 3].map((hop) => twoHops('192.0.2.7', hop))).toEqual([true, true, false, false]);
});

type WrongSetting = [change: Record<string, string | undefined>, line: RegExp];
const each = (name: string, values: ReadonlyArray<string | undefined>, line: RegExp): WrongSetting[] =>
  values.map((value) => [{ [name]: value }, line]);
const words = (text: string): string[] => text.split(' ');

const WRONG: WrongSetting[] = [
  ...each('DATABASE_URL', [undefined, ''], /^DATABASE_URL is required/),
  [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL: must start with postgres/],
  [{ DATABASE_DIRECT_URL: 'localhost:5432' }, /^DATABASE_DIRECT_URL: must start with postgres/],
  [{ DATABASE_REPLICA_URL: 'replica' }, /^DATABASE_REPLICA_URL: must start with postgres/],
  ...each(
    'LOG_PRIVATE_KEY',
    ['abc', 'A'.repeat(43), `${'A'.repeat(43)}=`],
    /^LOG_PRIVATE_KEY: must be 32 random bytes in base64/,
  ),
  [{ ACCOUNT_KEY: Buffer.from('abc '.repeat(8)).toString('base64') }, /^ACCOUNT_KEY: must be 32 random bytes/],
  ...each(
    'ANCHOR_PRIVATE_KEY',
    ['suiprivkey1', '11'.repeat(32)],
    /^ANCHOR_PRIVATE_KEY: must be an Ed25519 private key/,
  ),
  [{ ANCHOR_PRIVATE_KEY: PAYOUT_KEY, ADMIN_WALLET: PAYOUT_WALLET }, /^ANCHOR_PRIVATE_KEY must be the key of a wallet/],
  [{ PAYOUT_PRIVATE_KEY: 'suiprivkey1' }, /^PAYOUT_PRIVATE_KEY: must be an Ed25519 private key/],
  [{ PAYOUT_PRIVATE_KEY: PAYOUT_KEY }, /^SNAPS_COIN_TYPE is required with PAYOUT_PRIVATE_KEY/],
  [
    { PAYOUT_PRIVATE_KEY: PAYOUT_KEY, SNAPS_COIN_TYPE: '0x2::sui::SUI', ANCHOR_PRIVATE_KEY: PAYOUT_KEY },
    /^PAYOUT_PRIVATE_KEY and ANCHOR_PRIVATE_KEY must be different keys/,
  ],
  [
    { PAYOUT_PRIVATE_KEY: PAYOUT_KEY, SNAPS_COIN_TYPE: '0x2::sui::SUI', ADMIN_WALLET: PAYOUT_WALLET },
    /^PAYOUT_PRIVATE_KEY must be the key of a wallet of its own/,
  ],
  ...each('PAYOUT_AUTO_MAX_SNAPS', ['49', '60.5'], /^PAYOUT_AUTO_MAX_SNAPS: /),
  [{ PAYOUT_DAILY_MAX_SNAPS: '1e12' }, /^PAYOUT_DAILY_MAX_SNAPS: /],
  [{ ADMIN_WALLET: undefined }, /^ADMIN_WALLET is required/],
  [{ ADMIN_WALLET: 'me' }, /^ADMIN_WALLET: is not a Sui address/],
  ...each(
    'ADMIN_WALLET',
    [
      '0',
      '2',
      'abc',
      '0'.repeat(64),
      `${'0'.repeat(61)}abc`,
      `${'0'.repeat(60)}0403`,
      `${'0'.repeat(48)}${'7'.repeat(16)}`,
    ].map((hex) => `0x${hex}`),
    /^ADMIN_WALLET: is a placeholder or a system address: no one holds its key/,
  ),
  ...each(
    'TRUST_PROXY',
    words('true yes 11 -1 10.0.0.0/0 10.0.0.0/33 10.0.0.1/8/9 nginx 1, ::1/129 10.0.0.0/1e1 10.0.0.0/8,nginx'),
    /^TRUST_PROXY: must be false, the number of proxies in front \(1\), or their addresses/,
  ),
  ...each('PORT', ['eighty', '70000'], /^PORT: /),
  ...each(
    'HOST',
    ['localhost:3000', '0.0.0.0:80', '[::1]', 'http://127.0.0.1', 'a b'],
    /^HOST: must be an IP address or the name of a host, without a port, such as 127\.0\.0\.1/,
  ),
  [{ METRICS_HOST: '127.0.0.1:9464' }, /^METRICS_HOST: must be an IP address/],
  [{ DATABASE_URL: 'postgres://snapswipe:p#ss@127.0.0.1/snapswipe' }, /^DATABASE_URL: .* %23 for #/],
  ...['PUBLIC_ORIGIN', 'CHAT_URL'].flatMap((name) =>
    each(name, ['snapswipe.example'], new RegExp(`^${name}: must be an address such as https://snapswipe\\.example`)),
  ),
  ...each(
    'PUBLIC_ORIGIN',
    words('https://a.example/app/ https://a.example/?x https://a.example/#x https://me@a.example'),
    /^PUBLIC_ORIGIN: must be an origin without a path, such as https:\/\/snapswipe\.example/,
  ),
  [{ PRIVACY_TEXT: '/no/such' }, /^PRIVACY_TEXT: \/no\/such cannot be read \(ENOENT\)/],
  [{ MIN_AGE: '0' }, /^MIN_AGE/],
  [{ EXCLUDED_REGIONS: 'Cuba, <b>' }, /^EXCLUDED_REGIONS: must be names of countries or regions/],
  [{ EXCLUDED_REGIONS: MANY_REGIONS }, /^EXCLUDED_REGIONS: must have 50/],
  [{ TERMS_TEXT: '/' }, /^TERMS_TEXT: \/ cannot be read \(EISDIR\)/],
  [{ SUI_NETWORK: 'moonnet' }, /^SUI_NETWORK: /],
  [{ SUI_RPC_URL: 'not a url' }, /^SUI_RPC_URL: /],
  [{ ADMIN_PASSWORD: 'short' }, /^ADMIN_PASSWORD: must have at least 8/],
  [{ ADMIN_PASSWORD: undefined }, /^ADMIN_PASSWORD_HASH .*required/],
  [{ NODE_ENV: 'production' }, /^PUBLIC_ORIGIN is required in production/],
  [{ NODE_ENV: 'production', PUBLIC_ORIGIN: 'https://a.example' }, /^ADMIN_PASSWORD_HASH is required in production/],
  [
    { ...MAINNET, PUBLIC_ORIGIN: 'http://snapswipe.example' },
    /^PUBLIC_ORIGIN must be an https address when .* mainnet/,
  ],
  [{ ...MAINNET, PUBLIC_ORIGIN: undefined, NODE_ENV: 'development' }, /^PUBLIC_ORIGIN must be an https address/],
  [{ ...MAINNET, ADMIN_PASSWORD: 'snapswipe-demo' }, /^ADMIN_PASSWORD must be empty when SUI_NETWORK is mainnet/],
  [
    { ...MAINNET, NODE_ENV: 'development', ADMIN_PASSWORD: 'snapswipe-demo', ADMIN_PASSWORD_HASH: undefined },
    /^ADMIN_PASSWORD must be empty/,
  ],
  // Far off, not a power of two, and nearest to what is allowed.
  ...each(
    'ADMIN_PASSWORD_HASH',
    words('1$8$3 8192$8$1 30000$8$3 4194304$8$3 32768$1$1 32768$8$99 32768$8$2 65536$7$3 524288$8$1 262144$8$5').map(
      hashOf,
    ),
    /^ADMIN_PASSWORD_HASH: has costs that are too low or too high; make it by `npm run hash-password`/,
  ),
  [{ ...MAINNET, ADMIN_PASSWORD_HASH: undefined }, /^ADMIN_PASSWORD_HASH .*required/],
  [{ RATE_LIMIT_FACTOR: '0' }, /^RATE_LIMIT_FACTOR: /],
  // A job holds one connection for its lock while it works on another.
  [{ DATABASE_POOL: '1' }, /^DATABASE_POOL: /],
  [{ PUSH_PRIVATE_KEY: 'AAAA' }, /^PUSH_PRIVATE_KEY: must be 32 random bytes/],
  ...each('PUSH_HOSTS', ['https://fcm.googleapis.com', '10.0.0.1:8080'], /^PUSH_HOSTS: must be names of hosts/),
];
test.each(WRONG)('a wrong setting is named in one line: %j', (change, line) => {
  let error: unknown;
  try {
    readConfig({ ...minimal, ...change });
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as Error).message).toMatch(line);
  expect((error as Error).message).not.toContain('\n');
});

test.each(['32768$8$3', '131072$8$1', '262144$8$4'])(
  'the costs %s of a hash are neither too low nor too high',
  (costs) => {
    const adminPasswordHash = hashOf(costs);
    expect(readConfig({ ...minimal, ADMIN_PASSWORD_HASH: adminPasswordHash })).toMatchObject({ adminPasswordHash });
  },
);

test('production accepts a plain password on the local chain only, where no one pays', () => {
  const production = { ...minimal, NODE_ENV: 'production', PUBLIC_ORIGIN: 'http://localhost:3000' };
  expect(readConfig({ ...production, SUI_NETWORK: 'localnet' })).toMatchObject({ adminPassword: 'long enough' });
  for (const SUI_NETWORK of ['devnet', 'testnet'])
    expect(() => readConfig({ ...production, SUI_NETWORK })).toThrow(/^ADMIN_PASSWORD_HASH is required in production/);
});

test('the origin is what browsers send: without a path or a slash, and the port of the server where none is given', () => {
  expect(readConfig({ ...minimal, PUBLIC_ORIGIN: 'https://snapswipe.example/' }).publicOrigin).toBe(
    'https://snapswipe.example',
  );
  expect(readConfig({ ...minimal, PORT: '4000' }).publicOrigin).toBe('http://localhost:4000');
});

test('an empty setting is the same as none', () => {
  const empty = Object.fromEntries(SETTING_NAMES.map((name) => [name, '']));
  expect(readConfig({ ...empty, ...minimal })).toEqual(readConfig(minimal));
});

test("paths of the operator's texts are relative to the project's folder", () => {
  const { privacyText } = readConfig({ ...minimal, PRIVACY_TEXT: 'README.md' });
  expect(privacyText).toEqual({ file: path.resolve('README.md') });
});

test('.env.example names every variable that is read, each with a comment, and nothing else', async () => {
  const text = await readFile(new URL('../../.env.example', import.meta.url), 'utf8');
  expect(Object.keys(parseEnv(text)).sort()).toEqual(SETTING_NAMES.toSorted());
});

test("mainnet refuses the demo's password, even as a hash", async () => {
  const demo = readConfig({ ...minimal, ...MAINNET, ADMIN_PASSWORD_HASH: await hashPassword(DEMO_PASSWORD) });
  await expect(refuseDemoPassword(demo)).rejects.toThrow(/^ADMIN_PASSWORD_HASH is the demo's password/);
  const own = readConfig({ ...minimal, ...MAINNET, ADMIN_PASSWORD_HASH: await hashPassword('correct horse') });
  await expect(refuseDemoPassword(own)).resolves.toBeUndefined();
  await expect(refuseDemoPassword({ ...demo, network: 'localnet' })).resolves.toBeUndefined();
});

test('processes that share a port divide the limits by address among them, and none has less than one', () => {
  const limits = (more: Record<string, string>) => {
    const config = readConfig({ ...minimal, ...more });
    return [config.readMsPerMinute, config.requestsPerSecond];
  };
  expect(limits({})).toEqual([6_000, 300]);
  expect(limits({ WORKERS: '1' })).toEqual([6_000, 300]);
  expect(limits({ WORKERS: '4' })).toEqual([1_500, 75]);
  expect(limits({ WORKERS: '64', RATE_LIMIT_FACTOR: '0.1' })).toEqual([10, 1]);
  expect(limits({ RATE_LIMIT_FACTOR: '2.5' })).toEqual([15_000, 750]);
  expect(() => readConfig({ ...minimal, WORKERS: '0' })).toThrow(/^WORKERS: /);
});

test('names a misspelled setting, in the settings file and in the environment, with the one that it resembles', () => {
  const file = { ADMIN_WALET: '0x1', LOG_PRIVATKEY: 'abc', TRUSTPROXY: '1' };
  const expected = [
    'ADMIN_WALET is not a setting: did you mean ADMIN_WALLET?',
    'LOG_PRIVATKEY is not a setting: did you mean LOG_PRIVATE_KEY?',
    'TRUSTPROXY is not a setting: did you mean TRUST_PROXY?',
  ];
  expect(findUnknownSettings(file, {})).toEqual(expected);
  expect(findUnknownSettings({}, file)).toEqual(expected);
  expect(findUnknownSettings(file, file)).toEqual(expected);
});

test('names an unknown setting of the settings file, and ignores the environment variables of other programs', () => {
  const ofOthers = { NODE_EXTRA_CA_CERTS: '/ca.crt', PGSSLMODE: 'require', TZ: 'UTC' };
  expect(findUnknownSettings({ FEE: '15', ...ofOthers }, {})).toEqual(['FEE is not a setting; see .env.example']);
});

test('does not mistake other environment variables for misspelled settings', () => {
  const usual = {
    HOME: '/root',
    PATH: '/bin',
    HOSTNAME: 'a',
    LANG: 'C',
    SHELL: '/bin/sh',
    LOGNAME: 'root',
    USER: 'root',
  };
  expect(findUnknownSettings({}, { ...usual, npm_config_cache: '/tmp', PORT: '3000' })).toEqual([]);
});
