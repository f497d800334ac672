import { isSameAddress } from '#chain/address.ts';
import { isSignatureOf } from '#chain/payment-signature.ts';
import { decodeBase64 } from '#chain/base64.ts';
import { sql } from 'kysely';
import { readEpochStart } from '#chain/history.ts';
import { isComplete } from '#chain/payment-outcome.ts';
import { CLOCK_SKEW_MS, isDigest, type Submission } from '#chain/transactions.ts';
import { type PayoutReading, validateCoin, validateLife, validatePayout, readPayout } from '#chain/payout.ts';
import type { Db } from '#db/client.ts';
import { isUniqueViolation } from '#db/unique-violation.ts';
import { badRequest, conflict, unavailable } from '#server/kit/http/errors.ts';
import { servedChain } from '#server/kit/chain-id.ts';
import { deliver, lookUp } from '#server/kit/our-chain.ts';
import type { Services } from '#server/kit/services.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { type BatchRow, findBatch, moveBatch, termsOf } from '../batches/queries.ts';
import { requireExplained } from '../history/gate.ts';
import { lostSpan } from '../history/queries.ts';
import { lockTransaction } from '../history/locks.ts';
import { noteRefused, settleByHand, settleExecuted, settleUnpaid } from '../batches/settle.ts';
import { findUnended } from './ended.ts';

const CAUSES: Array<[pattern: RegExp, sentence: string]> = [
  [/signature/i, 'The signature does not belong to this transaction and the admin wallet'],
  [/gas|insufficient|balance/i, 'The admin wallet does not hold enough for the payout and its gas'],
  [/version|lock|not available|conflict|equivocat/i, 'A coin of this transaction was spent elsewhere'],
];

const causeOf = (reason: string): string =>
  CAUSES.find(([pattern]) => pattern.test(reason))?.[1] ?? 'The chain rejected the transaction';

const rejectionSentence = (reason: string): string => `${causeOf(reason)}. Nothing was paid; prepare the payout again.`;

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
    await requireOnlyOnce(services, batch, reading);
    // Before anything is sent: a rejection by the chain ends the batch.
    if (!(await isSignatureOf(services.sui, bytes, signature, terms.sender).catch(unreachable)))
      throw badRequest(
        'wrong_signature',
        'The signature does not belong to this transaction and the paying wallet. Nothing was sent; sign again.',
      );
    if (await markSent(services, who, batch, { digest, transaction: Buffer.from(bytes), signature }, allow))
      return sendFirst(services, who, batch.id, reading);
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

/** Rejects what could be executed besides an earlier payout of a withdrawal, or for longer than an epoch or two. */
async function requireOnlyOnce(services: Services, { items }: BatchRow, reading: PayoutReading): Promise<void> {
  const served = await servedChain(services);
  if (served.state !== 'ours' || served.epoch === null)
    throw unavailable('chain_unreachable', 'The chain cannot be reached right now. Nothing was sent; try again.');
  const problem = validateLife(reading, { chainId: served.chainId, epoch: BigInt(served.epoch) });
  if (problem !== null) throw badRequest('not_this_payout', problem);
  await requireNoLostOne(services, reading);
  const ids = items.map(({ withdrawalId }) => withdrawalId);
  const unended = await findUnended(services, ids, reading);
  if (unended.length > 0)
    throw conflict(
      'not_ended',
      `An earlier payout of withdrawal ${unended.join(', ')} can still be executed, until its epoch ends. Nothing was sent; pay it after that.`,
    );
}

/** After a restore, a payout that the books have lost may still be executed, and shares no coin with one that spends none. */
async function requireNoLostOne({ db, sui }: Services, { life }: PayoutReading): Promise<void> {
  const lost = life.spends.length === 0 ? await lostSpan(db) : null;
  if (lost === null) return;
  const startMs = await readEpochStart(sui).catch(() => null);
  if (startMs === null || startMs <= lost.untilMs + CLOCK_SKEW_MS)
    throw conflict(
      'lost_payouts',
      'The database was restored in this epoch, and a payout that it has lost may still be executed. A wallet without coins pays again in the next epoch.',
    );
}

/**
 * A rejection of bytes that were never sent before releases the withdrawals where the next payout spends the same coins.
 * What spends no coin may be executed by another node until its epoch ends (R82).
 */
async function sendFirst(services: Services, who: Actor, batchId: string, { life }: PayoutReading): Promise<void> {
  const delivery = await deliverPayout(services, who, await findBatch(services.db, batchId));
  if (delivery.state !== 'rejected') return;
  services.log.warn({ batchId, reason: delivery.reason }, 'the chain rejected a payout');
  if (life.spends.length === 0) {
    await noteRefused(services, who, batchId);
    throw conflict(
      'refused',
      `${causeOf(delivery.reason)}. The payout spends no coin, so it can still be executed until its epoch ends; after that its withdrawals can be paid again.`,
    );
  }
  await settleUnpaid(services, who, batchId, 'rejected');
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
