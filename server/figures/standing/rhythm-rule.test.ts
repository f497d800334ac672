import { describe, expect, test } from 'vitest';
import { type BotCrowd, botCrowd, type HonestCrowd, honestCrowd, type Random, randomOf } from '#lab/testing/crowds.ts';
import { chanceOfOrder, findRhythm, paceSpread, RHYTHM, type RhythmWallet } from './rhythm-rule.ts';

const SEEDS = [1, 2, 3];

test.each<[what: string, crowd: HonestCrowd]>([
  ['an office behind one address', { wallets: 40, listings: 40, hours: 8 }],
  ['the Wi-Fi of a conference', { wallets: 600, listings: 40, hours: 1 }],
  ['everybody begins with a popular project', { wallets: 600, listings: 40, hours: 1, popular: 3 }],
  ['a mobile network', { wallets: 2_000, listings: 120, hours: 24 }],
  ['a site with eight listings', { wallets: 300, listings: 8, hours: 2 }],
])('the rule sets aside at most one wallet in 200: %s [R39]', (_what, crowd) => {
  const found = SEEDS.map((seed) => findRhythm(honestCrowd(randomOf(seed), crowd)).length);
  expect(Math.max(...found) / crowd.wallets).toBeLessThanOrEqual(0.005);
});

/** The share of the bots that is found, all except the first of them, in the middle of an honest office. */
function shareFound(crowd: Omit<BotCrowd, 'listings'>): { recall: number; honest: number } {
  const counts = SEEDS.map((seed) => {
    const random = randomOf(seed);
    const office = honestCrowd(random, { wallets: 40, listings: 40, hours: 8 });
    const found = findRhythm([...office, ...botCrowd(random, { ...crowd, listings: 40 })]);
    const bots = found.filter(({ userId }) => userId >= 1_000_000).length;
    return [bots / (crowd.wallets - 1), found.length - bots] as const;
  });
  const least = Math.min(...counts.map(([share]) => share));
  const honest = Math.max(...counts.map(([, others]) => others));
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
    ['separate orders, like clockwork', { votes: 25, jitter: 0.1, order: 'own' }],
  ];
  test.each(KINDS.flatMap(([what, kind]) => SIZES.map((wallets) => [what, wallets, kind] as const)))(
    'the rule finds bots that vote by %s, %i of them [R39]',
    (_what, wallets, kind) => {
      const found = shareFound({ ...kind, wallets });
      // One of a thousand bots: the one that began first may not be the one that continued first.
      expect(found.recall).toBeGreaterThan(wallets < 1_000 ? 0.999 : 0.998);
      expect(found.honest).toBe(0);
    },
  );

  test.each<[what: string, kind: Pick<BotCrowd, 'votes' | 'jitter' | 'order'>]>([
    ['one vote each', { votes: 1, jitter: 1, order: 'listed' }],
    ['fewer votes than the rule compares', { votes: 6, jitter: 1, order: 'listed' }],
    ['separate orders, and pauses like those of people', { votes: 25, jitter: 0.9, order: 'own' }],
  ])('the rule does not detect %s, as its page admits [R39]', (_what, kind) => {
    expect(shareFound({ ...kind, wallets: 100 }).recall).toBeLessThanOrEqual(0.01);
  });
});

describe('a wallet that is copied keeps its votes', () => {
  const DAYS = 50;
  const HOUR_MS = 3_600_000;
  const VICTIM = 7;

  /** An office of 40, of which one wallet with at least eight votes is copied; the ids that are set aside on each of 50 days. */
  function framedOn(copy: (victim: RhythmWallet, random: Random) => RhythmWallet[], hasStanding = false): number[][] {
    return Array.from({ length: DAYS }, (_, day) => {
      const random = randomOf(1_000 + day);
      const office = honestCrowd(random, { wallets: 40, listings: 40, hours: 8 });
      const busy = office.find(({ votes }) => votes.length >= 8);
      if (!busy) throw new Error('nobody in this office is busy');
      const victim = { ...busy, userId: VICTIM, hasStanding };
      const others = office
        .filter((wallet) => wallet !== busy)
        .map((wallet) => ({ ...wallet, userId: 100 + wallet.userId }));
      return findRhythm([...others, victim, ...copy(victim, random)]).map(({ userId }) => userId);
    });
  }
  const copyOf = (victim: RhythmWallet, userId: number, laterMs: number): RhythmWallet => ({
    userId,
    votes: victim.votes.map((vote) => ({ ...vote, atMs: vote.atMs + laterMs })),
  });
  const COPIES = [1, 2, 3].map((n) => 1_000_000 + n);

  test('three copies 3 s, 1 h and 9 h later are set aside on each of 50 days, and the wallet they copy on none [R39]', () => {
    const found = framedOn((victim) =>
      [3_000, HOUR_MS, 9 * HOUR_MS].map((laterMs, at) => copyOf(victim, COPIES[at] ?? 0, laterMs)),
    );
    for (const ids of found) expect(ids.toSorted((one, other) => one - other)).toEqual(COPIES);
  });

  test('a copied wallet keeps its votes even if the copies begin their day earlier with another vote [R39]', () => {
    const found = framedOn((victim) =>
      COPIES.map((userId, at) => {
        const copy = copyOf(victim, userId, 3_000 * (at + 1));
        const before = { projectId: 900 + at, bullish: true, atMs: (victim.votes[0]?.atMs ?? 0) - HOUR_MS - at };
        return { ...copy, votes: [before, ...copy.votes] };
      }),
    );
    // The copy that began first keeps its votes, too: that is the rule.
    for (const ids of found) expect(ids.toSorted((one, other) => one - other)).toEqual([COPIES[0], COPIES[1]]);
  });

  test('a copied wallet with standing keeps its votes where wallets without standing cast most of them first [R39]', () => {
    const sooner = (victim: RhythmWallet) => COPIES.map((userId, at) => copyOf(victim, userId, -3_000 * (at + 1)));
    for (const ids of framedOn(sooner, true)) expect(ids).not.toContain(VICTIM);
    // Wallets with SUI, as old as standing requires, count against it.
    const rich = (victim: RhythmWallet) => sooner(victim).map((wallet) => ({ ...wallet, hasStanding: true }));
    for (const ids of framedOn(rich, true)) expect(ids).toContain(VICTIM);
  });

  test('regular pauses are compared among wallets with standing, and among all others separately [R39]', () => {
    const clockwork = (userId: number, startMs: number, hasStanding: boolean): RhythmWallet => ({
      userId,
      hasStanding,
      votes: Array.from({ length: 13 }, (_, i) => ({
        projectId: 100 * userId + i,
        bullish: true,
        atMs: startMs + 1_000 * i,
      })),
    });
    const steady = (first: number, count: number, hasStanding: boolean) =>
      Array.from({ length: count }, (_, i) => clockwork(first + i, 50_000 * (first + i), hasStanding));
    const idsOf = (wallets: RhythmWallet[]) => findRhythm(wallets).map(({ userId }) => userId);
    expect(idsOf([...steady(1, 3, false), ...steady(10, 1, true)])).toEqual([2, 3]);
    expect(idsOf([...steady(1, 3, false), ...steady(10, 3, true)])).toEqual([2, 3]);
    expect(idsOf([...steady(1, 3, false), ...steady(10, 4, true)])).toEqual([2, 3, 11, 12, 13]);
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

  test('the order rule needs three other wallets, and seven votes [R39]', () => {
    const group = (wallets: number, votes: number) =>
      findRhythm(Array.from({ length: wallets }, (_, i) => wallet(i, uneven(votes))));
    expect(group(4, 7).map(({ rule, alike }) => [rule, alike])).toEqual(Array.from({ length: 3 }, () => ['order', 3]));
    expect(group(3, 7)).toEqual([]);
    expect(group(4, 6)).toEqual([]);
  });

  test('the same projects in another order are not evidence, however many wallets agree [R39]', () => {
    const random = randomOf(7);
    const ids = Array.from({ length: 25 }, (_, i) => i);
    const group = Array.from({ length: 50 }, (_, i) => wallet(i, uneven(25), random.shuffle(ids)));
    expect(findRhythm(group)).toEqual([]);
  });

  test('chance is computed from the votes in common: a larger network needs more of them [R39]', () => {
    expect(chanceOfOrder(7, 7)).toBeCloseTo(1 / 5_040, 12);
    expect(chanceOfOrder(8, 7)).toBeCloseTo(8 / 5_040, 12);
    const group = (wallets: number) => findRhythm(Array.from({ length: wallets }, (_, i) => wallet(i, uneven(7))));
    // One in 5,040 for each of the others: 252 others are 5 %.
    expect(group(253)).toHaveLength(252);
    expect(group(254)).toEqual([]);
  });

  test('the order rule needs eight in ten votes of the longer list in the same order and direction [R39]', () => {
    /** Eight projects in common, then some that no other wallet voted on. */
    const ids = (userId: number, own: number) => [
      ...Array.from({ length: 8 }, (_, i) => i),
      ...Array.from({ length: own }, (_, i) => 1_000 * (1 + userId) + i),
    ];
    const group = (own: readonly number[]) =>
      findRhythm(own.map((count, userId) => wallet(userId, uneven(8 + count), ids(userId, count))));
    expect(group([2, 2, 2, 2])).toHaveLength(3);
    expect(group([3, 3, 3, 3])).toEqual([]);
    expect(group([0, 3, 3, 3])).toEqual([]);
    const [first, ...others] = [0, 1, 2, 3].map((userId) => wallet(userId, uneven(8)));
    const opposed = { userId: 0, votes: (first?.votes ?? []).map((vote) => ({ ...vote, bullish: false })) };
    expect(findRhythm([opposed, ...others])).toEqual([]);
  });

  test('pauses count as clockwork when they vary by less than 12 % on more than three wallets [R39]', () => {
    /** Projects that no other wallet has, so that the order carries no information. */
    const steady = (wallets: number, awayMs: number) =>
      findRhythm(
        Array.from({ length: wallets }, (_, userId) =>
          wallet(
            userId,
            [0, ...Array.from({ length: 12 }, (_, i) => 1_000 + (i % 2 === 0 ? awayMs : -awayMs))],
            Array.from({ length: 13 }, (_, i) => 100 * userId + i),
          ),
        ),
      );
    expect(steady(4, 119)).toEqual([1, 2, 3].map((userId) => ({ userId, rule: 'pace', alike: 3 })));
    expect(steady(4, 120)).toEqual([]);
    expect(steady(3, 0)).toEqual([]);
  });

  test('a pace is measured without breaks, and from twelve votes on [R39]', () => {
    const steady = Array.from({ length: 12 }, () => 1_000);
    expect(paceSpread(wallet(1, steady))).toBe(0);
    expect(paceSpread(wallet(1, steady.slice(1)))).toBeNull();
    expect(paceSpread(wallet(1, [...steady, 3_600_000, 1_000]))).toBe(0);
    // A break removes its pause from the measured ones, of which there must be eleven.
    expect(paceSpread(wallet(1, [...steady, 3_600_000]))).toBe(0);
    expect(paceSpread(wallet(1, [...steady.slice(1), 3_600_000]))).toBeNull();
    // Five times the median is still a pause.
    expect(paceSpread(wallet(1, [...steady, 5_001]))).toBe(0);
    expect(paceSpread(wallet(1, [...steady, 5_000]))).toBeGreaterThan(RHYTHM.maxPaceSpread);
    expect(paceSpread(wallet(1, steady.fill(0)))).toBe(0);
    expect(paceSpread(wallet(1, uneven(20)))).toBeGreaterThan(RHYTHM.maxPaceSpread);
  });
});
