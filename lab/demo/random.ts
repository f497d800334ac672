/** Pseudo-random numbers from a text: the same text gives the same numbers on every machine. */
export interface Random {
  /** 0 up to, not including, 1. */
  next(): number;
  range(min: number, max: number): number;
  /** Whole number from min to max, both included. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  shuffle<T>(list: readonly T[]): T[];
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

export function randomFrom(text: string): Random {
  let state = hash(text);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const shuffle = <T>(list: readonly T[]): T[] => {
    const rest = [...list];
    const shuffled: T[] = [];
    while (rest.length > 0) shuffled.push(...rest.splice(int(0, rest.length - 1), 1));
    return shuffled;
  };
  return {
    next,
    int,
    shuffle,
    range: (min, max) => min + next() * (max - min),
    chance: (probability) => next() < probability,
  };
}
