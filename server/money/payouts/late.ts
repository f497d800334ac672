import { conflict, unavailable } from '#server/kit/http/errors.ts';
import { lookUp } from '#server/kit/our-chain.ts';
import type { Services } from '#server/kit/services.ts';
import type { Actor } from '#server/books/audit.ts';
import { GIVEN_UP, revive } from '../batches/revive.ts';
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
    .where('payoutBatches.failureCode', 'in', GIVEN_UP)
    .execute();
  for (const { id, digest } of givenUp) {
    const seen = await lookUp(services, digest ?? '');
    if (seen.state === 'unreachable')
      throw unavailable(
        'chain_unreachable',
        'The chain cannot be reached to check whether an earlier payout went through',
      );
    if (seen.state === 'unindexed')
      throw unavailable(
        'history_behind',
        'An earlier payout was executed, and its outcome is not known yet. Try again.',
      );
    if (seen.state !== 'found') continue;
    if (!(await services.db.transaction().execute((trx) => revive(trx, services, id))))
      throw conflict('wrong_state', 'An earlier payout has paid it; its books wait for the outcome of a later one');
    await settleExecuted(services, who, id, seen.transaction);
  }
}
