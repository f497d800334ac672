import { describe, expect, test } from 'vitest';
import { type BotCrowd, botCrowd, type HonestCrowd, honestCrowd, randomOf } from '../testing/crowds.ts';
import { chanceOfOrder, findRhythm, paceSpread, RHYTHM } from './rhythm-rule.ts';

const SEEDS = [1, 2, 3];

describe('honest crowds are left alone: at most one wallet in 200 [R39]', () => {
  test.each<[what: string, crowd: HonestCrowd]>([
    ['an office behind one address', { wallets: 40, listings: 40, hours: 8 }],
    ['the Wi-Fi of a conference', { wallets: 600, listings: 40, hours: 1 }],
    ['everybody begins with a popular project', { wallets: 600, listings: 40, hours: 1, popular: 3 }],
    ['a mobile network', { wallets: 2_000, listings: 120, hours: 24 }],
    ['a site with eight listings', { wallets: 300, listings: 8, hours: 2 }],
  ])('%s', (_what, crowd) => {
    const found = SEEDS.map((seed) => findRhythm(honestCrowd(randomOf(seed), crowd)).length);
    expect(Math.max(...found) / crowd.wallets).toBeLessThanOrEqual(0.005);
  });
});

/** The share of the bots that is found, in the middle of an honest office. */
function shareFound(crowd: Omit<BotCrowd, 'listings'>): { recall: number; honest: number } {
  const counts = SEEDS.map((seed) => {
    const random = randomOf(seed);
    const office = honestCrowd(random, { wallets: 40, listings: 40, hours: 8 });
    const found = findRhythm([...office, ...botCrowd(random, { ...crowd, listings: 40 })]);
    return [found.filter(({ userId }) => userId >= 1_000_000).length / crowd.wallets, found.length] as const;
  });
  const least = Math.min(...counts.map(([share]) => share));
  const honest = Math.max(...counts.map(([share, all]) => all - share * crowd.wallets));
  return { recall: least, honest };
}

describe('bots that work through a list are found, with and without jitter', () => {
  const SIZES = [10, 100, 1_000];
  const KINDS: Array<[what: string, kind: Pick<BotCrowd, 'votes' | 'jitter' | 'order'>]> = [
    ['one list', { votes: 25, jitter: 0, order: 'listed' }],
    ['one list, with jitter', { votes: 25, jitter: 0.5, order: 'listed' }],
    ['one list, with pauses of any length', { votes: 25, jitter: 1, order: 'listed' }],
    ['a short list', { votes: 10, jitter: 1, order: 'listed' }],
    ['one list, now and then out of order', { votes: 25, jitter: 1, order: 'swapped' }],
    ['orders of their own, like clockwork', { votes: 25, jitter: 0.1, order: 'own' }],
  ];
  test.each(KINDS.flatMap(([what, kind]) => SIZES.map((wallets) => [what, { ...kind, wallets }] as const)))(
    '%s: $wallets [R39]',
    (_what, crowd) => {
      const found = shareFound(crowd);
      expect(found.recall).toBeGreaterThanOrEqual(0.95);
      expect(found.honest).toBeLessThanOrEqual(0.2);
    },
  );

  test.each<[what: string, kind: Pick<BotCrowd, 'votes' | 'jitter' | 'order'>]>([
    ['one vote each', { votes: 1, jitter: 1, order: 'listed' }],
    ['fewer votes than the rule compares', { votes: 6, jitter: 1, order: 'listed' }],
    ['orders of their own, and pauses like those of people', { votes: 25, jitter: 0.9, order: 'own' }],
  ])('the rule does not see %s, as its page says: standing has its price there [R39]', (_what, kind) => {
    expect(shareFound({ ...kind, wallets: 100 }).recall).toBeLessThanOrEqual(0.01);
  });
});

describe('the thresholds', () => {
  const wallet = (userId: number, pauses: readonly number[], ids = pauses.map((_, i) => i)) => {
    let atMs = 0;
    return {
      userId,
      votes: pauses.map((pause, i) => ({ projectId: ids[i] ?? 0, bullish: true, atMs: (atMs += pause) })),
    };
  };
  const uneven = (count: number) => Array.from({ length: count }, (_, i) => 1_000 * (1 + ((i * 7) % 5)));

  test('three others have to be alike, and seven votes long [R39]', () => {
    const group = (wallets: number, votes: number) =>
      findRhythm(Array.from({ length: wallets }, (_, i) => wallet(i, uneven(votes))));
    expect(group(4, 7).map(({ rule, alike }) => [rule, alike])).toEqual(Array.from({ length: 4 }, () => ['order', 3]));
    expect(group(3, 7)).toEqual([]);
    expect(group(4, 6)).toEqual([]);
  });

  test('the same projects in another order are no evidence, however many wallets agree [R39]', () => {
    const random = randomOf(7);
    const ids = Array.from({ length: 25 }, (_, i) => i);
    const group = Array.from({ length: 50 }, (_, i) => wallet(i, uneven(25), random.shuffle(ids)));
    expect(findRhythm(group)).toEqual([]);
  });

  test('chance is computed from the votes in common: the larger the network, the more it takes [R39]', () => {
    expect(chanceOfOrder(7, 7)).toBeCloseTo(1 / 5_040, 12);
    expect(chanceOfOrder(8, 7)).toBeCloseTo(8 / 5_040, 12);
    const group = (wallets: number) => findRhythm(Array.from({ length: wallets }, (_, i) => wallet(i, uneven(7))));
    // One in 5,040 for each of the others: 5 % at 253 wallets.
    expect(group(250)).toHaveLength(250);
    expect(group(256)).toEqual([]);
  });

  test('a pace is measured without breaks, and from twelve votes on [R39]', () => {
    const steady = Array.from({ length: 12 }, () => 1_000);
    expect(paceSpread(wallet(1, steady))).toBe(0);
    expect(paceSpread(wallet(1, steady.slice(1)))).toBeNull();
    expect(paceSpread(wallet(1, [...steady, 3_600_000, 1_000]))).toBe(0);
    expect(paceSpread(wallet(1, uneven(20)))).toBeGreaterThan(RHYTHM.maxPaceSpread);
  });
});
