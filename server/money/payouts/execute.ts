import { isSameAddress } from '#chain/address.ts';
import { isSignatureOf } from '#chain/payment-signature.ts';
import { decodeBase64 } from '#chain/base64.ts';
import { sql } from 'kysely';
import { isComplete } from '#chain/payment-outcome.ts';
import { CLOCK_SKEW_MS, isDigest, type Submission } from '#chain/transactions.ts';
import { validateCoin, validatePayout, readPayout } from '#chain/payout.ts';
import type { Db } from '#db/client.ts';
import { isUniqueViolation } from '#db/unique-violation.ts';
import { badRequest, conflict, unavailable } from '#server/kit/http/errors.ts';
import { deliver, lookUp } from '#server/kit/our-chain.ts';
import type { Services } from '#server/kit/services.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { type BatchRow, findBatch, moveBatch, termsOf } from '../batches/queries.ts';
import { requireExplained } from '../history/gate.ts';
import { lockTransaction } from '../history/locks.ts';
import { settleByHand, settleExecuted, settleUnpaid } from '../batches/settle.ts';

const CAUSES: Array<[pattern: RegExp, sentence: string]> = [
  [/signature/i, 'The signature does not belong to this transaction and the admin wallet'],
  [/gas|insufficient|balance/i, 'The admin wallet does not hold enough for the payout and its gas'],
  [/version|lock|not available|conflict|equivocat/i, 'A coin of this transaction was spent elsewhere'],
];

function rejectionSentence(reason: string): string {
  const cause = CAUSES.find(([pattern]) => pattern.test(reason))?.[1] ?? 'The chain rejected the transaction';
  return `${cause}. Nothing was paid; prepare the payout again.`;
}

export type Execution = { bytes: string; signature: string } | { transactionHash: string };

/** Throws to stop a payout, in the transaction that records the sending. */
export type Allow = (trx: Db, batch: BatchRow) => Promise<void>;

/**
 * Pays a batch with the transaction that its wallet signed, or records the digest of one that was sent by other
 * means. Repeating it is safe. @throws 400 not exactly this payout, 404, 409 another transaction was sent or the
 * digest paid another batch, 503
 */
export async function execute(
  services: Services,
  who: Actor,
  batchId: string,
  sent: Execution,
  allow: Allow = () => Promise.resolve(),
): Promise<BatchRow> {
  const batch = await findBatch(services.db, batchId);
  if ('bytes' in sent) await executeSigned(services, who, batch, { ...sent, allow });
  else await recordDigest(services, who, batch, sent.transactionHash);
  return findBatch(services.db, batchId);
}

async function executeSigned(
  services: Services,
  who: Actor,
  batch: BatchRow,
  { bytes: base64, signature, allow }: { bytes: string; signature: string; allow: Allow },
): Promise<void> {
  if (batch.coinType === null)
    throw badRequest('no_coin', 'No coin is configured. Pay by hand and record the digest of the transaction');
  const bytes = decodeBase64(base64);
  if (bytes === null) throw badRequest('not_this_payout', 'This is not a Sui transaction');
  const reading = readPayout(bytes);
  if ('error' in reading) throw badRequest('not_this_payout', reading.error);
  const terms = termsOf(batch, services.config.adminWallet);
  const mismatch = validatePayout(reading, terms);
  if (mismatch !== null) throw badRequest('not_this_payout', mismatch);
  const { digest } = reading;
  if (batch.state === 'prepared') {
    await requireExplained(services);
    const unreachable = (): never => {
      throw unavailable('chain_unreachable', 'The chain cannot be reached right now. Nothing was sent; try again.');
    };
    const wrongCoin = await validateCoin(services.sui, reading, batch.coinType).catch(unreachable);
    if (wrongCoin !== null) throw badRequest('not_this_payout', wrongCoin);
    // Before anything is sent: a rejection by the chain ends the batch.
    if (!(await isSignatureOf(services.sui, bytes, signature, terms.sender).catch(unreachable)))
      throw badRequest(
        'wrong_signature',
        'The signature does not belong to this transaction and the paying wallet. Nothing was sent; sign again.',
      );
    if (await markSent(services, who, batch, { digest, transaction: Buffer.from(bytes), signature }, allow))
      return sendFirst(services, who, batch.id);
  }
  const stored = await findBatch(services.db, batch.id);
  if (stored.digest !== digest) throw conflict('wrong_state', `This payout is ${stored.state}`);
}

/** True for the one of several simultaneous requests that may send. */
async function markSent(
  { db }: Services,
  who: Actor,
  batch: BatchRow,
  sent: { digest: string; transaction: Buffer | null; signature: string | null },
  allow?: Allow,
): Promise<boolean> {
  try {
    return await db.transaction().execute(async (trx) => {
      await allow?.(trx, batch);
      await lockTransaction(trx, sent.digest);
      const change = { ...sent, sentAt: sql<Date>`now()` };
      if (!(await moveBatch(trx, batch.id, 'send', change))) return false;
      const detail = `Payout ${batch.id}, transaction ${sent.digest}`;
      await writeAudit(trx, who, { action: 'payout.send', detail, outcome: 'ok', rowCount: batch.items.length });
      return true;
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict('digest_used', 'This transaction already paid another payout');
    throw error;
  }
}

/** Only here a rejection means that nothing was paid: these bytes were never sent before. */
async function sendFirst(services: Services, who: Actor, batchId: string): Promise<void> {
  const delivery = await deliverPayout(services, who, await findBatch(services.db, batchId));
  if (delivery.state !== 'rejected') return;
  await settleUnpaid(services, who, batchId, 'rejected');
  services.log.warn({ batchId, reason: delivery.reason }, 'the chain rejected a payout');
  throw badRequest('rejected', rejectionSentence(delivery.reason));
}

export async function deliverPayout(services: Services, who: Actor, batch: BatchRow): Promise<Submission> {
  const { digest, transaction: bytes, signature } = batch;
  if (digest === null || bytes === null || signature === null) return { state: 'unknown' };
  const delivery = await deliver(services, { digest, bytes, signature });
  // The recovery job reads missing balance changes later.
  if (delivery.state === 'executed' && isComplete(delivery.transaction))
    await settleExecuted(services, who, batch.id, delivery.transaction);
  return delivery;
}

/** Verified on chain if a coin is configured, otherwise accepted by the admin's statement. */
async function recordDigest(services: Services, who: Actor, batch: BatchRow, digest: string): Promise<void> {
  if (!isDigest(digest)) throw badRequest('not_a_digest', 'This is not the digest of a transaction');
  if (batch.state !== 'prepared' && batch.digest === digest) return;
  if (batch.state !== 'prepared') throw conflict('wrong_state', `This payout is ${batch.state}`);
  const sent = { digest, transaction: null, signature: null };
  if (batch.coinType === null) {
    await markSent(services, who, batch, sent);
    await services.db.transaction().execute(async (trx) => {
      const present = await findBatch(trx, batch.id, { lock: true });
      if (present.state === 'sent' && present.digest === digest) await settleByHand(trx, who, present);
    });
    return;
  }
  const seen = await lookUp(services, digest);
  if (seen.state === 'unreachable') throw unavailable('chain_unreachable', 'The chain cannot be reached right now');
  if (seen.state !== 'found')
    throw conflict('not_found_yet', 'The transaction is not on the chain yet. Try again in a moment.');
  const { transaction } = seen;
  if (!transaction.status.success) throw badRequest('not_this_payout', 'This transaction failed on chain');
  // Only the owner may have paid from another wallet: others could claim a stranger's transfers.
  const isOwner = who.actor === services.config.adminWallet;
  if (!isOwner && !isSameAddress(transaction.transaction.sender ?? '', batch.sender ?? services.config.adminWallet))
    throw badRequest('not_this_payout', 'This transaction is from another wallet');
  // An older transaction paid for something else.
  if (transaction.timestampMs !== null && transaction.timestampMs + CLOCK_SKEW_MS < batch.createdAt.getTime())
    throw badRequest('not_this_payout', 'This transaction is older than the payout');
  await markSent(services, who, batch, sent);
  await settleExecuted(services, who, batch.id, transaction);
}
