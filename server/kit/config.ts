import { createECDH } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { z } from 'zod';
import { databaseUrlProblem } from '#db/database-url.ts';
import { coinType } from '#shared/listings/coin-type.ts';
import { MIN_WITHDRAWAL_TOKENS, MIST_PER_SUI, SUI_NETWORKS } from '#shared/constants.ts';
import { type Algorithm, NoteError, parseVerifier, type Verifier } from '#record/log/note.ts';
import { normalizeAddress } from '#chain/address.ts';
import { defaultRpcUrl } from '#chain/client.ts';
import { parseTrustedProxies } from './trusted-proxies.ts';

/** A wrong or missing setting; its message is one line for the operator. */
export class ConfigError extends Error {}

const listOf = (text: string, separator = ','): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

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
const databaseUrl = z.string().superRefine((url, context) => {
  const problem = databaseUrlProblem(url);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an address such as https://snapswipe.example' });
const origin = httpUrl.refine((text) => !URL.canParse(text) || new URL(text).href === `${new URL(text).origin}/`, {
  message: 'must be an origin without a path, such as https://snapswipe.example: the site has its host to itself',
});
const host = z.string().refine((text) => isIP(text) !== 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text), {
  message: 'must be an IP address or the name of a host, without a port, such as 127.0.0.1',
});
const ROOT = path.join(import.meta.dirname, '../..');
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
const ownText = z.string().transform((text, ctx): OwnText => {
  if (httpUrl.safeParse(text).success) return { url: text };
  const file = readableFile.safeParse(text);
  if (file.success) return { file: file.data };
  ctx.addIssue({ code: 'custom', message: file.error.issues[0]?.message ?? 'must be an address or a file' });
  return z.NEVER;
});
export type OwnText = { url: string; file?: never } | { file: string; url?: never };
const MAX_REGIONS = 50;
const REGION = /^[\p{L}\p{M}][\p{L}\p{M}\p{Pd}'’.() ]{1,59}$/u;
const regions = z
  .string()
  .default('')
  .transform((text) => [...new Set(listOf(text))])
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

const license = z.string().transform((text, ctx) => {
  const at = text.lastIndexOf(' ');
  const [name, url] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1)];
  if (name !== '' && httpUrl.safeParse(url).success) return { name, url };
  ctx.addIssue({ code: 'custom', message: 'must be a name and an address, such as CC0 https://example.org/license' });
  return z.NEVER;
});

function verifierOf(text: string, algorithm: Algorithm): Verifier | null {
  try {
    return parseVerifier(text, algorithm);
  } catch (error) {
    if (error instanceof NoteError) return null;
    throw error;
  }
}

/** Chrome, Chromium built without Google's keys (jmt17), old Chromium, Firefox, Safari, Edge. */
const PUSH_SERVICES =
  'fcm.googleapis.com,jmt17.google.com,android.googleapis.com,*.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com';
const PUSH_HOST = /^(?:\*\.)?[a-z\d][a-z\d-]*(?:\.[a-z\d][a-z\d-]*)+$/;
const LOOPBACK_ORIGIN = /^http:\/\/127\.0\.0\.1:\d{1,5}$/;
const pushHosts = z
  .string()
  .default(PUSH_SERVICES)
  .transform((text) => listOf(text))
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
    message: 'must be witnesses separated by commas, each an Ed25519 key, a space, and an address',
  });
  return z.NEVER;
});

export interface Witness {
  verifier: Verifier;
  url: string;
}

interface VapidKey {
  publicKey: string;
  privateKey: string;
}

const setting = <T extends z.ZodType>(name: string, type: T): T => type.describe(name);
const optional = <T extends z.ZodType>(name: string, type: T) => setting(name, type.nullable().default(null));

/** Every setting, by its field in the config; the description is its name. `.env.example` explains them. */
const Settings = z.object({
  host: setting('HOST', host.default('127.0.0.1')),
  port: setting('PORT', z.coerce.number().int().min(0).max(65_535).default(3000)),
  publicOrigin: optional('PUBLIC_ORIGIN', origin),
  hstsSubdomains: setting('HSTS_SUBDOMAINS', flag.default(false)),
  trustProxy: setting('TRUST_PROXY', trustedProxies),
  logLevel: setting(
    'LOG_LEVEL',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ),
  logsAddresses: setting('LOG_ADDRESSES', flag.default(false)),
  databaseUrl: setting('DATABASE_URL', databaseUrl),
  /** A direct connection for LISTEN, migrations and the console, which a pooler in transaction mode cannot carry. */
  databaseDirectUrl: optional('DATABASE_DIRECT_URL', databaseUrl),
  databaseReplicaUrl: optional('DATABASE_REPLICA_URL', databaseUrl),
  databasePool: setting('DATABASE_POOL', count(16, 2)),
  consoleDatabaseUrl: optional('CONSOLE_DATABASE_URL', databaseUrl),
  network: setting('SUI_NETWORK', z.enum(SUI_NETWORKS).default('devnet')),
  rpcUrl: optional('SUI_RPC_URL', httpUrl),
  faucetUrl: optional('SUI_FAUCET_URL', httpUrl),
  adminWallet: setting('ADMIN_WALLET', ownedAddress),
  adminPassword: optional('ADMIN_PASSWORD', z.string().min(8, 'must have at least 8 characters')),
  adminPasswordHash: optional(
    'ADMIN_PASSWORD_HASH',
    z
      .string()
      .regex(PASSWORD_HASH, 'must be made by `npm run hash-password`')
      .refine(hasSoundCosts, 'has costs that are too low or too high; make it by `npm run hash-password`'),
  ),
  snapsCoinType: optional(
    'SNAPS_COIN_TYPE',
    z.string().transform((text, context) => {
      const type = coinType(text);
      if (type === null) context.addIssue('must be a coin type like 0x2::sui::SUI');
      return type ?? z.NEVER;
    }),
  ),
  snapsBook: optional('SNAPS_BOOK', address),
  snapsDecimals: setting('SNAPS_DECIMALS', count(6, 0)),
  payoutKey: optional('PAYOUT_PRIVATE_KEY', suiKey),
  payoutDailyMaxSnaps: setting(
    'PAYOUT_DAILY_MAX_SNAPS',
    z.coerce.number().int().min(MIN_WITHDRAWAL_TOKENS).max(MAX_AUTO_SNAPS).default(10_000),
  ),
  /** The most that the rule approves for one wallet in 30 days; null: a person approves each withdrawal (R79). */
  payoutAutoMaxSnaps: optional(
    'PAYOUT_AUTO_MAX_SNAPS',
    z.coerce.number().int().min(MIN_WITHDRAWAL_TOKENS).max(MAX_AUTO_SNAPS),
  ),
  standingMinMist: setting(
    'STANDING_MIN_SUI',
    sui('1').refine((mist) => mist > 0n, 'must be more than 0'),
  ),
  standingMinDays: setting('STANDING_MIN_DAYS', count(7, 0)),
  standingReadsPerSecond: setting('STANDING_READS_PER_SECOND', count(250)),
  logPrivateKey: optional('LOG_PRIVATE_KEY', secretKey),
  anchorKey: optional('ANCHOR_PRIVATE_KEY', suiKey),
  logWitnesses: setting('LOG_WITNESSES', witnesses.default([])),
  accountKey: optional('ACCOUNT_KEY', secretKey),
  pushKey: optional('PUSH_PRIVATE_KEY', vapidKey),
  /** Hosts of push services, '*.' for all below one; in tests also an origin on this machine. */
  pushHosts: setting('PUSH_HOSTS', pushHosts),
  autoConnect: setting('WALLET_AUTO_CONNECT', flag.default(false)),
  chatUrl: optional('CHAT_URL', httpUrl),
  socialUrl: optional('SOCIAL_URL', httpUrl),
  dataLicense: optional('DATA_LICENSE', license),
  operator: optional(
    'OPERATOR',
    z.string().transform((text) => listOf(text, ';')),
  ),
  privacyText: optional('PRIVACY_TEXT', ownText),
  termsText: optional('TERMS_TEXT', ownText),
  /** Part of the terms: nothing checks ages or places. */
  minAge: optional('MIN_AGE', z.coerce.number().int().min(1).max(120)),
  excludedRegions: setting('EXCLUDED_REGIONS', regions),
  serviceWorker: setting('SERVICE_WORKER', flag.default(true)),
  metricsHost: setting('METRICS_HOST', host.default('127.0.0.1')),
  metricsPort: optional('METRICS_PORT', z.coerce.number().int().min(1).max(65_535)),
  metricsToken: optional(
    'METRICS_TOKEN',
    z.string().regex(/^[\w.~+/=-]{16,}$/, 'must have at least 16 characters, none of them a space'),
  ),
  workers: setting('WORKERS', count(1)),
  rateLimitFactor: setting('RATE_LIMIT_FACTOR', z.coerce.number().min(0.001).max(1_000_000).default(1)),
  newWalletsPerHour: setting('NEW_WALLETS_PER_HOUR', count(300)),
});
/** Set by the script that starts the server, not by the operator. */
const NodeEnv = z.enum(['production', 'development', 'test']).default('development');
type Given = z.output<typeof Settings> & { env: z.output<typeof NodeEnv> };

export const SETTING_NAMES = Object.values(Settings.shape).map(({ description = '' }) => description);

function contradiction(given: Given): string | null {
  return withRealMoney(given) ?? inProduction(given) ?? withAnchorKey(given) ?? withPayoutKey(given) ?? withBook(given);
}

/** A verifier takes each payment of the anchor wallet for a root of the record. */
const withAnchorKey = ({ anchorKey, adminWallet }: Given): string | null =>
  anchorKey?.toSuiAddress() === adminWallet
    ? 'ANCHOR_PRIVATE_KEY must be the key of a wallet of its own, not of ADMIN_WALLET'
    : null;

const withBook = ({ snapsBook, snapsCoinType }: Given): string | null =>
  snapsBook && !snapsCoinType ? 'SNAPS_COIN_TYPE is required with SNAPS_BOOK: the Book is of that coin' : null;

/** A stolen key costs no more than its wallet holds. */
function withPayoutKey({ payoutKey, ...given }: Given): string | null {
  if (!payoutKey) return null;
  const address = payoutKey.toSuiAddress();
  if (!given.snapsCoinType) return 'SNAPS_COIN_TYPE is required with PAYOUT_PRIVATE_KEY: it pays in that coin';
  if (address === given.adminWallet)
    return 'PAYOUT_PRIVATE_KEY must be the key of a wallet of its own, not of ADMIN_WALLET';
  if (address === given.anchorKey?.toSuiAddress())
    return 'PAYOUT_PRIVATE_KEY and ANCHOR_PRIVATE_KEY must be different keys: both would spend the same coins';
  return null;
}

/** On mainnet people pay: the rules of production apply, however the server is started. */
function withRealMoney(given: Given): string | null {
  if (given.network !== 'mainnet') return null;
  if (!given.publicOrigin?.startsWith('https:'))
    return 'PUBLIC_ORIGIN must be an https address when SUI_NETWORK is mainnet: sessions would travel in the clear';
  if (given.adminPassword)
    return 'ADMIN_PASSWORD must be empty when SUI_NETWORK is mainnet: set ADMIN_PASSWORD_HASH, made with `npm run hash-password`';
  if (given.pushHosts.some((name) => LOOPBACK_ORIGIN.test(name)))
    return 'PUSH_HOSTS must name no address of this machine when SUI_NETWORK is mainnet: that is for tests';
  return null;
}

function inProduction(given: Given): string | null {
  if (!given.adminPassword && !given.adminPasswordHash)
    return 'ADMIN_PASSWORD_HASH (or ADMIN_PASSWORD outside production) is required';
  if (given.env !== 'production') return null;
  if (!given.publicOrigin) return 'PUBLIC_ORIGIN is required in production, for example https://snapswipe.example';
  if (given.network === 'localnet') return null;
  if (!given.adminPasswordHash)
    return 'ADMIN_PASSWORD_HASH is required in production; make it with `npm run hash-password`';
  return null;
}

/** An empty setting counts as missing. @throws ConfigError with one line that names the setting */
export function readConfig(source: Record<string, string | undefined> = process.env) {
  const values = Object.entries(Settings.shape).map(([field, { description = '' }]) => [
    field,
    source[description] || undefined,
  ]);
  const input = Object.fromEntries(values) as Record<string, string | undefined>;
  const parsed = Settings.safeParse(input);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = String(issue?.path[0]);
    const name = Object.entries(Settings.shape).find(([key]) => key === field)?.[1].description;
    throw new ConfigError(
      input[field] === undefined
        ? `${name} is required; see .env.example`
        : `${name}: ${issue?.message}; see .env.example`,
    );
  }
  const given = { ...parsed.data, env: NodeEnv.parse(source.NODE_ENV || undefined) };
  const wrong = contradiction(given);
  if (wrong) throw new ConfigError(`${wrong}; see .env.example`);
  const { network, databaseUrl } = given;
  const databaseDirectUrl = given.databaseDirectUrl ?? databaseUrl;
  // Limits are divided, because each process that shares a port counts only its own requests.
  const share = (limit: number): number => Math.max(1, Math.ceil(limit / given.workers));
  const perAddress = (limit: number): number => share(limit * given.rateLimitFactor);
  return {
    ...given,
    publicOrigin: new URL(given.publicOrigin ?? `http://localhost:${given.port}`).origin,
    databaseDirectUrl,
    /** `databaseUrl` is that of a pooler. */
    isPooled: databaseDirectUrl !== databaseUrl,
    rpcUrl: given.rpcUrl ?? defaultRpcUrl(network),
    faucetUrl: network === 'localnet' ? (given.faucetUrl ?? 'http://127.0.0.1:9123') : null,
    /** No explorer knows a local chain. */
    explorerUrl: network === 'localnet' ? null : `https://suiscan.xyz/${network}`,
    newWalletsPerHour: share(given.newWalletsPerHour),
    /** Milliseconds of one core that sign-ins and reads outside the cache may cost. */
    readMsPerMinute: perAddress(6_000),
    requestsPerSecond: perAddress(300),
  };
}

export type Config = ReturnType<typeof readConfig>;
