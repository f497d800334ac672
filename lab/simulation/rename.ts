import { applyOrder } from '#server/money/orders/apply.ts';
import type { ProjectRecord } from '#server/money/orders/order.ts';
import type { Db } from '#db/client.ts';
import type { Services } from '#server/kit/services.ts';
import { UPDATE_FEE_MIST } from '#shared/constants.ts';
import type { SimulatedOrder, SimulatedRow, StrategyId } from '#shared/simulation.ts';
import { readWholeBoard } from './board.ts';
import { inOrder, rankOf, valueOf } from './goals.ts';

export const FREE = { wallets: 0, sui: 0, days: 0 };

/** Strategies that change a listing, and need no wallet. */
export const RENAMES = ['rename', 'rename_wash', 'one_pixel'] as const satisfies readonly StrategyId[];
export type Rename = (typeof RENAMES)[number];

const draftOf = (strategy: Rename, order: SimulatedOrder, day: number): Partial<ProjectRecord> => {
  const imageHash = `${order.length}${day}`.padEnd(32, strategy === 'one_pixel' ? 'a' : '1');
  if (strategy === 'one_pixel') return { imageHash };
  return { name: `Renamed ${strategy} ${order} ${day}`, twitterHandle: `renamed_${order}`, imageHash };
};

/** Updates a listing as its owner does, by a payment. */
export async function update(db: Db, projectId: number, draft: Partial<ProjectRecord>): Promise<void> {
  const { ownerId } = await db
    .selectFrom('projects')
    .select('ownerId')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
  const receipt = { digest: `update of ${projectId} to ${JSON.stringify(draft)}`, amountMist: UPDATE_FEE_MIST };
  const by = { userId: ownerId, isAdmin: false };
  await db
    .transaction()
    .execute((trx) => applyOrder(trx, { purpose: 'update', projectId, draft }, by, receipt, 'done'));
}

/**
 * A project changes its identity: the one at the top of each order, which keeps its rank and its points or not; or the
 * last one that has votes, which gains a rank or points or not.
 */
export async function rename(
  services: Services,
  strategy: Rename,
  orders: readonly SimulatedOrder[],
  day: number,
): Promise<Partial<SimulatedRow['goals']>> {
  const { db } = services;
  const goals: Partial<SimulatedRow['goals']> = {};
  const isCollected = strategy === 'rename';
  for (const order of orders) {
    const before = await readWholeBoard(services);
    const ranked = inOrder(order, before);
    const hasVotes = (id: number) => valueOf('bullish', before.get(id)) > 0 && valueOf('bullish', before.get(id)) < 50;
    const [projectId = ranked.at(-1) ?? 0] = isCollected ? ranked : ranked.toReversed().filter(hasVotes);
    await update(db, projectId, draftOf(strategy, order, day));
    const after = await readWholeBoard(services);
    // Has the effect of a moderator's 'same project': the other attacks are measured as before.
    await db.deleteFrom('identityChanges').where('projectId', '=', projectId).execute();
    const [rank, value] = [rankOf(order, after, projectId, new Set()), valueOf(order, after.get(projectId))];
    const [oldRank, oldValue] = [rankOf(order, before, projectId, new Set()), valueOf(order, before.get(projectId))];
    goals[order] = isCollected
      ? { first: rank === 1 ? FREE : null, points: value >= oldValue ? FREE : null }
      : { first: rank < oldRank ? FREE : null, points: value > oldValue ? FREE : null };
  }
  return goals;
}
