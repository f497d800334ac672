import { eachRow } from '#db/each-row.ts';
import { lifeOfBytes } from '#chain/transaction-bytes.ts';
import { hasEnded } from './ended.ts';
import { deliverPayout } from './execute.ts';
import { isExplained } from '../history/gate.ts';
import { type BatchRow, findBatch } from '../batches/queries.ts';
import { SERVER, settleByHand, settleExecuted, settleUnpaid } from '../batches/settle.ts';
import { lookUp } from '#server/kit/our-chain.ts';
import type { Services } from '#server/kit/services.ts';
import { isPaused } from '../withdrawals/queries.ts';

/** For a transaction that was recorded by its digest: a chain that responds and does not know it will not execute it. */
const GIVE_UP_MS = 24 * 3_600_000;
/** The sending request gets this long before its transaction is sent again. */
const FIRST_SENDING_MS = 60_000;

/**
 * Looks digests up, sends the same bytes again, and gives up when they can no longer be executed (R82). Returns the
 * number of open payouts. Safe to run concurrently with requests and other servers.
 */
export async function recoverPayouts(services: Services, nowMs = Date.now()): Promise<number> {
  const rows = await services.db
    .selectFrom('payoutBatches')
    .select('id')
    .where('state', '=', 'sent')
    .orderBy('createdAt')
    .execute();
  let open = rows.length;
  await eachRow(services.db, { of: 'payout', idOf: ({ id }) => id }, rows, async ([row]) => {
    if (row && (await recoverOne(services, await findBatch(services.db, row.id), nowMs))) open -= 1;
  });
  return open;
}

/** A pause stops the server's own payouts: one that may not have reached the chain is looked up and not sent again. */
const isStopped = async ({ db, config }: Services, { sender }: BatchRow): Promise<boolean> =>
  config.payoutKey !== null && sender === config.payoutKey.toSuiAddress() && (await isPaused(db));

async function recoverOne(services: Services, batch: BatchRow, nowMs: number): Promise<boolean> {
  const { db } = services;
  if (batch.coinType === null) {
    await db.transaction().execute(async (trx) => {
      const present = await findBatch(trx, batch.id, { lock: true });
      if (present.state === 'sent') await settleByHand(trx, SERVER, present);
    });
    return true;
  }
  const seen = await lookUp(services, batch.digest ?? '');
  if (seen.state === 'found') {
    await settleExecuted(services, SERVER, batch.id, seen.transaction);
  } else if (seen.state === 'unseen') {
    const waitedMs = nowMs - (batch.sentAt?.getTime() ?? nowMs);
    const life = batch.transaction && lifeOfBytes(batch.transaction);
    if (life?.lastEpoch == null) {
      if (waitedMs > GIVE_UP_MS) return giveUp(services, batch.id, 'unseen');
    } else if (await hasEnded(services, { ...openOf(batch, services), life })) {
      return giveUp(services, batch.id, 'expired');
    }
    // A restored database may have lost that this payout was given up and paid by another.
    if (waitedMs > FIRST_SENDING_MS && !(await isStopped(services, batch)) && (await isExplained(services)))
      await deliverPayout(services, SERVER, batch);
  }
  return (await findBatch(db, batch.id)).state !== 'sent';
}

const openOf = ({ digest, sender, coinType }: BatchRow, { config }: Services) => ({
  digest: digest ?? '',
  sender: sender ?? config.adminWallet,
  coinType: coinType ?? '',
});

async function giveUp(services: Services, batchId: string, code: 'unseen' | 'expired'): Promise<boolean> {
  await settleUnpaid(services, SERVER, batchId, code);
  return (await findBatch(services.db, batchId)).state !== 'sent';
}
