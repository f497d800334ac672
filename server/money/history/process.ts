import { sql } from 'kysely';
import type { PastTransaction } from '#chain/history.ts';
import type { Transfer } from '#chain/payout.ts';
import { CLOCK_SKEW_MS } from '#chain/transactions.ts';
import type { Db } from '#db/client.ts';
import type { Services } from '#server/kit/services.ts';
import { writeAudit } from '#server/books/audit.ts';
import { findBatch, moveBatch } from '../batches/queries.ts';
import { GIVEN_UP, revive } from '../batches/revive.ts';
import { SERVER, settleIn } from '../batches/settle.ts';
import { type Books, matchTransfer } from './match.ts';
import { lockTransaction, lockUsers } from './locks.ts';
import type { Subject } from './scans.ts';
import { transfersOf } from './transfers.ts';

/** Repeating it changes nothing. */
export async function processSent(
  services: Services,
  subject: Subject,
  books: Books,
  tx: PastTransaction,
): Promise<void> {
  const { wallet, coinType } = subject;
  const transfers = transfersOf(tx, wallet, coinType);
  if (transfers.length === 0) return;
  await services.db.transaction().execute(async (trx) => {
    await lockTransaction(trx, tx.digest);
    const known = await findKnown(trx, tx.digest);
    if (known) return settleKnown(trx, services, known, tx);
    if (await settlePrepared(trx, services, subject, transfers, tx)) return;
    const rows = await trx
      .insertInto('outgoingTransfers')
      .values(
        transfers.map(({ address, amountUnits }, position) => ({
          digest: tx.digest,
          position,
          wallet,
          recipient: address,
          coinType,
          amountUnits: String(amountUnits),
          executedAt: new Date(tx.timestampMs ?? 0),
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .execute();
    await lockUsers(trx, rows);
    for (const row of rows.toSorted((one, other) => one.position - other.position))
      await matchTransfer(trx, row, books);
  });
}

const findKnown = (trx: Db, digest: string) =>
  trx
    .selectFrom('payoutBatches')
    .select(['id', 'state', 'failureCode'])
    .where('digest', '=', digest)
    .orderBy(sql`state = 'failed'`)
    .executeTakeFirst();

/** One that was given up, and executed after all, pays its withdrawals before another one can. */
async function settleKnown(
  trx: Db,
  services: Services,
  { id, state, failureCode }: { id: string; state: string; failureCode: string | null },
  tx: PastTransaction,
): Promise<void> {
  if (state === 'failed' && GIVEN_UP.includes(failureCode ?? '') && !(await revive(trx, services, id))) return;
  await settleIn(trx, services.config, SERVER, id, tx);
}

const fingerprint = (transfers: readonly Transfer[]): string =>
  transfers
    .map(({ address, amountUnits }) => `${address} ${amountUnits}`)
    .toSorted()
    .join();

/** A wallet has sent the batch on its own, or the books have lost that it was sent. */
async function settlePrepared(
  trx: Db,
  { config }: Services,
  { coinType }: Subject,
  transfers: readonly Transfer[],
  tx: PastTransaction,
): Promise<boolean> {
  const [first] = transfers;
  if (!first) return false;
  const candidates = await trx
    .selectFrom('payoutBatches')
    .innerJoin('payoutItems', 'payoutItems.batchId', 'payoutBatches.id')
    .select('payoutBatches.id')
    .distinct()
    .where('payoutBatches.state', '=', 'prepared')
    .where('payoutBatches.coinType', '=', coinType)
    .where('payoutBatches.createdAt', '<=', new Date((tx.timestampMs ?? 0) + CLOCK_SKEW_MS))
    .where('payoutItems.walletAddress', '=', first.address)
    .execute();
  for (const { id } of candidates) {
    const batch = await findBatch(trx, id, { lock: true });
    const agreed = batch.items.map(({ walletAddress, amountUnits }) => ({ address: walletAddress, amountUnits }));
    if (fingerprint(agreed) !== fingerprint(transfers)) continue;
    const sent = { digest: tx.digest, sentAt: new Date(tx.timestampMs ?? 0) };
    if (!(await moveBatch(trx, id, 'adopt', sent))) continue;
    const detail = `Payout ${id}, transaction ${tx.digest}`;
    await writeAudit(trx, SERVER, { action: 'payout.adopt', detail, outcome: 'ok', rowCount: batch.items.length });
    await settleIn(trx, config, SERVER, id, tx);
    return true;
  }
  return false;
}
