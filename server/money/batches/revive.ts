import type { Db } from '#db/client.ts';
import type { Services } from '#server/kit/services.ts';
import { updateWithdrawals } from '../withdrawals/transitions.ts';
import { cancelPrepared } from './cancel-prepared.ts';
import { findBatch, moveBatch } from './queries.ts';

/** Failure codes of payouts that no transaction on the chain explains. */
export const GIVEN_UP = ['rejected', 'unseen', 'expired'];

/**
 * Takes a payout back that was given up and has been executed: out of batches that were not sent, and with only the
 * withdrawals that have not been settled since. False while one of them is in a sent batch, which this one excludes.
 */
export async function revive(trx: Db, { log }: Pick<Services, 'log'>, batchId: string): Promise<boolean> {
  const batch = await findBatch(trx, batchId, { lock: true });
  if (batch.state !== 'failed') return true;
  const ids = batch.items.map(({ withdrawalId }) => withdrawalId);
  const others = await openBatches(trx, ids);
  if (others.some(({ state }) => state === 'sent')) return false;
  for (const { id } of others) await cancelPrepared(trx, id);
  await moveBatch(trx, batchId, 'revive', { failureCode: null });
  const back = await updateWithdrawals(trx, 'revive')
    .set({ batchId, reason: null })
    .where('id', 'in', ids)
    .returning('id')
    .execute();
  const lost = ids.filter((id) => !back.some((row) => row.id === id));
  if (lost.length === 0) return true;
  // Only manual changes of rows lead here; the books must report it.
  log.error(
    { batchId, digest: batch.digest, withdrawals: lost },
    'a payout given up was executed, and settled otherwise',
  );
  await trx.deleteFrom('payoutItems').where('batchId', '=', batchId).where('withdrawalId', 'in', lost).execute();
  return true;
}

const openBatches = (trx: Db, withdrawalIds: readonly number[]) =>
  trx
    .selectFrom('withdrawals')
    .innerJoin('payoutBatches', 'payoutBatches.id', 'withdrawals.batchId')
    .select(['payoutBatches.id', 'payoutBatches.state'])
    .distinct()
    .where('withdrawals.id', 'in', withdrawalIds)
    .where('payoutBatches.state', 'in', ['prepared', 'sent'])
    .execute();
