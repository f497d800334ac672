import { type Selectable, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { OutgoingTransfers } from '#db/schema.ts';
import { recordActivity } from '#server/books/activity.ts';
import { post } from '#server/books/ledger.ts';
import { insertWithdrawal } from '../withdrawals/queries.ts';
import { updateWithdrawals } from '../withdrawals/transitions.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { findBatch, moveBatch } from '../batches/queries.ts';
import { pay } from '../batches/settle.ts';

export type TransferRow = Selectable<OutgoingTransfers>;

/** Applies in any state: the money has been received. */
export async function adoptWithdrawal(trx: Db, who: Actor, withdrawalId: number, transfer: TransferRow): Promise<void> {
  const batchId = await batchOf(trx, transfer);
  const moved = await updateWithdrawals(trx, 'adopt')
    .set({ batchId, reason: null })
    .where('id', '=', withdrawalId)
    .returning(['userId', 'walletAddress', 'tokenAmount'])
    .executeTakeFirstOrThrow();
  const { amountUnits, wallet, digest } = transfer;
  const { walletAddress, tokenAmount } = moved;
  await trx
    .insertInto('payoutItems')
    .values({ withdrawalId, walletAddress, tokenAmount, batchId, amountUnits })
    .execute();
  await pay(trx, await findBatch(trx, batchId), [{ withdrawalId, ...moved, amountUnits: BigInt(amountUnits) }]);
  await writeAudit(trx, who, {
    action: 'payout.adopt',
    detail: `Withdrawal ${withdrawalId}: ${tokenAmount} Snaps, paid by ${wallet} in ${digest}`,
    outcome: 'paid',
    rowCount: 1,
  });
}

async function batchOf(trx: Db, { digest, wallet, coinType, executedAt }: TransferRow): Promise<string> {
  const present = await trx.selectFrom('payoutBatches').select('id').where('digest', '=', digest).executeTakeFirst();
  if (present) return present.id;
  const { id } = await trx
    .insertInto('payoutBatches')
    .values({ coinType, sender: wallet })
    .returning('id')
    .executeTakeFirstOrThrow();
  await moveBatch(trx, id, 'adopt', { digest, sentAt: executedAt });
  await moveBatch(trx, id, 'pay');
  return id;
}

/** Needs the lock of the balance, which must be sufficient. */
export async function recordWithdrawal(
  trx: Db,
  user: { id: number; walletAddress: string },
  tokenAmount: number,
  transfer: TransferRow,
): Promise<number> {
  const { id } = await insertWithdrawal(trx, { userId: user.id, walletAddress: user.walletAddress, tokenAmount });
  await trx
    .updateTable('withdrawals')
    .set({ createdAt: sql<Date>`least(now(), ${transfer.executedAt})` })
    .where('id', '=', id)
    .execute();
  await post(trx, { userId: user.id, kind: 'withdrawal_hold', ref: id, amount: -tokenAmount });
  await recordActivity(trx, {
    userId: user.id,
    kind: 'withdrawal_requested',
    text: `Withdrawal of ${tokenAmount} Snaps, found on the chain`,
    tokens: -tokenAmount,
  });
  return id;
}
