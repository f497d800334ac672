import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { toBase64Url } from './base64url.ts';
import { owedLeaf, parseSecret, pseudonymOf } from './secrets.ts';

const SECRET = Uint8Array.from({ length: 32 }, (_, at) => at);

test('a pseudonym is half of a SHA-256 of secret and project [R40]', () => {
  expect(pseudonymOf(SECRET, 7)).toBe('4Zigkj6RrlePSJ5djJbXpQ');
  expect(pseudonymOf(SECRET, 8)).not.toBe(pseudonymOf(SECRET, 7));
  const secret = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(secret, fc.nat({ max: Number.MAX_SAFE_INTEGER }), (bytes, project) => {
      const id = Buffer.alloc(8);
      id.writeBigUInt64BE(BigInt(project));
      const hash = createHash('sha256').update(bytes).update(id).digest();
      return pseudonymOf(bytes, project) === hash.subarray(0, 16).toString('base64url');
    }),
    runs(),
  );
});

test("the leaf of a user's balance and held Snaps has another salt each day [R40 R64]", () => {
  const salt = createHash('sha256')
    .update('snapswipe owed v2\n')
    .update(SECRET)
    .update('2026-08-01')
    .digest()
    .subarray(0, 16);
  const leaf = createHash('sha256').update(Uint8Array.of(0)).update(salt);
  leaf.update(Uint8Array.of(0, 0, 0, 0, 0, 0, 0x30, 0x39)).update(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 50));
  const { hash, sum } = owedLeaf(SECRET, '2026-08-01', { balance: 12_345n, held: 50n });
  expect(sum).toBe(12_395n);
  expect(toBase64Url(hash)).toBe(leaf.digest('base64url'));
  expect(owedLeaf(SECRET, '2026-08-02', { balance: 12_345n, held: 50n }).hash).not.toEqual(hash);
  expect(owedLeaf(SECRET, '2026-08-01', { balance: 12_395n, held: 0n }).hash).not.toEqual(hash);
});

test('a secret is 32 bytes in base64url, and nothing else [R42]', () => {
  const text = Buffer.from(SECRET).toString('base64url');
  expect(parseSecret(text)).toEqual(SECRET);
  for (const wrong of ['', text.slice(1), `${text}=`, `${text}A`, text.replace('A', '+'), `${text.slice(0, -1)}9`]) {
    expect(parseSecret(wrong)).toBeNull();
  }
});
