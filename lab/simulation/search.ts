/**
 * A search for plans with which a few coins reach more than is printed: by simulated annealing, over the wallet that each
 * coin is in on each day, and the days on which each wallet arrives, votes, changes its vote and withdraws. The same seed
 * finds the same.
 */
import { LAST_DAY } from './clock.ts';
import { type Aim, AIMS, PRESENT_RULE, type Reached, type Rule, type WalletPlan } from './model.ts';
import { chanceOf } from './random.ts';

const DAYS = LAST_DAY + 1;
const LONGEST_BLOCK = 18;
const MOST_CHANGES = 3;
const HOT = 0.25;
const COLD = 0.004;
const PROGRESS_EVERY = 10_000;
const NOBODY = -1;
const NOTHING: Reached = { isReached: false, progress: 0 };

export interface Found {
  aim: Aim;
  coins: number;
  /** Number of wallets that reach the aim, and their plans. */
  wallets: number;
  plans: WalletPlan[];
}

export interface SearchOptions {
  aim: Aim;
  coins: number;
  /** Wallets that may be used. */
  wallets: number;
  seed: number;
  /** Plans that are tried. */
  candidates: number;
  rule?: Rule;
  onProgress?: (tried: number, best: number) => void;
}

interface State {
  plans: WalletPlan[];
  /** The wallet that each coin is in, by day. */
  places: number[][];
}

type Random = (below: number) => number;

function randomOf(seed: number, aim: Aim): Random {
  let calls = 0;
  return (below) => Math.floor(below * chanceOf(seed, aim.length, (calls += 1)));
}

function randomPlan(random: Random): WalletPlan {
  const joins = random(DAYS);
  return { joins, votes: [joins + random(DAYS - joins)], withdraws: random(DAYS), held: new Uint8Array(DAYS) };
}

/** Other days for arrival, votes, changes or the withdrawal. */
function moveDays(plan: WalletPlan, random: Random): void {
  const { votes, joins } = plan;
  const kind = random(6);
  if (kind === 0) plan.withdraws = random(DAYS);
  else if (kind === 1) plan.withdraws = Math.min(LAST_DAY, Math.max(0, plan.withdraws + random(7) - 3));
  else if (kind === 2) plan.joins = random(1 + Math.min(...votes));
  else if (kind === 3) plan.votes = [joins + random(DAYS - joins)];
  else if (kind === 4 && votes.length <= MOST_CHANGES)
    plan.votes = [...new Set([...votes, joins + random(DAYS - joins)])].toSorted((one, other) => one - other);
  else if (votes.length > 1) votes.splice(random(votes.length), 1);
}

interface Move {
  /** Wallets whose plans are others now. */
  wallets: number[];
  undo: () => void;
}

/** Gives a coin to another wallet for some days. */
function moveCoin({ plans, places }: State, random: Random): Move {
  const first = random(DAYS);
  const last = Math.min(LAST_DAY, first + (random(2) === 0 ? 0 : random(LONGEST_BLOCK)));
  const [coin, taker] = [random(places.length), random(plans.length)];
  const place = places[coin] ?? [];
  const given: Array<{ day: number; giver: number }> = [];
  const put = (day: number, from: number, to: number): void => {
    place[day] = to;
    plans[from]?.held.fill(0, day, day + 1);
    plans[to]?.held.fill(1, day, day + 1);
  };
  for (let day = first; day <= last; day += 1) {
    const giver = place[day] ?? NOBODY;
    // A second coin of the same day is worth nothing.
    if (plans[taker]?.held[day] === 1) continue;
    given.push({ day, giver });
    put(day, giver, taker);
  }
  return {
    wallets: [...new Set([taker, ...given.map(({ giver }) => giver)])].filter((wallet) => wallet !== NOBODY),
    undo: () => {
      for (const { day, giver } of given) put(day, taker, giver);
    },
  };
}

function moveDaysOf({ plans }: State, random: Random): Move {
  const wallet = random(plans.length);
  const plan = plans[wallet];
  if (!plan) return { wallets: [], undo: () => undefined };
  const before = { ...plan, votes: [...plan.votes] };
  moveDays(plan, random);
  return { wallets: [wallet], undo: () => void Object.assign(plan, before) };
}

/** The wallets that reach an aim count one each; those that are near count something, the nearest ones most. */
function worthOf({ isReached, progress }: Reached): number {
  return isReached ? 1 : 0.6 * progress ** 3;
}

export function search(options: SearchOptions): Found {
  const { aim, coins, wallets, seed, candidates, rule = PRESENT_RULE, onProgress } = options;
  const random = randomOf(seed, aim);
  const plans = Array.from({ length: wallets }, () => randomPlan(random));
  const places = Array.from({ length: coins }, () => Array.from({ length: DAYS }, () => NOBODY));
  const state = { plans, places };
  const reachedBy = (plan: WalletPlan | undefined): Reached => (plan ? AIMS[aim](plan, rule) : NOTHING);
  const reached = plans.map(reachedBy);
  let best: WalletPlan[] = [];
  for (let tried = 0; tried < candidates; tried += 1) {
    const heat = HOT * (COLD / HOT) ** (tried / candidates);
    const move = random(3) === 0 ? moveDaysOf(state, random) : moveCoin(state, random);
    const next = move.wallets.map((wallet) => reachedBy(plans[wallet]));
    const gained = move.wallets.reduce((sum, wallet, index) => {
      const [now, before] = [next[index], reached[wallet]];
      return now && before ? sum + worthOf(now) - worthOf(before) : sum;
    }, 0);
    if (gained < 0 && random(1_000_000) / 1_000_000 >= Math.exp(gained / heat)) {
      move.undo();
    } else {
      for (const [index, wallet] of move.wallets.entries()) reached[wallet] = next[index] ?? NOTHING;
      if (reached.filter(({ isReached }) => isReached).length > best.length)
        best = plans.filter((_, wallet) => reached[wallet]?.isReached).map((plan) => structuredClone(plan));
    }
    if (tried % PROGRESS_EVERY === 0) onProgress?.(tried, best.length);
  }
  return { aim, coins, wallets: best.length, plans: best };
}
