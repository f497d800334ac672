import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { parseSecret, pseudonymOf } from './secrets.ts';

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

test('a secret is 32 bytes in base64url, and nothing else [R42]', () => {
  const text = Buffer.from(SECRET).toString('base64url');
  expect(parseSecret(text)).toEqual(SECRET);
  for (const wrong of ['', text.slice(1), `${text}=`, `${text}A`, text.replace('A', '+'), `${text.slice(0, -1)}9`]) {
    expect(parseSecret(wrong)).toBeNull();
  }
});
