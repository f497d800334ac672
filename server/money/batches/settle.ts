import { sql } from 'kysely';
import type { ExecutedTransaction } from '#chain/transactions.ts';
import { unpaidRecipients } from '#chain/payout.ts';
import type { Db } from '#db/client.ts';
import type { Config } from '#server/kit/config.ts';
import { recordActivity } from '#server/books/activity.ts';
import { type Entry, post } from '#server/books/ledger.ts';
import { recordNotices } from '#server/books/notices.ts';
import type { Services } from '#server/kit/services.ts';
import { updateWithdrawals } from '../withdrawals/transitions.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { type BatchRow, findBatch, type Item, moveBatch, termsOf } from './queries.ts';

export const SERVER: Actor = { actor: 'server', ip: null };

/** A recipient that got all is paid; all others wait for the admin. Does nothing when the batch is settled already. */
export async function settleExecuted(
  { db, config }: Services,
  who: Actor,
  batchId: string,
  tx: ExecutedTransaction,
): Promise<void> {
  await db.transaction().execute((trx) => settleIn(trx, config, who, batchId, tx));
}

export async function settleIn(
  trx: Db,
  { adminWallet }: Pick<Config, 'adminWallet'>,
  who: Actor,
  batchId: string,
  tx: ExecutedTransaction,
): Promise<void> {
  const batch = await findBatch(trx, batchId, { lock: true });
  if (batch.state !== 'sent' || batch.digest !== tx.digest) return;
  if (!tx.status.success) {
    await fail(trx, who, batch, 'failed_on_chain', 'The payout transaction failed on chain');
    return;
  }
  const short = unpaidRecipients(tx, termsOf(batch, adminWallet));
  const paid = batch.items.filter(({ walletAddress }) => !short.has(walletAddress));
  const unpaid = batch.items.filter(({ walletAddress }) => short.has(walletAddress));
  if (batch.failureCode !== null)
    await trx.updateTable('payoutBatches').set({ failureCode: null }).where('id', '=', batchId).execute();
  await pay(trx, batch, paid);
  await markFailed(trx, unpaid, 'The payout transaction did not pay the full amount');
  if (unpaid.length === 0) await moveBatch(trx, batchId, 'pay');
  else await moveBatch(trx, batchId, 'fail', { failureCode: 'short' });
  await auditEnd(trx, who, batch, unpaid.length === 0 ? 'paid' : `paid ${paid.length}, not paid ${unpaid.length}`);
}

/** No coin is configured that could be looked up. */
export async function settleByHand(trx: Db, who: Actor, batch: BatchRow): Promise<void> {
  await pay(trx, batch, batch.items);
  await moveBatch(trx, batch.id, 'pay');
  await auditEnd(trx, who, batch, 'recorded by hand, not verified');
}

/**
 * The withdrawals of a batch that cannot have been executed may be paid again immediately; one that the chain does not
 * know waits for a person. Does nothing when the batch is settled already.
 */
export async function settleUnpaid(
  { db }: Services,
  who: Actor,
  batchId: string,
  failureCode: 'rejected' | 'unseen' | 'expired',
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const batch = await findBatch(trx, batchId, { lock: true });
    if (batch.state !== 'sent') return;
    if (failureCode === 'unseen') {
      await fail(trx, who, batch, failureCode, 'The payout transaction was not found on chain');
      return;
    }
    await updateWithdrawals(trx, 'release').set({ batchId: null }).where('batchId', '=', batchId).execute();
    await moveBatch(trx, batchId, 'fail', { failureCode });
    await auditEnd(trx, who, batch, failureCode === 'expired' ? 'expired' : 'not taken by the chain');
  });
}

/** Nothing is known to be over: the batch stays as it was sent. */
export async function noteRefused({ db }: Services, who: Actor, batchId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const batch = await findBatch(trx, batchId, { lock: true });
    if (batch.state !== 'sent') return;
    await trx
      .updateTable('payoutBatches')
      .set({ failureCode: 'refused', updatedAt: sql<Date>`now()` })
      .where('id', '=', batchId)
      .execute();
    await auditEnd(trx, who, batch, 'not accepted, and not expired');
  });
}

async function fail(trx: Db, who: Actor, batch: BatchRow, failureCode: string, reason: string): Promise<void> {
  await markFailed(trx, batch.items, reason);
  await moveBatch(trx, batch.id, 'fail', { failureCode });
  await auditEnd(trx, who, batch, failureCode);
}

async function auditEnd(trx: Db, who: Actor, batch: BatchRow, outcome: string): Promise<void> {
  const ids = batch.items.map(({ withdrawalId }) => withdrawalId).join(', ');
  const detail = `Payout ${batch.id}, transaction ${batch.digest ?? 'none'}, withdrawals ${ids}`;
  await writeAudit(trx, who, { action: 'payout.settle', detail, outcome, rowCount: batch.items.length });
}

/** The hold is released and paid in one step: the balance does not change (R13). */
export async function pay(trx: Db, batch: BatchRow, items: readonly Item[]): Promise<void> {
  if (items.length === 0) return;
  const moved = await updateWithdrawals(trx, 'pay')
    .set({ digest: batch.digest, reason: null })
    .where(
      'id',
      'in',
      items.map(({ withdrawalId }) => withdrawalId),
    )
    .where('batchId', '=', batch.id)
    .returning('id')
    .execute();
  if (moved.length !== items.length) throw new Error(`payout ${batch.id} does not own all of its withdrawals`);
  const entries = items.flatMap(({ userId, withdrawalId, tokenAmount }): Entry[] => [
    { userId, kind: 'hold_release', ref: withdrawalId, amount: tokenAmount },
    { userId, kind: 'payout', ref: withdrawalId, amount: -tokenAmount },
  ]);
  await post(trx, ...entries);
  await notify(trx, 'paid', items, (tokens) => `Withdrawal of ${tokens} Snaps paid to your wallet`, batch.digest);
}

async function notify(
  trx: Db,
  outcome: 'paid' | 'failed',
  items: readonly Item[],
  textOf: (tokens: number) => string,
  digest: string | null = null,
): Promise<void> {
  const lines = items.map(({ userId, tokenAmount }) => ({ userId, text: textOf(tokenAmount) }));
  await recordActivity(trx, ...lines.map((line) => ({ ...line, kind: `withdrawal_${outcome}` as const, digest })));
  const link = '/portfolio';
  await recordNotices(trx, ...lines.map((line) => ({ ...line, kind: `payout_${outcome}` as const, link })));
}

async function markFailed(trx: Db, items: readonly Item[], reason: string): Promise<void> {
  if (items.length === 0) return;
  await updateWithdrawals(trx, 'fail')
    .set({ batchId: null, reason })
    .where(
      'id',
      'in',
      items.map(({ withdrawalId }) => withdrawalId),
    )
    .execute();
  const textOf = (tokens: number) =>
    `Withdrawal of ${tokens} Snaps could not be paid yet: ${reason}. The admin will review it.`;
  await notify(trx, 'failed', items, textOf);
}
