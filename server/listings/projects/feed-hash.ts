export interface Hash64 {
  high: number;
  low: number;
}

const INITIAL = (0x9e3779b9 + 4 + 3923095) | 0;
const UINT32 = 0x1_0000_0000;

const rotate = (x: number, bits: number): number => (x << bits) | (x >>> (32 - bits));

/** PostgreSQL's `hashint8extended(value, seed)` for values up to 2^53 (Bob Jenkins' lookup3, unchanged since PostgreSQL 11). */
export function hashInt8(value: number, seed: Hash64): Hash64 {
  let [a, b, c] = [INITIAL, INITIAL, INITIAL];
  if (seed.high !== 0 || seed.low !== 0) {
    a = (a + seed.high) | 0;
    b = (b + seed.low) | 0;
    a = ((a - c) | 0) ^ rotate(c, 4);
    c = (c + b) | 0;
    b = ((b - a) | 0) ^ rotate(a, 6);
    a = (a + c) | 0;
    c = ((c - b) | 0) ^ rotate(b, 8);
    b = (b + a) | 0;
    a = ((a - c) | 0) ^ rotate(c, 16);
    c = (c + b) | 0;
    b = ((b - a) | 0) ^ rotate(a, 19);
    a = (a + c) | 0;
    c = ((c - b) | 0) ^ rotate(b, 4);
    b = (b + a) | 0;
  }
  a = (a + ((value | 0) ^ Math.floor(value / UINT32))) | 0;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  c = ((c ^ b) - rotate(b, 24)) | 0;
  return { high: b, low: c >>> 0 };
}

export const toSeed = (value: number): Hash64 => ({ high: Math.floor(value / UINT32) | 0, low: value >>> 0 });

export const compareHashes = (one: Hash64, other: Hash64): number => one.high - other.high || one.low - other.low;
