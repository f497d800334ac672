import type { RhythmWallet } from '#server/figures/standing/rhythm-rule.ts';

/** Crowds of wallets on one network and day, the same for the same seed. People get a personal feed and pause as they like. */

export interface Random {
  next(): number;
  normal(): number;
  shuffle<T>(list: readonly T[]): T[];
}

/** Mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    shuffle<T>(list: readonly T[]): T[] {
      return list
        .map((item) => ({ item, rank: next() }))
        .sort((one, other) => one.rank - other.rank)
        .map(({ item }) => item);
    },
  };
}

export interface HonestCrowd {
  wallets: number;
  listings: number;
  hours: number;
  popular?: number;
}

/** Some like everything, some press the key as fast as it goes, most look. */
export function honestCrowd(random: Random, { wallets, listings, hours, popular }: HonestCrowd): RhythmWallet[] {
  const appeal = Array.from({ length: listings }, () => 0.3 + 0.65 * random.next());
  return Array.from({ length: wallets }, (_, i) => {
    const feed = random.shuffle(appeal.map((_, id) => id)).filter((id) => id !== popular);
    const projects = popular === undefined ? feed : [popular, ...feed];
    const count = Math.min(projects.length, random.next() < 0.4 ? 25 : 1 + Math.floor(24 * random.next()));
    const likesAll = random.next() < 0.15;
    const isHasty = random.next() < 0.05;
    let atMs = random.next() * hours * 3_600_000;
    const votes = projects.slice(0, count).map((projectId) => {
      atMs += isHasty ? 450 * Math.exp(0.2 * random.normal()) : 4_000 * Math.exp(0.6 * random.normal());
      return { projectId, bullish: likesAll || random.next() < (appeal[projectId] ?? 0.5), atMs };
    });
    return { userId: 1 + i, votes };
  });
}

export interface BotCrowd {
  wallets: number;
  listings: number;
  votes: number;
  jitter: number;
  /** listed: all in one order · swapped: that order, each step out of place now and then · own: each in an order of its own. */
  order: 'listed' | 'swapped' | 'own';
}

export function botCrowd(random: Random, { wallets, listings, votes, jitter, order }: BotCrowd): RhythmWallet[] {
  const list = random.shuffle(Array.from({ length: listings }, (_, id) => id)).slice(0, votes);
  return Array.from({ length: wallets }, (_, i) => {
    const own = order === 'own' ? random.shuffle(list) : [...list];
    if (order === 'swapped')
      for (let at = 1; at < own.length; at += 1)
        if (random.next() < 0.1) [own[at - 1], own[at]] = [own[at] ?? 0, own[at - 1] ?? 0];
    let atMs = random.next() * 3_600_000;
    return {
      userId: 1_000_000 + i,
      votes: own.map((projectId) => {
        atMs += 1_000 * (1 + jitter * (2 * random.next() - 1));
        return { projectId, bullish: projectId % 3 === 0, atMs };
      }),
    };
  });
}
