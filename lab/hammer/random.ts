/** A seeded source of numbers (mulberry32): the same seed makes the same requests on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.below(items.length)] ?? items[0];
  }

  /** The same items in another order. */
  shuffled<T>(items: readonly T[]): T[] {
    const keys = new Map(items.map((item) => [item, this.next()]));
    return items.toSorted((one, other) => (keys.get(one) ?? 0) - (keys.get(other) ?? 0));
  }
}

/** The source for one numbered item of a run, independent of earlier ones. */
export const randomOf = (seed: number, n: number): Random =>
  new Random(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(n + 1, 0xc2b2ae35));
