/**
 * The rhythm rule (R39): which wallets of one network voted so much alike on one day that chance does not explain it. Personal feeds come in
 * an order of their own for each user and day, and people pause for as long as they like. Two things give a script away:
 * the same projects in the same order and direction as several other wallets, and pauses like clockwork. Wallets that merely agree, or vote
 * at the same time, are left alone. docs/standing.md has the words for readers, and what the rule cannot see.
 */

/** Thresholds, published on /trust. */
export const RHYTHM = {
  minVotes: 7,
  orderShare: 0.8,
  minAlike: 3,
  maxChance: 0.05,
  minPacedVotes: 12,
  maxPaceSpread: 0.12,
} as const;

/** The votes of a wallet on one day, in order of time. */
export interface RhythmWallet {
  userId: number;
  votes: readonly { projectId: number; bullish: boolean; atMs: number }[];
}

export interface RhythmFinding {
  userId: number;
  rule: 'order' | 'pace';
  /** Other wallets that are alike: all of them for pace, at least so many for order. */
  alike: number;
}

/** Before two orders are compared in full, they have to share this part of their steps from one vote to the next. */
const SHARED_STEPS = 0.4;
/** A pause this many times the median is a break, and not of the wallet's pace. */
const BREAK = 5;

/** A wallet's votes as numbers that are equal for the same project and direction. */
const tokensOf = ({ votes }: RhythmWallet): number[] =>
  votes.map(({ projectId, bullish }) => projectId * 2 + (bullish ? 1 : 0));

/** Length of the longest increasing subsequence. */
function longestRise(values: readonly number[]): number {
  const tails: number[] = [];
  for (const value of values) {
    const at = tails.findIndex((tail) => tail >= value);
    tails[at === -1 ? tails.length : at] = value;
  }
  return tails.length;
}

/** How likely it is at most that `common` votes in two random orders have `length` of them in the same order: C(n, k) / k!. */
export function chanceOfOrder(common: number, length: number): number {
  let chance = 1;
  for (let k = 1; k <= length; k += 1) chance *= (common - length + k) / (k * k);
  return chance;
}

interface Ordered {
  userId: number;
  tokens: number[];
  places: Map<number, number>;
}

function isAlike(one: Ordered, other: Ordered, wallets: number): boolean {
  const places = one.tokens.flatMap((token) => other.places.get(token) ?? []);
  const length = longestRise(places);
  if (length < RHYTHM.orderShare * Math.max(one.tokens.length, other.tokens.length)) return false;
  return chanceOfOrder(places.length, length) * (wallets - 1) <= RHYTHM.maxChance;
}

const stepsOf = ({ tokens }: Ordered): string[] => tokens.slice(1).map((token, i) => `${tokens[i]}:${token}`);

/** Wallets whose order at least `minAlike` others share. */
function findOrders(wallets: readonly RhythmWallet[]): RhythmFinding[] {
  const ordered = wallets
    .filter(({ votes }) => votes.length >= RHYTHM.minVotes)
    .map((wallet): Ordered => {
      const tokens = tokensOf(wallet);
      return { userId: wallet.userId, tokens, places: new Map(tokens.map((token, place) => [token, place])) };
    });
  const byStep = new Map<string, number[]>();
  for (const [index, one] of ordered.entries())
    for (const step of stepsOf(one)) {
      const known = byStep.get(step);
      if (known) known.push(index);
      else byStep.set(step, [index]);
    }
  return ordered.flatMap((one, index) => {
    const alike = countAlike(ordered, byStep, index);
    return alike >= RHYTHM.minAlike ? [{ userId: one.userId, rule: 'order' as const, alike }] : [];
  });
}

/** How many others share the order of a wallet; stops counting once they are enough. */
function countAlike(
  ordered: readonly Ordered[],
  byStep: ReadonlyMap<string, readonly number[]>,
  index: number,
): number {
  const one = ordered[index];
  if (!one) return 0;
  const needed = Math.ceil(SHARED_STEPS * (one.tokens.length - 1));
  const shared = new Map<number, number>();
  let alike = 0;
  for (const step of stepsOf(one)) {
    for (const found of byStep.get(step) ?? []) {
      if (found === index) continue;
      const count = (shared.get(found) ?? 0) + 1;
      shared.set(found, count);
      const other = ordered[found];
      if (count === needed && other && isAlike(one, other, ordered.length)) alike += 1;
      if (alike >= RHYTHM.minAlike) return alike;
    }
  }
  return alike;
}

/** Standard deviation of the pauses between votes, as a share of their mean; breaks are left out. Null with too few votes. */
export function paceSpread({ votes }: RhythmWallet): number | null {
  if (votes.length < RHYTHM.minPacedVotes) return null;
  const all = votes.slice(1).map(({ atMs }, i) => atMs - (votes[i]?.atMs ?? atMs));
  const median = all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
  const pauses = all.filter((pauseMs) => pauseMs <= median * BREAK);
  if (pauses.length < RHYTHM.minPacedVotes - 1) return null;
  const mean = pauses.reduce((sum, pauseMs) => sum + pauseMs, 0) / pauses.length;
  if (mean === 0) return 0;
  const variance = pauses.reduce((sum, pauseMs) => sum + (pauseMs - mean) ** 2, 0) / pauses.length;
  return Math.sqrt(variance) / mean;
}

/** Wallets whose pauses are like clockwork, where more than `minAlike` of a network have such pauses. */
function findPaces(wallets: readonly RhythmWallet[]): RhythmFinding[] {
  const paced = wallets.filter((wallet) => (paceSpread(wallet) ?? 1) < RHYTHM.maxPaceSpread);
  if (paced.length <= RHYTHM.minAlike) return [];
  return paced.map(({ userId }) => ({ userId, rule: 'pace', alike: paced.length - 1 }));
}

/** The wallets of one network and day whose votes are set aside, each once. */
export function findRhythm(wallets: readonly RhythmWallet[]): RhythmFinding[] {
  const found = new Map<number, RhythmFinding>();
  for (const finding of [...findPaces(wallets), ...findOrders(wallets)]) found.set(finding.userId, finding);
  return [...found.values()];
}
