import type { Db } from '#db/client.ts';
import { writeAudit } from '#server/books/audit.ts';
import { updateWithdrawals } from '../withdrawals/transitions.ts';
import { moveBatch } from './queries.ts';
import { SERVER } from './settle.ts';

/** Its withdrawals are approved again. @throws when it was sent or cancelled since */
export async function cancelPrepared(trx: Db, batchId: string): Promise<void> {
  if (!(await moveBatch(trx, batchId, 'cancel'))) throw new Error(`payout ${batchId} was changed while it was matched`);
  await updateWithdrawals(trx, 'unbatch').set({ batchId: null }).where('batchId', '=', batchId).execute();
  const detail = `Payout ${batchId}: a transaction on the chain has paid one of its withdrawals`;
  await writeAudit(trx, SERVER, { action: 'payout.cancel', detail, outcome: 'ok' });
}
