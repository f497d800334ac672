/** Pseudo-random numbers from a text: the same text, the same numbers, on every machine. */
export interface Random {
  /** 0 up to, not including, 1. */
  next(): number;
  range(min: number, max: number): number;
  /** Whole number from min to max, both included. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  shuffle<T>(list: readonly T[]): T[];
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

/** FNV-1a of the text starts a mulberry32 sequence. */
export function randomFrom(text: string): Random {
  let state = hash(text);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const pick = <T>(list: readonly T[]): T => {
    const item = list[int(0, list.length - 1)];
    if (item === undefined) throw new RangeError('cannot pick from an empty list');
    return item;
  };
  const shuffle = <T>(list: readonly T[]): T[] => {
    const rest = [...list];
    const shuffled: T[] = [];
    while (rest.length > 0) shuffled.push(...rest.splice(int(0, rest.length - 1), 1));
    return shuffled;
  };
  return {
    next,
    int,
    pick,
    shuffle,
    range: (min, max) => min + next() * (max - min),
    chance: (probability) => next() < probability,
  };
}

/** Smooth noise over the plane, 0..1, one hill or hollow for about each unit. */
export function noiseField(random: Random): (x: number, y: number) => number {
  const salt = random.int(1, 2 ** 30);
  const corner = (x: number, y: number): number => {
    let value = Math.imul(x, 374_761_393) ^ Math.imul(y, 668_265_263) ^ salt;
    value = Math.imul(value ^ (value >>> 13), 1_274_126_177);
    return ((value ^ (value >>> 16)) >>> 0) / 2 ** 32;
  };
  const ease = (t: number): number => t * t * (3 - 2 * t);
  return (x, y) => {
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const [u, v] = [ease(x - left), ease(y - top)];
    const upper = corner(left, top) * (1 - u) + corner(left + 1, top) * u;
    const lower = corner(left, top + 1) * (1 - u) + corner(left + 1, top + 1) * u;
    return upper * (1 - v) + lower * v;
  };
}
