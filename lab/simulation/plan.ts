import { at } from './clock.ts';
import type { PlannedVote } from './cast.ts';
import type { Board } from './board.ts';
import { chanceOf, shuffled } from './random.ts';
import type { Strategy } from './strategies.ts';

const WINDOW = 25;
const PER_DAY = 4 * WINDOW;
const COPIED = 12;

export interface Field {
  seed: number;
  board: Board;
  target: number;
  rivals: readonly number[];
  /** Active projects, the target and its rivals aside. */
  others: readonly number[];
}

export interface Attack {
  strategy: Strategy;
  field: Field;
  wallets: number;
  /** Accounts of the wallets that have arrived, by place. */
  userIds: number[];
  /** Honest wallets in its networks, or that a failing node is asked for. */
  bystanders: number[];
  /** Those of them that a failing node has cost a verified vote. */
  harmed: Set<number>;
}

/** True where most honest votes on a project are bullish. */
export function isLiked({ board }: Field, projectId: number): boolean {
  const row = board.get(projectId);
  return !row || row.bullishVotes >= row.bearishVotes;
}

/** Votes of a wallet in the attack, the most important one first. */
export function ballotOf({ strategy, field }: Attack, place: number): Array<{ projectId: number; bullish: boolean }> {
  const { target, rivals, others, seed } = field;
  if (strategy.others === 'friends') return rivals.map((projectId) => ({ projectId, bullish: true }));
  const own = { projectId: target, bullish: true };
  if (strategy.others === 'rivals') return [own, ...rivals.map((projectId) => ({ projectId, bullish: false }))];
  const chosen =
    strategy.others === 'everything' ? [...rivals, ...others] : shuffled(others, seed, place, 1).slice(0, COPIED);
  return [own, ...chosen.map((projectId) => ({ projectId, bullish: isLiked(field, projectId) }))];
}

export function planAttack(attack: Attack, day: number): PlannedVote[] {
  const { strategy, field, userIds } = attack;
  return userIds.flatMap((userId, place) => {
    const from = (day - strategy.attackDay(place)) * PER_DAY;
    if (from < 0) return [];
    const ballot = ballotOf(attack, place).slice(from, from + PER_DAY);
    const startMs = at(day, 17).getTime() + 3_600_000 * chanceOf(field.seed, place, 2);
    return ballot.map((vote, index) => {
      const pauseMs = 4_000 + 8_000 * chanceOf(field.seed, place, index, 3);
      return { userId, ...vote, at: new Date(startMs + index * 12_000 + pauseMs) };
    });
  });
}

/** One vote with the majority, so that the wallet is read from the next day on. */
export function planFirst(
  { field, strategy }: Attack,
  userIds: readonly number[],
  places: readonly number[],
): PlannedVote[] {
  return userIds.flatMap((userId, index) => {
    const place = places[index] ?? 0;
    const projectId = field.others[Math.floor(chanceOf(field.seed, place, 4) * field.others.length)];
    if (projectId === undefined) return [];
    return [{ userId, projectId, bullish: isLiked(field, projectId), at: at(strategy.signInDay(place), 8) }];
  });
}
