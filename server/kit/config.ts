import { createECDH } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { z } from 'zod';
import { MIN_WITHDRAWAL_TOKENS, MIST_PER_SUI, SUI_NETWORKS } from '#shared/constants.ts';
import { type Algorithm, NoteError, parseVerifier, type Verifier } from '#record/log/note.ts';
import { normalizeAddress } from '#chain/address.ts';
import { defaultRpcUrl } from '#chain/client.ts';
import { parseTrustedProxies, type TrustedProxies } from './trusted-proxies.ts';

/** A wrong or missing setting; its message is one line for the operator. */
export class ConfigError extends Error {}

const flag = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1');
/** scrypt$N$r$p$salt$key, the last two in base64url; see server/panel/admin/password.ts. */
const PASSWORD_HASH = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$[\w-]{8,}\$[\w-]{32,}$/;
/**
 * OWASP's minimum of work (N 2^15, r 8, p 3, or as much in another form), and at most 256 MB and a few seconds for each
 * try.
 */
function hasSoundCosts(hash: string): boolean {
  const [N = 0, r = 0, p = 0] = PASSWORD_HASH.exec(hash)?.slice(1, 4).map(Number) ?? [];
  const work = N * r * p;
  return Number.isInteger(Math.log2(N)) && r >= 8 && work >= 2 ** 17 * 5 && N * r <= 2 ** 21 && work <= 2 ** 23;
}
const databaseUrl = z
  .string()
  .regex(
    /^postgres(ql)?:\/\//,
    'must start with postgres://, such as postgres://user:password@127.0.0.1:5432/snapswipe',
  )
  .refine(URL.canParse, {
    message: 'is not a URL: in a password, write other characters than letters and digits as %23 for #, %40 for @',
  });
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an address such as https://snapswipe.example' });
const origin = httpUrl.refine((text) => !URL.canParse(text) || new URL(text).href === `${new URL(text).origin}/`, {
  message: 'must be an origin without a path, such as https://snapswipe.example: the site has its host to itself',
});
const host = z.string().refine((text) => isIP(text) !== 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text), {
  message: 'must be an IP address or the name of a host, without a port, such as 127.0.0.1',
});
const ROOT = path.join(import.meta.dirname, '../..');
/** Relative paths begin at the project's folder. */
const readableFile = z.string().transform((text, ctx) => {
  const file = path.resolve(ROOT, text);
  try {
    readFileSync(file);
    return file;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    ctx.addIssue({ code: 'custom', message: `${file} cannot be read (${code ?? message})` });
    return z.NEVER;
  }
});
const MAX_REGIONS = 50;
const REGION = /^[\p{L}\p{M}][\p{L}\p{M}\p{Pd}'’.() ]{1,59}$/u;
/** Names as the terms list them, separated by commas. */
const regions = z
  .string()
  .default('')
  .transform((text) => [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== ''))
  .refine((names) => names.length <= MAX_REGIONS, { message: `must have ${MAX_REGIONS} names at most` })
  .refine((names) => names.every((name) => REGION.test(name)), {
    message: 'must be names of countries or regions, separated by commas, such as Cuba, North Korea',
  });
const trustedProxies = z
  .string()
  .default('false')
  .transform((text, ctx) => {
    const trusted = parseTrustedProxies(text);
    if (trusted !== null) return trusted;
    ctx.addIssue({
      code: 'custom',
      message: 'must be false, the number of proxies in front (1), or their addresses (10.0.0.0/8, 192.0.2.7)',
    });
    return z.NEVER;
  });
const count = (fallback: number, least = 1) => z.coerce.number().int().min(least).default(fallback);
/** Upper bound of settings that move Snaps without a person: a larger value is a typing error. */
const MAX_AUTO_SNAPS = 1_000_000_000;
const sui = (fallback: string) =>
  z
    .string()
    .regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be an amount of SUI like 1 or 0.5')
    .default(fallback)
    .transform((text) => {
      const [whole = '', fraction = ''] = text.split('.');
      return BigInt(whole) * MIST_PER_SUI + BigInt(fraction.padEnd(9, '0'));
    });
const address = z.string().transform((text, ctx) => {
  const normalized = normalizeAddress(text);
  if (normalized) return normalized;
  ctx.addIssue({ code: 'custom', message: 'is not a Sui address (0x and up to 64 hex digits)' });
  return z.NEVER;
});
/** Sui gives short addresses to its own packages and objects; a key's address is a hash, which never begins like this. */
const SHORT_ADDRESS = /^0x0{48}/;
const ownedAddress = address.refine((text) => !SHORT_ADDRESS.test(text), {
  message: 'is a placeholder or a system address: no one holds its key, so every payment to it would be lost',
});
const LEAST_VALUES = 12;
const secretKey = z.string().transform((text, ctx) => {
  const bytes = Buffer.from(text, 'base64');
  const isRandom = new Set(bytes).size >= LEAST_VALUES;
  if (bytes.length === 32 && bytes.toString('base64') === text && isRandom) return bytes;
  ctx.addIssue({ code: 'custom', message: 'must be 32 random bytes in base64 (`openssl rand -base64 32`)' });
  return z.NEVER;
});
/** A key pair on P-256, each half in base64url (RFC 8292). */
const vapidKey = secretKey.transform((bytes, ctx): VapidKey => {
  const pair = createECDH('prime256v1');
  try {
    pair.setPrivateKey(bytes);
  } catch {
    ctx.addIssue({ code: 'custom', message: 'is one of the few numbers outside of the curve: make another one' });
    return z.NEVER;
  }
  return { publicKey: pair.getPublicKey('base64url'), privateKey: bytes.toString('base64url') };
});
const suiKey = z.string().transform((text, ctx) => {
  try {
    return Ed25519Keypair.fromSecretKey(text);
  } catch {
    ctx.addIssue({ code: 'custom', message: 'must be an Ed25519 private key as wallets export it (suiprivkey1…)' });
    return z.NEVER;
  }
});

/** A licence as `name address`, such as `CC BY 4.0 https://creativecommons.org/licenses/by/4.0/`. */
const license = z.string().transform((text, ctx) => {
  const at = text.lastIndexOf(' ');
  const [name, url] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1)];
  if (name !== '' && httpUrl.safeParse(url).success) return { name, url };
  ctx.addIssue({ code: 'custom', message: 'must be a name and an address, such as CC0 https://example.org/license' });
  return z.NEVER;
});

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** A verifier key of C2SP; null for other texts. */
function verifierOf(text: string, algorithm: Algorithm): Verifier | null {
  try {
    return parseVerifier(text, algorithm);
  } catch (error) {
    if (error instanceof NoteError) return null;
    throw error;
  }
}

const verifierKeys = z.string().transform((text, ctx) => {
  const keys = listOf(text).map((key) => verifierOf(key, 'note'));
  const known = keys.filter((key) => key !== null);
  if (known.length === keys.length) return known;
  ctx.addIssue({
    code: 'custom',
    message: 'must be the keys of logs, separated by commas (`verifierKey` of their /api/record)',
  });
  return z.NEVER;
});

/** The push services of Chrome, Firefox, Safari and Edge. */
const PUSH_SERVICES = 'fcm.googleapis.com,*.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com';
const PUSH_HOST = /^(?:\*\.)?[a-z\d][a-z\d-]*(?:\.[a-z\d][a-z\d-]*)+$/;
/** A push service of a test on this machine. */
const LOOPBACK_ORIGIN = /^http:\/\/127\.0\.0\.1:\d{1,5}$/;
const pushHosts = z
  .string()
  .default(PUSH_SERVICES)
  .transform(listOf)
  .refine((hosts) => hosts.every((name) => PUSH_HOST.test(name) || LOOPBACK_ORIGIN.test(name)), {
    message: 'must be names of hosts separated by commas, such as fcm.googleapis.com, *.push.apple.com',
  });

const witnesses = z.string().transform((text, ctx) => {
  const found = listOf(text).map((part): Witness | null => {
    const [key = '', url = '', ...more] = part.split(/\s+/);
    const verifier = verifierOf(key, 'cosignature');
    const isAddress = more.length === 0 && httpUrl.safeParse(url).success;
    return verifier && isAddress ? { verifier, url: url.replace(/\/+$/, '') } : null;
  });
  const known = found.filter((witness) => witness !== null);
  if (known.length === found.length) return known;
  ctx.addIssue({
    code: 'custom',
    message: 'must be witnesses separated by commas, each a key, a space, and an address',
  });
  return z.NEVER;
});

export interface Witness {
  verifier: Verifier;
  url: string;
}

export interface VapidKey {
  publicKey: string;
  privateKey: string;
}

/** Every variable that the server knows; `.env.example` explains them, and a test compares the two. */
export const Environment = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  HOST: host.default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  PUBLIC_ORIGIN: origin.optional(),
  TRUST_PROXY: trustedProxies,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  LOG_ADDRESSES: flag.default(false),
  DATABASE_URL: databaseUrl,
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URL: databaseUrl.optional(),
  DATABASE_POOL: count(16, 2),
  CONSOLE_DATABASE_URL: databaseUrl.optional(),
  SUI_NETWORK: z.enum(SUI_NETWORKS).default('devnet'),
  SUI_RPC_URL: httpUrl.optional(),
  SUI_FAUCET_URL: httpUrl.optional(),
  ADMIN_WALLET: ownedAddress,
  ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters').optional(),
  ADMIN_PASSWORD_HASH: z
    .string()
    .regex(PASSWORD_HASH, 'must be made by `npm run hash-password`')
    .refine(hasSoundCosts, 'has costs that are too low or too high; make it by `npm run hash-password`')
    .optional(),
  SNAPS_COIN_TYPE: z
    .string()
    .regex(/^0x[0-9a-fA-F]+::\w+::\w+$/, 'must be a coin type like 0x2::sui::SUI')
    .optional(),
  SNAPS_DECIMALS: count(6, 0),
  PAYOUT_PRIVATE_KEY: suiKey.optional(),
  PAYOUT_DAILY_MAX_SNAPS: z.coerce.number().int().min(MIN_WITHDRAWAL_TOKENS).max(MAX_AUTO_SNAPS).default(10_000),
  PAYOUT_AUTO_MAX_SNAPS: z.coerce.number().int().min(MIN_WITHDRAWAL_TOKENS).max(MAX_AUTO_SNAPS).optional(),
  STANDING_MIN_SUI: sui('1').refine((mist) => mist > 0n, 'must be more than 0'),
  STANDING_MIN_DAYS: count(7, 0),
  STANDING_READS_PER_SECOND: count(250),
  LOG_PRIVATE_KEY: secretKey.optional(),
  ANCHOR_PRIVATE_KEY: suiKey.optional(),
  LOG_WITNESSES: witnesses.optional(),
  WITNESS_KEY: secretKey.optional(),
  WITNESS_LOGS: verifierKeys.optional(),
  ACCOUNT_KEY: secretKey.optional(),
  PUSH_PRIVATE_KEY: vapidKey.optional(),
  PUSH_HOSTS: pushHosts,
  WALLET_AUTO_CONNECT: flag.default(false),
  CHAT_URL: httpUrl.optional(),
  SOCIAL_URL: httpUrl.optional(),
  DATA_LICENSE: license.optional(),
  EXPLORER_URL: httpUrl.optional(),
  OPERATOR_NAME: z.string().optional(),
  OPERATOR_ADDRESS: z.string().optional(),
  OPERATOR_CONTACT: z.string().optional(),
  PRIVACY_URL: httpUrl.optional(),
  PRIVACY_FILE: readableFile.optional(),
  TERMS_URL: httpUrl.optional(),
  TERMS_FILE: readableFile.optional(),
  MIN_AGE: z.coerce.number().int().min(1).max(120).optional(),
  EXCLUDED_REGIONS: regions,
  SERVICE_WORKER: flag.default(true),
  METRICS_HOST: host.default('127.0.0.1'),
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{16,}$/, 'must have at least 16 characters, none of them a space')
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  OTEL_SERVICE_NAME: z.string().optional(),
  WORKERS: count(1),
  RATE_LIMIT_WRITES_PER_MINUTE: count(600),
  RATE_LIMIT_SIGN_IN_PER_MINUTE: count(30),
  NEW_WALLETS_PER_HOUR: count(300),
  RATE_LIMIT_UPLOADS_PER_MINUTE: count(60),
  RATE_LIMIT_READ_MS_PER_MINUTE: count(6_000),
  RATE_LIMIT_REQUESTS_PER_SECOND: count(300),
  CONNECTIONS_PER_ADDRESS: count(100),
});

export type Env = z.output<typeof Environment>;

export interface Config {
  env: Env['NODE_ENV'];
  host: string;
  port: number;
  publicOrigin: string;
  trustProxy: TrustedProxies;
  logLevel: Env['LOG_LEVEL'];
  /** Log lines of requests contain personal addresses: sources, and wallets in paths. */
  logsAddresses: boolean;
  databaseUrl: string;
  /**
   * For operations that a pooler in transaction mode cannot carry: LISTEN, migrations, the console's login. Otherwise
   * the same.
   */
  databaseDirectUrl: string;
  /** `databaseUrl` is that of a pooler. */
  isPooled: boolean;
  databaseReplicaUrl: string | null;
  databasePool: number;
  /** Login of the SQL console's role, where the server may not create one. */
  consoleDatabaseUrl: string | null;
  network: Env['SUI_NETWORK'];
  rpcUrl: string;
  faucetUrl: string | null;
  adminWallet: string;
  adminPassword: string | null;
  adminPasswordHash: string | null;
  snapsCoinType: string | null;
  snapsDecimals: number;
  /** The most that the rule approves for one wallet in 30 days; null: a person approves each withdrawal (R79). */
  payoutAutoMaxSnaps: number | null;
  /** Pays approved withdrawals without a person, at most so much in a UTC day; null: a person signs each payout. */
  payoutKey: Ed25519Keypair | null;
  payoutDailyMaxSnaps: number;
  standingMinMist: bigint;
  standingMinDays: number;
  standingReadsPerSecond: number;
  /** Signs the checkpoints of the public record; null: nothing is published. */
  logPrivateKey: Uint8Array | null;
  anchorKey: Ed25519Keypair | null;
  logWitnesses: readonly Witness[];
  /** With it this site is a witness of `witnessLogs`. */
  witnessKey: Uint8Array | null;
  witnessLogs: readonly Verifier[];
  /** Key of the remains of deleted accounts' wallets; null: the database keeps one. */
  accountKey: Uint8Array | null;
  pushKey: VapidKey | null;
  /** Hosts of push services, '*.' for all below one; in tests also an origin on this machine. */
  pushHosts: readonly string[];
  autoConnect: boolean;
  chatUrl: string | null;
  socialUrl: string | null;
  dataLicense: { name: string; url: string } | null;
  explorerUrl: string | null;
  operatorName: string | null;
  operatorAddress: string | null;
  operatorContact: string | null;
  privacyUrl: string | null;
  privacyFile: string | null;
  termsUrl: string | null;
  termsFile: string | null;
  /** Who may use the site, by the terms: the least age in years, and countries or regions that are left out. Nothing checks either. */
  minAge: number | null;
  excludedRegions: readonly string[];
  serviceWorker: boolean;
  metricsHost: string;
  metricsPort: number | null;
  metricsToken: string | null;
  otlpEndpoint: string | null;
  tracedShare: number;
  serviceName: string;
  workers: number;
  /** Requests of one address that this process takes: its share of the limits, where several share a port (WORKERS). */
  writesPerMinute: number;
  signInsPerMinute: number;
  newWalletsPerHour: number;
  uploadsPerMinute: number;
  readMsPerMinute: number;
  requestsPerSecond: number;
  connectionsPerAddress: number;
}

const defaultExplorer = (network: Env['SUI_NETWORK']): string | null =>
  network === 'localnet' ? null : `https://suiscan.xyz/${network}`;

/** Settings that only make sense together; a line for a person, or null. */
function contradiction(env: Env): string | null {
  return withRealMoney(env) ?? inProduction(env) ?? withPayoutKey(env);
}

/** A stolen or confused key may cost no more than its wallet holds, and no two payers may spend the same coins. */
function withPayoutKey({ PAYOUT_PRIVATE_KEY: key, ...env }: Env): string | null {
  if (!key) return null;
  const address = key.toSuiAddress();
  if (!env.SNAPS_COIN_TYPE) return 'SNAPS_COIN_TYPE is required with PAYOUT_PRIVATE_KEY: it pays in that coin';
  if (address === env.ADMIN_WALLET)
    return 'PAYOUT_PRIVATE_KEY must be the key of a wallet of its own, not of ADMIN_WALLET';
  if (address === env.ANCHOR_PRIVATE_KEY?.toSuiAddress())
    return 'PAYOUT_PRIVATE_KEY and ANCHOR_PRIVATE_KEY must be different keys: both would spend the same coins';
  return null;
}

/** On mainnet people pay: the rules of production apply, however the server is started. */
function withRealMoney(env: Env): string | null {
  if (env.SUI_NETWORK !== 'mainnet') return null;
  if (!env.PUBLIC_ORIGIN?.startsWith('https:'))
    return 'PUBLIC_ORIGIN must be an https address when SUI_NETWORK is mainnet: sessions would travel in the clear';
  if (env.ADMIN_PASSWORD)
    return 'ADMIN_PASSWORD must be empty when SUI_NETWORK is mainnet: set ADMIN_PASSWORD_HASH, made with `npm run hash-password`';
  if (env.PUSH_HOSTS.some((name) => LOOPBACK_ORIGIN.test(name)))
    return 'PUSH_HOSTS must name no address of this machine when SUI_NETWORK is mainnet: that is for tests';
  return null;
}

function inProduction(env: Env): string | null {
  if (!env.ADMIN_PASSWORD && !env.ADMIN_PASSWORD_HASH)
    return 'ADMIN_PASSWORD_HASH (or ADMIN_PASSWORD outside production) is required';
  if (env.NODE_ENV !== 'production') return null;
  if (!env.PUBLIC_ORIGIN) return 'PUBLIC_ORIGIN is required in production, for example https://snapswipe.example';
  if (env.SUI_NETWORK === 'localnet') return null;
  if (!env.ADMIN_PASSWORD_HASH)
    return 'ADMIN_PASSWORD_HASH is required in production; make it with `npm run hash-password`';
  return null;
}

/**
 * Reads the settings; an empty one counts as missing.
 * @throws ConfigError with one line that names the variable and its expected value
 */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0] ?? 'environment');
    const missing = given[name] === undefined;
    throw new ConfigError(
      missing
        ? `${name} is required; see .env.example`
        : `${name}: ${issue?.message ?? 'not usable'}; see .env.example`,
    );
  }
  const env = parsed.data;
  const wrong = contradiction(env);
  if (wrong) throw new ConfigError(`${wrong}; see .env.example`);
  // Each of the processes counts what reaches it.
  const each = (limit: number): number => Math.max(1, Math.ceil(limit / env.WORKERS));
  return {
    env: env.NODE_ENV,
    host: env.HOST,
    port: env.PORT,
    publicOrigin: new URL(env.PUBLIC_ORIGIN ?? `http://localhost:${env.PORT}`).origin,
    trustProxy: env.TRUST_PROXY,
    logLevel: env.LOG_LEVEL,
    logsAddresses: env.LOG_ADDRESSES,
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
    isPooled: env.DATABASE_DIRECT_URL !== undefined && env.DATABASE_DIRECT_URL !== env.DATABASE_URL,
    databaseReplicaUrl: env.DATABASE_REPLICA_URL ?? null,
    databasePool: env.DATABASE_POOL,
    consoleDatabaseUrl: env.CONSOLE_DATABASE_URL ?? null,
    network: env.SUI_NETWORK,
    rpcUrl: env.SUI_RPC_URL ?? defaultRpcUrl(env.SUI_NETWORK),
    faucetUrl: env.SUI_NETWORK === 'localnet' ? (env.SUI_FAUCET_URL ?? 'http://127.0.0.1:9123') : null,
    adminWallet: env.ADMIN_WALLET,
    adminPassword: env.ADMIN_PASSWORD ?? null,
    adminPasswordHash: env.ADMIN_PASSWORD_HASH ?? null,
    snapsCoinType: env.SNAPS_COIN_TYPE ?? null,
    snapsDecimals: env.SNAPS_DECIMALS,
    payoutAutoMaxSnaps: env.PAYOUT_AUTO_MAX_SNAPS ?? null,
    payoutKey: env.PAYOUT_PRIVATE_KEY ?? null,
    payoutDailyMaxSnaps: env.PAYOUT_DAILY_MAX_SNAPS,
    standingMinMist: env.STANDING_MIN_SUI,
    standingMinDays: env.STANDING_MIN_DAYS,
    standingReadsPerSecond: env.STANDING_READS_PER_SECOND,
    logPrivateKey: env.LOG_PRIVATE_KEY ?? null,
    anchorKey: env.ANCHOR_PRIVATE_KEY ?? null,
    logWitnesses: env.LOG_WITNESSES ?? [],
    witnessKey: env.WITNESS_KEY ?? null,
    witnessLogs: env.WITNESS_LOGS ?? [],
    accountKey: env.ACCOUNT_KEY ?? null,
    pushKey: env.PUSH_PRIVATE_KEY ?? null,
    pushHosts: env.PUSH_HOSTS,
    autoConnect: env.WALLET_AUTO_CONNECT,
    chatUrl: env.CHAT_URL ?? null,
    socialUrl: env.SOCIAL_URL ?? null,
    dataLicense: env.DATA_LICENSE ?? null,
    operatorName: env.OPERATOR_NAME ?? null,
    operatorAddress: env.OPERATOR_ADDRESS ?? null,
    operatorContact: env.OPERATOR_CONTACT ?? null,
    privacyUrl: env.PRIVACY_URL ?? null,
    privacyFile: env.PRIVACY_FILE ?? null,
    termsUrl: env.TERMS_URL ?? null,
    termsFile: env.TERMS_FILE ?? null,
    minAge: env.MIN_AGE ?? null,
    excludedRegions: env.EXCLUDED_REGIONS,
    explorerUrl: env.EXPLORER_URL ?? defaultExplorer(env.SUI_NETWORK),
    serviceWorker: env.SERVICE_WORKER,
    metricsHost: env.METRICS_HOST,
    metricsPort: env.METRICS_PORT ?? null,
    metricsToken: env.METRICS_TOKEN ?? null,
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    tracedShare: env.OTEL_TRACES_SAMPLER_ARG,
    serviceName: env.OTEL_SERVICE_NAME ?? 'snapswipe',
    workers: env.WORKERS,
    writesPerMinute: each(env.RATE_LIMIT_WRITES_PER_MINUTE),
    signInsPerMinute: each(env.RATE_LIMIT_SIGN_IN_PER_MINUTE),
    newWalletsPerHour: each(env.NEW_WALLETS_PER_HOUR),
    uploadsPerMinute: each(env.RATE_LIMIT_UPLOADS_PER_MINUTE),
    readMsPerMinute: each(env.RATE_LIMIT_READ_MS_PER_MINUTE),
    requestsPerSecond: each(env.RATE_LIMIT_REQUESTS_PER_SECOND),
    connectionsPerAddress: each(env.CONNECTIONS_PER_ADDRESS),
  };
}
