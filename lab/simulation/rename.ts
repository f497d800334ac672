import { applyOrder } from '#server/orders/apply.ts';
import type { Services } from '#server/services.ts';
import { UPDATE_FEE_MIST } from '#shared/constants.ts';
import type { SimulatedOrder, SimulatedRow } from '#shared/simulation.ts';
import { inOrder } from './field.ts';
import { readWholeBoard } from './board.ts';
import { rankOf, valueOf } from './goals.ts';

const FREE = { wallets: 0, sui: 0, days: 0 };
export const UPDATE_SUI = Number(UPDATE_FEE_MIST / 1_000_000_000n);

/** The project at the top of each order takes another name and picture: whether it keeps its place, and its points. */
export async function rename(
  services: Services,
  orders: readonly SimulatedOrder[],
  day: number,
): Promise<Partial<SimulatedRow['goals']>> {
  const { db } = services;
  const goals: Partial<SimulatedRow['goals']> = {};
  for (const order of orders) {
    // oxlint-disable-next-line no-await-in-loop -- as below
    const before = await readWholeBoard(services);
    const [projectId = 0] = inOrder(order, before);
    // oxlint-disable-next-line no-await-in-loop -- one project after the other
    const { ownerId } = await db
      .selectFrom('projects')
      .select('ownerId')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow();
    const draft = { name: `Renamed ${order} ${day}`, twitterHandle: `renamed_${order}`, imageHash: '1'.repeat(32) };
    const receipt = { digest: `renamed ${order} ${day}`, amountMist: UPDATE_FEE_MIST };
    const by = { userId: ownerId, isAdmin: false };
    // oxlint-disable-next-line no-await-in-loop -- as above
    await db
      .transaction()
      .execute((trx) => applyOrder(trx, { purpose: 'update', projectId, draft }, by, receipt, 'done'));
    // oxlint-disable-next-line no-await-in-loop -- as above
    const after = await readWholeBoard(services);
    // Has the effect of a moderator's 'same project': the other attacks are measured as before.
    // oxlint-disable-next-line no-await-in-loop -- as above
    await db.deleteFrom('identityChanges').where('projectId', '=', projectId).execute();
    goals[order] = {
      first: rankOf(order, after, projectId, new Set()) === 1 ? FREE : null,
      points: valueOf(order, after.get(projectId)) >= valueOf(order, before.get(projectId)) ? FREE : null,
    };
  }
  return goals;
}
