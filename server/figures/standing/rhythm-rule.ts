/**
 * The rhythm rule (R39; docs/use/standing.md): finds wallets of one network whose votes on one day are too similar for chance. Feeds differ
 * by user and day, and people pause irregularly. A script shows the same projects in the same order and direction as several other wallets, or
 * pauses like clockwork. Agreement, or voting at the same time, is not enough.
 *
 * A copied wallet must not suffer. Among similar wallets, the one with the earliest first vote of the day keeps its votes. A copy can begin
 * earlier with a vote on anything, so a wallet that none of the others preceded in their common votes keeps them too. A wallet with
 * standing, which costs SUI, is compared only with others that have it.
 */

export const RHYTHM = {
  minVotes: 7,
  orderShare: 0.8,
  minAlike: 3,
  maxChance: 0.05,
  leadShare: 0.6,
  minPacedVotes: 12,
  maxPaceSpread: 0.12,
} as const;

export interface RhythmWallet {
  userId: number;
  hasStanding?: boolean;
  votes: readonly { projectId: number; bullish: boolean; atMs: number }[];
}

export interface RhythmFinding {
  userId: number;
  rule: 'order' | 'pace';
  /** All similar wallets for pace, at least this many for order. */
  alike: number;
}

/** Share of common steps from which two orders are compared in full. */
const SHARED_STEPS = 0.4;
/** Share of common steps of a wallet that led the order (`leadShare`). */
const LEAD_STEPS = 0.25;
const BREAK = 5;

const tokensOf = ({ votes }: RhythmWallet): number[] =>
  votes.map(({ projectId, bullish }) => projectId * 2 + (bullish ? 1 : 0));

function longestRise(values: readonly number[]): number {
  const tails: number[] = [];
  for (const value of values) {
    const at = tails.findIndex((tail) => tail >= value);
    tails[at === -1 ? tails.length : at] = value;
  }
  return tails.length;
}

/** Upper bound of the probability that `length` of `common` votes are in the same order in two random orders: C(n, k) / k!. */
export function chanceOfOrder(common: number, length: number): number {
  let chance = 1;
  for (let k = 1; k <= length; k += 1) chance *= (common - length + k) / (k * k);
  return chance;
}

interface Ordered {
  userId: number;
  hasStanding: boolean;
  tokens: number[];
  places: Map<number, number>;
  times: number[];
}

const counts = (one: Pick<RhythmWallet, 'hasStanding'>, other: Pick<RhythmWallet, 'hasStanding'>): boolean =>
  other.hasStanding === true || one.hasStanding !== true;

/** At the same moment the older account is first. */
const isFirst = (leadMs: number, other: Ordered, one: Ordered): boolean =>
  leadMs > 0 || (leadMs === 0 && other.userId < one.userId);

const isEarlier = (other: Ordered, one: Ordered): boolean =>
  isFirst((one.times[0] ?? 0) - (other.times[0] ?? 0), other, one);

function isAhead(other: Ordered, one: Ordered): boolean {
  const leads = one.tokens.flatMap((token, at) => {
    const place = other.places.get(token);
    return place === undefined ? [] : [(one.times[at] ?? 0) - (other.times[place] ?? 0)];
  });
  return 2 * leads.filter((leadMs) => isFirst(leadMs, other, one)).length > leads.length;
}

function sharedOrder(one: Ordered, other: Ordered, wallets: number): number {
  const places = one.tokens.flatMap((token) => other.places.get(token) ?? []);
  const length = longestRise(places);
  const isBeyondChance = chanceOfOrder(places.length, length) * (wallets - 1) <= RHYTHM.maxChance;
  return isBeyondChance ? length / Math.max(one.tokens.length, other.tokens.length) : 0;
}

const stepsOf = ({ tokens }: Ordered): string[] => tokens.slice(1).map((token, i) => `${tokens[i]}:${token}`);

function findOrders(wallets: readonly RhythmWallet[]): RhythmFinding[] {
  const ordered = wallets
    .filter(({ votes }) => votes.length >= RHYTHM.minVotes)
    .map((wallet): Ordered => {
      const tokens = tokensOf(wallet);
      return {
        userId: wallet.userId,
        hasStanding: wallet.hasStanding ?? false,
        tokens,
        places: new Map(tokens.map((token, place) => [token, place])),
        times: wallet.votes.map(({ atMs }) => atMs),
      };
    })
    .toSorted((one, other) => (one.times[0] ?? 0) - (other.times[0] ?? 0) || one.userId - other.userId);
  const byStep = new Map<string, number[]>();
  for (const [index, one] of ordered.entries())
    for (const step of stepsOf(one)) {
      const known = byStep.get(step);
      if (known) known.push(index);
      else byStep.set(step, [index]);
    }
  return ordered.flatMap((one) => {
    const alike = findAlike(ordered, byStep, one);
    const isFound = alike.length >= RHYTHM.minAlike && isLed(ordered, byStep, one, alike);
    return isFound ? [{ userId: one.userId, rule: 'order' as const, alike: alike.length }] : [];
  });
}

type Steps = ReadonlyMap<string, readonly number[]>;

function* sharingSteps(ordered: readonly Ordered[], byStep: Steps, one: Ordered, part: number): Generator<Ordered> {
  const needed = Math.ceil(part * (one.tokens.length - 1));
  const shared = new Uint32Array(ordered.length);
  for (const step of stepsOf(one)) {
    for (const found of byStep.get(step) ?? []) {
      const count = (shared[found] ?? 0) + 1;
      shared[found] = count;
      const other = count === needed ? ordered[found] : undefined;
      if (other && other !== one && counts(one, other)) yield other;
    }
  }
}

function findAlike(ordered: readonly Ordered[], byStep: Steps, one: Ordered): Ordered[] {
  const alike: Ordered[] = [];
  for (const other of sharingSteps(ordered, byStep, one, SHARED_STEPS)) {
    if (sharedOrder(one, other, ordered.length) >= RHYTHM.orderShare) alike.push(other);
    if (alike.length >= RHYTHM.minAlike) break;
  }
  return alike;
}

/** Another wallet began the day before this one, and some wallet preceded it in their common votes. */
function isLed(ordered: readonly Ordered[], byStep: Steps, one: Ordered, alike: readonly Ordered[]): boolean {
  let hasEarlier = alike.some((other) => isEarlier(other, one));
  let hasAhead = alike.some((other) => isAhead(other, one));
  if (hasEarlier && hasAhead) return true;
  for (const other of sharingSteps(ordered, byStep, one, LEAD_STEPS)) {
    if ((hasEarlier || !isEarlier(other, one)) && (hasAhead || !isAhead(other, one))) continue;
    if (sharedOrder(one, other, ordered.length) < RHYTHM.leadShare) continue;
    hasEarlier ||= isEarlier(other, one);
    hasAhead ||= isAhead(other, one);
    if (hasEarlier && hasAhead) return true;
  }
  return false;
}

/** Standard deviation of the pauses as a share of their mean, without breaks; null with too few votes. */
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

function findPaces(wallets: readonly RhythmWallet[]): RhythmFinding[] {
  const beganAt = ({ votes }: RhythmWallet): number => votes[0]?.atMs ?? 0;
  const paced = wallets
    .filter((wallet) => (paceSpread(wallet) ?? 1) < RHYTHM.maxPaceSpread)
    .toSorted((one, other) => beganAt(one) - beganAt(other) || one.userId - other.userId);
  const [first] = paced;
  const firstWithStanding = paced.find(({ hasStanding }) => hasStanding);
  const withStanding = paced.filter(({ hasStanding }) => hasStanding).length;
  return paced.flatMap((wallet) => {
    const keepsVotes = wallet === (wallet.hasStanding ? firstWithStanding : first);
    const alike = (wallet.hasStanding ? withStanding : paced.length) - 1;
    return keepsVotes || alike < RHYTHM.minAlike ? [] : [{ userId: wallet.userId, rule: 'pace' as const, alike }];
  });
}

export function findRhythm(wallets: readonly RhythmWallet[]): RhythmFinding[] {
  const found = new Map<number, RhythmFinding>();
  for (const finding of [...findPaces(wallets), ...findOrders(wallets)]) found.set(finding.userId, finding);
  return [...found.values()];
}
