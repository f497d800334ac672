/**
 * The standing rule on plans of wallets, without a database, so that a search can try a million of them. A rule is what
 * the product's own functions say; which days they are given is as in siteDays, vote_evidence and the payout rule, and a
 * test plays what was found with the server's statements.
 */
import { LASTING_DAYS } from '#shared/cost-to-change.ts';
import {
  decide,
  STANDING_NEEDED_DAYS,
  STANDING_VOTER_DAYS,
  STANDING_WINDOW_DAYS,
  voterState,
} from '#shared/states/votes.ts';
import { LAST_DAY } from './clock.ts';

const MIN_DAYS = 7;
/** A wallet is asked on so many days after its newest vote. */
const CHECKED_DAYS = STANDING_VOTER_DAYS + 1;

/** Acts of a wallet, in the evenings of these days. */
export interface WalletPlan {
  /** First sign-in, with a vote on another project, so that the wallet is read. */
  joins: number;
  /** The vote on the target, then its changes; in order, not before `joins`. */
  votes: number[];
  /** The one request for a payout. */
  withdraws: number;
  /** By day: 1 where the wallet has a coin. */
  held: Uint8Array;
}

export interface Rule {
  voter: typeof voterState;
  decide: typeof decide;
  /** Among the last seven days are those on which the wallet was not asked. */
  countsUnasked: boolean;
  /** Days held of the last 35 without which nothing is paid. */
  paidFrom: number;
}

export const PRESENT_RULE: Rule = { voter: voterState, decide, countsUnasked: true, paidFrom: LASTING_DAYS };

function wasAsked({ joins, votes }: WalletPlan, day: number): boolean {
  let newest = joins < day ? joins : -Infinity;
  for (const vote of votes) if (vote < day) newest = Math.max(newest, vote);
  return newest >= day - CHECKED_DAYS;
}

interface Days {
  daysRead: number;
  daysHeld: number;
}

/** Days from `first` to `last` on which the wallet was asked; with `most`, the last so many of them. */
function daysOf(plan: WalletPlan, first: number, last: number, most = Infinity): Days {
  const days = { daysRead: 0, daysHeld: 0 };
  for (let day = last; day >= Math.max(0, first) && days.daysRead < most; day -= 1) {
    if (!wasAsked(plan, day)) continue;
    days.daysRead += 1;
    days.daysHeld += plan.held[day] ?? 0;
  }
  return days;
}

const windowOf = (plan: WalletPlan, day: number, { countsUnasked }: Rule): Days =>
  countsUnasked ? daysOf(plan, day - STANDING_WINDOW_DAYS + 1, day) : daysOf(plan, 0, day, STANDING_WINDOW_DAYS);

/** Decision in the evening of a day about the opinion of an earlier one; null while it is young. */
const decisionOn = (plan: WalletPlan, said: number, day: number, rule: Rule) =>
  said + STANDING_VOTER_DAYS > day ? null : rule.decide(daysOf(plan, said + 1, said + STANDING_VOTER_DAYS));

export interface Reached {
  isReached: boolean;
  /** From 0 to 1: how near it is, for a search. */
  progress: number;
}

const share = (days: number, needed: number): number => Math.min(1, days / Math.max(1, needed));

/** A young vote on the target that is verified in the last evening. */
function reachesAtOnce(plan: WalletPlan, rule: Rule): Reached {
  const said = plan.votes.at(-1) ?? Infinity;
  const facts = { ageDays: LAST_DAY - plan.joins, ...windowOf(plan, LAST_DAY, rule) };
  const isYoung = said <= LAST_DAY && said + STANDING_VOTER_DAYS > LAST_DAY;
  return {
    isReached: isYoung && rule.voter(facts, MIN_DAYS) === 'standing',
    progress: share(facts.daysHeld, STANDING_NEEDED_DAYS) * (isYoung ? 1 : 0.8),
  };
}

/** A vote on the target that is verified for good. */
function reachesForGood(plan: WalletPlan, rule: Rule): Reached {
  const said = plan.votes.at(-1) ?? Infinity;
  const { daysHeld } = daysOf(plan, said + 1, said + STANDING_VOTER_DAYS);
  return {
    isReached: decisionOn(plan, said, LAST_DAY, rule) === 'verified',
    progress: share(daysHeld, LASTING_DAYS) * (said + STANDING_VOTER_DAYS > LAST_DAY ? 0.8 : 1),
  };
}

/** A payout by the rule on the day of the request. */
function reachesPayout(plan: WalletPlan, rule: Rule): Reached {
  const { withdraws: day, joins, votes } = plan;
  const said = votes.findLast((vote) => vote <= day);
  const decisions = new Set([joins, said ?? joins].map((one) => decisionOn(plan, one, day, rule)));
  const facts = { ageDays: day - joins, ...windowOf(plan, day, rule) };
  const state = rule.voter(facts, MIN_DAYS);
  const isSure = state === 'standing' || (state === 'waiting' && decisions.has('verified'));
  const { daysHeld } = daysOf(plan, day - STANDING_VOTER_DAYS + 1, day);
  const isVoter = votes.some((vote) => vote <= day);
  return {
    isReached:
      isVoter && facts.ageDays >= MIN_DAYS && isSure && !decisions.has('no_standing') && daysHeld >= rule.paidFrom,
    progress:
      share(facts.daysHeld, STANDING_NEEDED_DAYS) * 0.3 + share(daysHeld, rule.paidFrom) * 0.7 - (isVoter ? 0 : 0.2),
  };
}

/** Purposes of a plan, each with the question whether a plan reaches it. */
export const AIMS = { atOnce: reachesAtOnce, forGood: reachesForGood, payout: reachesPayout } as const;
export type Aim = keyof typeof AIMS;
export const AIM_IDS = Object.keys(AIMS) as Aim[];
