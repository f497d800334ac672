import { randomInt } from 'node:crypto';

/** Sightings per bucket; the oldest of a full bucket is evicted. */
const WAYS = 4;

function mix(seed: number, userId: number, text: string): number {
  let hash = Math.imul(seed ^ (userId | 0), 0x9e37_79b1) ^ Math.floor(userId / 2 ** 32);
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export interface Seen {
  has(userId: number, address: string): boolean;
  add(userId: number, address: string): void;
  delete(userId: number, address: string): void;
  clear(): void;
}

/**
 * Table of `capacity` sightings (a power of two). About once in a thousand million times, an unknown sighting is
 * mistaken for a known one. A known one is evicted when four others fall into its bucket, which only costs another
 * note.
 */
export function createSeen(capacity: number): Seen {
  const [seed, other] = [randomInt(2 ** 32), randomInt(2 ** 32)];
  const table = new Uint32Array(capacity);
  const buckets = capacity / WAYS;
  const printOf = (userId: number, address: string): number => mix(other, userId, address) || 1;
  const bucketOf = (userId: number, address: string): number => (mix(seed, userId, address) % buckets) * WAYS;

  function find(userId: number, address: string): number {
    const [start, print] = [bucketOf(userId, address), printOf(userId, address)];
    for (let at = start; at < start + WAYS; at += 1) if (table[at] === print) return at;
    return -1;
  }

  return {
    has: (userId, address) => find(userId, address) >= 0,
    add(userId, address) {
      if (find(userId, address) >= 0) return;
      const start = bucketOf(userId, address);
      table.copyWithin(start + 1, start, start + WAYS - 1);
      table[start] = printOf(userId, address);
    },
    delete(userId, address) {
      const at = find(userId, address);
      if (at >= 0) table[at] = 0;
    },
    clear: () => void table.fill(0),
  };
}
