import { sumOf } from '#chain/payout.ts';
import { isAllowed } from '#shared/states/move.ts';
import { WITHDRAWAL_MOVES } from '#shared/states/withdrawal.ts';
import { ConfigError } from '#server/kit/config.ts';
import { badRequest, conflict, unavailable } from '#server/kit/http/errors.ts';
import { checkPayoutCoin } from '#server/kit/payout-coin.ts';
import type { Services } from '#server/kit/services.ts';
import { updateWithdrawals } from '../withdrawals/transitions.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { requireExplained } from '../history/gate.ts';
import { settleLate } from './late.ts';
import { type BatchRow, findBatch, moveBatch } from '../batches/queries.ts';

const MAX_UNITS = 2n ** 64n - 1n;

const comparedWithChain = new WeakSet<Services['config']>();

/** A server that starts while the node is down has not compared its settings with the coin. @throws 409, 503 */
async function requireRightCoin({ sui, config, log }: Services): Promise<void> {
  if (comparedWithChain.has(config)) return;
  try {
    await checkPayoutCoin(sui, config);
    comparedWithChain.add(config);
  } catch (error) {
    log.error({ err: error }, 'the coin of payouts could not be compared with the chain');
    if (error instanceof ConfigError) throw conflict('wrong_coin', `Nothing can be paid: ${error.message}`);
    throw unavailable(
      'chain_unreachable',
      'The chain cannot be reached to check the coin. Nothing was sent; try again.',
    );
  }
}

/**
 * Fixes the approved withdrawals that one transaction will pay, all or none. @throws 400 a repeated one, 409 not
 * approved, unexplained transfers or a wrong coin, 503 the history is not read yet
 */
export async function prepare(services: Services, who: Actor, withdrawalIds: number[]): Promise<BatchRow> {
  const { config } = services;
  if (new Set(withdrawalIds).size !== withdrawalIds.length)
    throw badRequest('twice', 'A payout can include each withdrawal only once');
  await requireExplained(services);
  await requireRightCoin(services);
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
      throw badRequest('too_much', 'The total exceeds what a coin can hold. Pay fewer withdrawals at a time');

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

/** @throws 404, 409 once it was sent */
export async function cancel({ db }: Services, who: Actor, batchId: string): Promise<BatchRow> {
  return db.transaction().execute(async (trx) => {
    const batch = await findBatch(trx, batchId, { lock: true });
    if (!(await moveBatch(trx, batchId, 'cancel'))) throw conflict('wrong_state', `This payout is ${batch.state}`);
    await updateWithdrawals(trx, 'unbatch').set({ batchId: null }).where('batchId', '=', batchId).execute();
    await writeAudit(trx, who, { action: 'payout.cancel', detail: `Payout ${batchId}`, outcome: 'ok' });
    return findBatch(trx, batchId);
  });
}
