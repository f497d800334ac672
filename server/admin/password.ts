import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';

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

/** A password as ADMIN_PASSWORD_HASH holds it: scrypt$N$r$p$salt$key (base64url). */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

async function matchesHash(password: string, hash: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = hash.split('$');
  const expected = Buffer.from(key, 'base64url');
  const derived = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

const digest = (text: string): Buffer => createHash('sha256').update(text.normalize('NFKC')).digest();

/** Whether this is the admin's password; takes the same time wherever they differ. The hash wins where both are set. */
export async function isAdminPassword(
  { adminPassword, adminPasswordHash }: Pick<Config, 'adminPassword' | 'adminPasswordHash'>,
  password: string,
): Promise<boolean> {
  if (adminPasswordHash !== null) return matchesHash(password, adminPasswordHash);
  return adminPassword !== null && timingSafeEqual(digest(password), digest(adminPassword));
}
