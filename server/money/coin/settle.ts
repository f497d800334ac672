import { coinMadeBy } from '#chain/publication.ts';
import type { ExecutedTransaction } from '#chain/transactions.ts';
import type { Db } from '#db/client.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';

type Outcome = { coinType: string } | { failureCode: 'rejected' | 'failed_on_chain' | 'unseen' };

export function outcomeOf(transaction: ExecutedTransaction): Outcome {
  const coinType = coinMadeBy(transaction);
  return coinType === null ? { failureCode: 'failed_on_chain' } : { coinType };
}

/** Records what became of a publication. Does nothing when it is settled or replaced. */
export async function settlePublication(db: Db, who: Actor, digest: string, outcome: Outcome): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('coinPublication')
      .set({ ...outcome, state: 'coinType' in outcome ? 'made' : 'failed' })
      .where('digest', '=', digest)
      .where('state', '=', 'sent')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const made = 'coinType' in outcome ? `, coin ${outcome.coinType}` : '';
    await writeAudit(trx, who, {
      action: 'coin.settle',
      detail: `Transaction ${digest}${made}`,
      outcome: 'coinType' in outcome ? 'made' : outcome.failureCode,
    });
  });
}
