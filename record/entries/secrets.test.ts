import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { toBase64Url } from './base64url.ts';
import { owedLeaves, parseSecret, pseudonymOf } from './secrets.ts';

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

test("a user's balance and held Snaps are two leaves with another salt and another cut each day [R40 R64]", () => {
  const seed = createHash('sha256').update('snapswipe owed v1\n').update(SECRET).update('2026-08-01').digest();
  const cut = (seed.readBigUInt64BE(16) & 0x7fff_ffff_ffff_ffffn) % 12_396n;
  const hashOf = (number: number): string => {
    const leaf = createHash('sha256')
      .update(Uint8Array.of(0))
      .update(seed.subarray(0, 16))
      .update(Uint8Array.of(number));
    leaf.update(Uint8Array.of(0, 0, 0, 0, 0, 0, 0x30, 0x39)).update(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 50));
    return leaf.digest('base64url');
  };
  const leaves = owedLeaves(SECRET, '2026-08-01', { balance: 12_345n, held: 50n });
  expect(leaves.map(({ hash, sum }) => [toBase64Url(hash), sum])).toEqual([
    [hashOf(1), cut],
    [hashOf(2), 12_395n - cut],
  ]);
  const [other] = owedLeaves(SECRET, '2026-08-02', { balance: 12_345n, held: 50n });
  expect([other.hash, other.sum]).not.toEqual([leaves[0].hash, cut]);
  expect(owedLeaves(SECRET, '2026-08-01', { balance: 12_395n, held: 0n })[0].hash).not.toEqual(leaves[0].hash);
});

test('over many days each leaf has any part of the amount, and both together all of it [R42]', () => {
  const days = Array.from({ length: 2_000 }, (_, at) => `day ${at}`);
  const leaves = days.map((day) => owedLeaves(SECRET, day, { balance: 3n, held: 0n }));
  expect(leaves.every(([one, other]) => one.sum + other.sum === 3n)).toBe(true);
  for (const part of [0n, 1n, 2n, 3n]) {
    const share = leaves.filter(([one]) => one.sum === part).length / leaves.length;
    expect(share).toBeCloseTo(0.25, 1);
  }
});

test.each([
  { balance: -1n, held: 2n },
  { balance: 2n ** 63n, held: 0n },
])('rejects amounts of $balance and $held Snaps', (owed) => {
  expect(() => owedLeaves(SECRET, '2026-08-01', owed)).toThrow(RangeError);
});

test('a secret is 32 bytes in base64url, and nothing else [R42]', () => {
  const text = Buffer.from(SECRET).toString('base64url');
  expect(parseSecret(text)).toEqual(SECRET);
  for (const wrong of ['', text.slice(1), `${text}=`, `${text}A`, text.replace('A', '+'), `${text.slice(0, -1)}9`]) {
    expect(parseSecret(wrong)).toBeNull();
  }
});
