import { unavailable } from '#server/kit/http/errors.ts';
import { lookUp } from '#server/kit/our-chain.ts';
import type { Services } from '#server/kit/services.ts';
import { updateWithdrawals } from '../withdrawals/transitions.ts';
import type { Actor } from '#server/books/audit.ts';
import { findBatch, moveBatch } from '../batches/queries.ts';
import { settleExecuted } from '../batches/settle.ts';

/**
 * Call before a withdrawal is paid again or rejected: settles payouts that were given up and executed later. @throws
 * 503 when the chain cannot be asked
 */
export async function settleLate(services: Services, who: Actor, withdrawalIds: number[]): Promise<void> {
  const givenUp = await services.db
    .selectFrom('payoutBatches')
    .innerJoin('payoutItems', 'payoutItems.batchId', 'payoutBatches.id')
    .select(['payoutBatches.id', 'payoutBatches.digest'])
    .distinct()
    .where('payoutItems.withdrawalId', 'in', withdrawalIds)
    .where('payoutBatches.state', '=', 'failed')
    .where('payoutBatches.failureCode', 'in', ['rejected', 'unseen'])
    .execute();
  for (const { id, digest } of givenUp) {
    const seen = await lookUp(services, digest ?? '');
    if (seen.state === 'unreachable')
      throw unavailable(
        'chain_unreachable',
        'The chain cannot be reached to check whether an earlier payout went through',
      );
    if (seen.state !== 'found') continue;
    await revive(services, id);
    await settleExecuted(services, who, id, seen.transaction);
  }
}

/** Keeps only the withdrawals that have not been settled since. */
async function revive({ db, log }: Services, batchId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const batch = await findBatch(trx, batchId, { lock: true });
    if (!(await moveBatch(trx, batchId, 'revive', { failureCode: null }))) return;
    const ids = batch.items.map(({ withdrawalId }) => withdrawalId);
    const back = await updateWithdrawals(trx, 'revive')
      .set({ batchId, reason: null })
      .where('id', 'in', ids)
      .returning('id')
      .execute();
    const lost = ids.filter((id) => !back.some((row) => row.id === id));
    if (lost.length === 0) return;
    // Only manual changes of rows lead here; the books must report it.
    log.error(
      { batchId, digest: batch.digest, withdrawals: lost },
      'a payout given up was executed, and settled otherwise',
    );
    await trx.deleteFrom('payoutItems').where('batchId', '=', batchId).where('withdrawalId', 'in', lost).execute();
  });
}
