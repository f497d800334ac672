/**
 * Strategies that change the identity of a listing. `rename`: the project at the top of an order keeps its rank and
 * points, or not. `rename_wash` and `one_pixel`: the last project with mostly bearish votes gains a rank or points, or
 * not. `friends`: wallets that voted bullish on the best project confirm their votes, and so many of them return it to
 * its rank and points. After each, the change is undone as by a moderator's 'same project', so that the other attacks
 * are measured as before.
 */
import type { Db } from '#db/client.ts';
import { applyOrder } from '#server/money/orders/apply.ts';
import type { ProjectRecord } from '#server/money/orders/order.ts';
import type { Services } from '#server/kit/services.ts';
import { UPDATE_FEE_MIST } from '#shared/constants.ts';
import { verifiedSince } from '#shared/identity.ts';
import type { VoteCounts } from '#shared/interval.ts';
import type { SimulatedOrder, SimulatedRow, StrategyId } from './results.ts';
import { RANK_MIN_VOTES, type Sortable } from '#shared/sorts.ts';
import { trendScore } from '#shared/trending.ts';
import { add, type Board, type Counted, readAttacks, readBoard, readWholeBoard } from './board.ts';
import { changeVotes } from './cast.ts';
import { at, setClock } from './clock.ts';
import { firstWhere, inOrder, ORDERS_OF_A_DAY, rankOf, valueOf } from './goals.ts';
import { costOf } from './look.ts';
import type { Attack } from './plan.ts';

const FREE = { wallets: 0, sui: 0, days: 0 };
type Goals = Partial<SimulatedRow['goals']>;

/** Strategies that need no wallet. */
export const RENAMES = ['rename', 'rename_wash', 'one_pixel'] as const satisfies readonly StrategyId[];
export type Rename = (typeof RENAMES)[number];

async function update(db: Db, projectId: number, draft: Partial<ProjectRecord>): Promise<void> {
  const { ownerId: userId } = await db
    .selectFrom('projects')
    .select('ownerId')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
  const receipt = { digest: `update of ${projectId} to ${JSON.stringify(draft)}`, amountMist: UPDATE_FEE_MIST };
  const order = { purpose: 'update', projectId, draft } as const;
  await db.transaction().execute((trx) => applyOrder(trx, order, { userId, isAdmin: false }, receipt));
}

const deleteChanges = (db: Db, projectIds: readonly number[]) =>
  db.deleteFrom('identityChanges').where('projectId', 'in', projectIds).execute();

function draftOf(strategy: Rename, order: SimulatedOrder, day: number): Partial<ProjectRecord> {
  const imageHash = `${order.length}${day}`.padEnd(32, strategy === 'one_pixel' ? 'a' : '1');
  if (strategy === 'one_pixel') return { imageHash };
  return { name: `Renamed ${strategy} ${order} ${day}`, twitterHandle: `renamed_${order}`, imageHash };
}

export async function rename(
  services: Services,
  strategy: Rename,
  orders: readonly SimulatedOrder[],
  day: number,
): Promise<Goals> {
  const { db } = services;
  const goals: Goals = {};
  const isCollected = strategy === 'rename';
  for (const order of orders) {
    const before = await readWholeBoard(services);
    const ranked = inOrder(order, before);
    const isDisliked = (id: number) =>
      valueOf('bullish', before.get(id)) > 0 && valueOf('bullish', before.get(id)) < 50;
    const [projectId = ranked.at(-1) ?? 0] = isCollected ? ranked : ranked.toReversed().filter(isDisliked);
    await update(db, projectId, draftOf(strategy, order, day));
    const after = await readWholeBoard(services);
    await deleteChanges(db, [projectId]);
    const [rank, value] = [rankOf(order, after, projectId), valueOf(order, after.get(projectId))];
    const [oldRank, oldValue] = [rankOf(order, before, projectId), valueOf(order, before.get(projectId))];
    const isReached = isCollected ? [rank === 1, value >= oldValue] : [rank < oldRank, value > oldValue];
    goals[order] = { first: isReached[0] ? FREE : null, points: isReached[1] ? FREE : null };
  }
  return goals;
}

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
  const trend = { ...toCounts(recent), weight: recent.reduce((sum, { weight }) => sum + weight, 0) };
  const isYoung = 2 * verified.length < row.verified.bullish + row.verified.bearish;
  return {
    ...row,
    verifiedSince: verifiedSince(row.verified, [toCounts(verified)]),
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
  const votes = (await readAttacks(db, day)).get(attack.strategy.id) ?? [];
  const changes = await db.selectFrom('identityChanges').selectAll().where('projectId', 'in', projectIds).execute();
  for (const projectId of projectIds) {
    const own = votes.filter((vote) => vote.projectId === projectId && vote.isVerified);
    const change = changes.find((one) => one.projectId === projectId);
    if (change?.bullish !== own.length || change.bearish !== 0)
      throw new Error(`the product counts ${change?.bullish} of ${own.length} confirmations of project ${projectId}`);
  }
  await deleteChanges(db, projectIds);
}

export async function lookAtFriends(
  services: Services,
  attack: Attack,
  orders: readonly SimulatedOrder[],
  day: number,
): Promise<Goals> {
  const counted = await readAttacks(services.db, day);
  const board = await readBoard(services, counted);
  const votes = counted.get(attack.strategy.id) ?? [];
  const goals: Goals = {};
  for (const order of orders) {
    const projectId = bestOf(order, board, attack);
    const own = votes.filter((vote) => vote.projectId === projectId);
    const withFriends = (friends: number): Board => {
      const confirmed = own.filter(({ place }) => place < friends);
      const voted = add(board, confirmed, 1);
      const row = voted.get(projectId);
      return row ? voted.set(projectId, sinceChange(row, confirmed)) : voted;
    };
    const costFrom = (isBack: (changed: Board) => boolean, lacking: number) => {
      const friends = firstWhere(attack.userIds.length, (some) => isBack(withFriends(some)));
      return friends === null ? null : friends === 0 ? FREE : costOf(attack, order, friends, day, lacking);
    };
    const [oldRank, oldValue] = [rankOf(order, board, projectId), valueOf(order, board.get(projectId))];
    goals[order] = {
      first: costFrom((changed) => rankOf(order, changed, projectId) <= oldRank, RANK_MIN_VOTES),
      points: costFrom((changed) => valueOf(order, changed.get(projectId)) >= oldValue, 0),
    };
  }
  return goals;
}
