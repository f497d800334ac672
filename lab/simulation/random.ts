/** Numbers from 0 up to, not including, 1: the same for the same seed and key, independent of the order of calls. */
export function chanceOf(seed: number, ...key: number[]): number {
  let hash = (seed ^ 0x9e37_79b9) >>> 0;
  for (const part of key) {
    hash = Math.imul(hash ^ (part | 0), 0x85eb_ca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
    hash ^= hash >>> 16;
  }
  return (hash >>> 0) / 2 ** 32;
}
