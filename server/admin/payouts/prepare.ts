import { sumOf } from '#chain/payout.ts';
import { isAllowed } from '#shared/states/move.ts';
import { WITHDRAWAL_MOVES } from '#shared/states/withdrawal.ts';
import { badRequest, conflict } from '../../http/errors.ts';
import type { Services } from '../../services.ts';
import { updateWithdrawals } from '../../withdrawals/transitions.ts';
import { type Actor, writeAudit } from '../audit.ts';
import { requireExplained } from './history/gate.ts';
import { settleLate } from './late.ts';
import { type BatchRow, findBatch, moveBatch } from './queries.ts';

const MAX_UNITS = 2n ** 64n - 1n;

/**
 * Fixes the set of approved withdrawals that one transaction of this person's wallet will pay, all or none.
 * @throws 400 the same one twice, 409 one that is not approved (or was paid by a payout thought lost), or transfers that
 * wait for an explanation; 503 the history of the paying wallets is not read yet.
 */
export async function prepare(services: Services, who: Actor, withdrawalIds: number[]): Promise<BatchRow> {
  const { config } = services;
  if (new Set(withdrawalIds).size !== withdrawalIds.length)
    throw badRequest('twice', 'A payout can include each withdrawal only once');
  await requireExplained(services);
  await settleLate(services, who, withdrawalIds);
  return services.db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom('withdrawals')
      .select(['id', 'state', 'walletAddress', 'tokenAmount'])
      .where('id', 'in', withdrawalIds)
      .orderBy('id')
      .forUpdate()
      .execute();
    const wrong = rows.find(({ state }) => !isAllowed(WITHDRAWAL_MOVES.batch, state));
    if (wrong) throw conflict('wrong_state', `Withdrawal ${wrong.id} is ${wrong.state}`);
    if (rows.length !== withdrawalIds.length) throw conflict('withdrawal_not_found', 'A withdrawal does not exist');

    const unit = 10n ** BigInt(config.snapsDecimals);
    const items = rows.map(({ id, walletAddress, tokenAmount }) => ({
      withdrawalId: id,
      walletAddress,
      tokenAmount,
      amountUnits: BigInt(tokenAmount) * unit,
    }));
    const total = sumOf(items.map(({ walletAddress, amountUnits }) => ({ address: walletAddress, amountUnits })));
    if (total > MAX_UNITS)
      throw badRequest('too_much', 'The total exceeds what a coin can hold: pay fewer withdrawals at a time');

    const { id } = await trx
      .insertInto('payoutBatches')
      .values({ coinType: config.snapsCoinType, sender: who.actor })
      .returning('id')
      .executeTakeFirstOrThrow();
    await trx
      .insertInto('payoutItems')
      .values(items.map((item) => ({ ...item, batchId: id, amountUnits: String(item.amountUnits) })))
      .execute();
    await updateWithdrawals(trx, 'batch').set({ batchId: id, reason: null }).where('id', 'in', withdrawalIds).execute();
    const tokens = items.reduce((sum, item) => sum + item.tokenAmount, 0);
    await writeAudit(trx, who, {
      action: 'payout.prepare',
      detail: `Payout ${id}: ${tokens} Snaps for withdrawals ${withdrawalIds.join(', ')}`,
      outcome: 'ok',
      rowCount: items.length,
    });
    return findBatch(trx, id);
  });
}

/** Gives up a batch that was never sent; its withdrawals are approved again. @throws 404, 409 once it was sent. */
export async function cancel({ db }: Services, who: Actor, batchId: string): Promise<BatchRow> {
  return db.transaction().execute(async (trx) => {
    const batch = await findBatch(trx, batchId, { lock: true });
    if (!(await moveBatch(trx, batchId, 'cancel'))) throw conflict('wrong_state', `This payout is ${batch.state}`);
    await updateWithdrawals(trx, 'unbatch').set({ batchId: null }).where('batchId', '=', batchId).execute();
    await writeAudit(trx, who, { action: 'payout.cancel', detail: `Payout ${batchId}`, outcome: 'ok' });
    return findBatch(trx, batchId);
  });
}
