import { sql } from 'kysely';
import type { Services } from '#server/kit/services.ts';
import { verifiedSince } from '#shared/identity.ts';
import type { VoteCounts } from '#shared/interval.ts';
import type { SimulatedOrder, SimulatedRow } from '#shared/simulation.ts';
import { RANK_MIN_VOTES, type Sortable } from '#shared/sorts.ts';
import { type Trend, trendScore } from '#shared/trending.ts';
import { add, type Board, type Counted, readAttacks, readBoard } from './board.ts';
import { changeVotes } from './cast.ts';
import { at, setClock } from './clock.ts';
import { count } from './day.ts';
import { firstWhere, inOrder, ORDERS_OF_A_DAY, rankOf, valueOf } from './goals.ts';
import { costOf } from './look.ts';
import type { Attack } from './plan.ts';
import { FREE, update } from './rename.ts';

/*
 * Bait and switch with friends: the best project of an order changes its identity, and wallets that voted bullish on it
 * confirm. How many of them return it to its rank and its points?
 */

/** The best project of an order that friends voted on. */
const bestOf = (order: SimulatedOrder, board: Board, { field }: Attack): number =>
  inOrder(order, board).find((id) => field.rivals.includes(id)) ?? 0;

const toCounts = (votes: readonly Counted[]): VoteCounts => ({
  bullish: votes.filter(({ bullish }) => bullish).length,
  bearish: votes.filter(({ bullish }) => !bullish).length,
});

/** A project's row after its change of identity, where only these votes were confirmed since. */
function sinceChange(row: Sortable, confirmed: readonly Counted[]): Sortable {
  const verified = confirmed.filter(({ isVerified }) => isVerified);
  const recent = verified.filter(({ weight }) => weight > 0);
  const trend: Trend = { ...toCounts(recent), weight: recent.reduce((sum, { weight }) => sum + weight, 0) };
  const since = toCounts(verified);
  const isYoung = 2 * verified.length < row.verified.bullish + row.verified.bearish;
  return {
    ...row,
    verifiedSince: verifiedSince(row.verified, [since]),
    rankVotes: verified.length,
    trend: isYoung && trendScore(trend) < trendScore(row.trend) ? trend : row.trend,
  };
}

/**
 * Changes the identity of the best project of each order; all friends confirm. @throws where the product counts other
 * votes since the change
 */
export async function confirmAsFriends(services: Services, attack: Attack, day: number): Promise<void> {
  const { db } = services;
  const board = await readBoard(services, await readAttacks(db, day));
  const projectIds = [...new Set(ORDERS_OF_A_DAY.map((order) => bestOf(order, board, attack)))];
  await setClock(db, at(day, 23.6));
  for (const [place, projectId] of projectIds.entries())
    await update(db, projectId, { name: `Among friends ${place}`, imageHash: `${place}`.padEnd(32, 'f') });
  await setClock(db, at(day, 23.7));
  await changeVotes(db, attack.userIds, projectIds, true);
  await setClock(db, at(day, 23.8));
  await count(services);
  const votes = (await readAttacks(db, day)).get(attack.strategy.id) ?? [];
  const changes = await db.selectFrom('identityChanges').selectAll().where('projectId', 'in', projectIds).execute();
  for (const projectId of projectIds) {
    const own = votes.filter((vote) => vote.projectId === projectId && vote.isVerified);
    const change = changes.find((one) => one.projectId === projectId);
    if (change?.bullish !== own.length || change.bearish !== 0)
      throw new Error(`the product counts ${change?.bullish} of ${own.length} confirmations of project ${projectId}`);
  }
  // Has the effect of a moderator's 'same project': the other attacks are measured as before.
  await sql`DELETE FROM identity_changes WHERE project_id = ANY (${projectIds}::bigint[])`.execute(db);
}

/** How many confirmations return the best project of each order to its rank, and to its points. */
export async function lookAtFriends(
  services: Services,
  attack: Attack,
  orders: readonly SimulatedOrder[],
  day: number,
): Promise<Partial<SimulatedRow['goals']>> {
  const counted = await readAttacks(services.db, day);
  const board = await readBoard(services, counted);
  const votes = counted.get(attack.strategy.id) ?? [];
  const goals: Partial<SimulatedRow['goals']> = {};
  for (const order of orders) {
    const projectId = bestOf(order, board, attack);
    const own = votes.filter((vote) => vote.projectId === projectId);
    const withFriends = (friends: number): Board => {
      const confirmed = own.filter(({ place }) => place < friends);
      const voted = add(board, confirmed, 1);
      const row = voted.get(projectId);
      return row ? voted.set(projectId, sinceChange(row, confirmed)) : voted;
    };
    const [oldRank, oldValue] = [rankOf(order, board, projectId, new Set()), valueOf(order, board.get(projectId))];
    const costFrom = (friends: number | null, lacking = 0) =>
      friends === null ? null : friends === 0 ? FREE : costOf(attack, order, friends, day, lacking);
    const most = attack.userIds.length;
    goals[order] = {
      first: costFrom(
        firstWhere(most, (friends) => rankOf(order, withFriends(friends), projectId, new Set()) <= oldRank),
        RANK_MIN_VOTES,
      ),
      points: costFrom(firstWhere(most, (friends) => valueOf(order, withFriends(friends).get(projectId)) >= oldValue)),
    };
  }
  return goals;
}
