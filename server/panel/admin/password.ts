import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { type Config, ConfigError } from '#server/kit/config.ts';

/** Public, so only for `npm start`. */
export const DEMO_PASSWORD = 'snapswipe-demo';

const COST = { N: 2 ** 15, r: 8, p: 3 };
const KEY_BYTES = 32;

function derive(password: string, salt: Buffer, { N, r, p }: typeof COST): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const maxmem = 256 * N * r;
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { N, r, p, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** A password in the form of ADMIN_PASSWORD_HASH: scrypt$N$r$p$salt$key (base64url). */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

export async function matchesHash(password: string, hash: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = hash.split('$');
  const expected = Buffer.from(key, 'base64url');
  const derived = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

const digest = (text: string): Buffer => createHash('sha256').update(text.normalize('NFKC')).digest();

/** Compares in constant time. The hash overrides a plain password. */
export async function isAdminPassword(
  { adminPassword, adminPasswordHash }: Pick<Config, 'adminPassword' | 'adminPasswordHash'>,
  password: string,
): Promise<boolean> {
  if (adminPasswordHash !== null) return matchesHash(password, adminPasswordHash);
  return adminPassword !== null && timingSafeEqual(digest(password), digest(adminPassword));
}

/** @throws ConfigError on mainnet with the demo's password, hashed or not. */
export async function refuseDemoPassword(
  config: Pick<Config, 'network' | 'adminPassword' | 'adminPasswordHash'>,
): Promise<void> {
  if (config.network === 'mainnet' && (await isAdminPassword(config, DEMO_PASSWORD)))
    throw new ConfigError("ADMIN_PASSWORD_HASH is the demo's password: choose another with `npm run hash-password`");
}
