import { decodeBase64 } from '#chain/base64.ts';
import { isSignatureOf } from '#chain/payment-signature.ts';
import { validatePayment, readPayment } from '#chain/payment.ts';
import { isUniqueViolation } from '#db/unique-violation.ts';
import { withUserLock } from '#db/user-lock.ts';
import type { executePayment } from '#shared/contract/payments.ts';
import type { ResponseOf, BodyOf } from '#shared/endpoint.ts';
import { formatSui } from '#shared/money/money.ts';
import { PHASE_FACTS } from '#shared/money/payment-phases.ts';
import { badRequest, conflict, HttpError, unavailable } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';
import { rejectedSignatureText } from '#server/kit/signature-texts.ts';
import type { SessionUser } from '#server/kit/http/session.ts';
import { checkClaims, CLAIM_WAIT_MS, digestUsed, ownPayment, paymentOpen, pending } from './common.ts';
import { findOpenTwin, isDigestUsed } from './queries.ts';
import type { PaymentRow } from './rows.ts';
import { settle } from './settle.ts';
import { recordDigest, storeSigned } from './store.ts';

export type Proof = BodyOf<typeof executePayment>;

/** Called at the last moment at which nothing has been paid. */
export type OrderCheck = (payment: PaymentRow) => Promise<void>;

/**
 * Step 3 of R16; repeating it gives the same response. A wallet that signs and sends in one step names its
 * transaction instead (R17).
 */
export async function execute(
  services: Services,
  session: SessionUser,
  id: string,
  proof: Proof,
  checkOrder: OrderCheck,
): Promise<ResponseOf<typeof executePayment>> {
  const payment = await ownPayment(services, session, id);
  const digest = await storeProof(services, session, payment, proof, checkOrder).catch((error: unknown) => {
    throw nothingPaid(isUniqueViolation(error) ? digestUsed() : error);
  });
  const stored = await ownPayment(services, session, id);
  if (stored.state === 'draft' || stored.state === 'expired')
    throw nothingPaid(
      conflict('payment_expired', 'This payment was not signed in time. Nothing was paid; please start again.'),
    );
  if (stored.digest !== digest)
    throw nothingPaid(conflict('already_signed', 'Another transaction was already sent for this payment'));
  const settled = await settle(services, stored, CLAIM_WAIT_MS);
  switch (settled.state) {
    case 'signed':
      return { ...pending('looking'), transactionHash: digest };
    case 'failed':
      throw nothingPaid(conflict('payment_failed', settled.message ?? 'The payment failed; nothing was paid'));
    case 'unclaimed':
    case 'refunded':
      throw conflict('payment_unclaimed', settled.message ?? `${PHASE_FACTS.review.title}.`);
    default:
      return { transactionHash: digest };
  }
}

/**
 * Marks a rejection as the end of this payment. Browsers give up a signed payment only for this mark, because any
 * other 4xx may come from a proxy or be temporary.
 */
function nothingPaid(error: unknown): unknown {
  const isEnd = error instanceof HttpError && error.status < 500 && error.status !== 429;
  if (!isEnd) return error;
  return new HttpError(error.status, error.code, error.message, { extra: { ...error.extra, nothingPaid: true } });
}

async function storeProof(
  services: Services,
  session: SessionUser,
  payment: PaymentRow,
  proof: Proof,
  checkOrder: OrderCheck,
): Promise<string> {
  if ('transactionHash' in proof) {
    if (await isDigestUsed(services.db, proof.transactionHash, payment.id)) throw digestUsed();
    if (payment.digest === proof.transactionHash) return proof.transactionHash;
    await withUserLock(services.db, session.userId, async (trx) => {
      await checkClaims(trx, session.userId);
      // An expired draft still accepts the digest: the money may have moved already.
      await recordDigest(trx, payment.id, proof.transactionHash);
    });
    return proof.transactionHash;
  }
  const { transaction, digest } = await checkSigned(services, payment, proof);
  if (payment.state === 'draft') {
    await checkOrder(payment);
    const stored = await storeSigned(services.db, payment, { digest, transaction, signature: proof.signature });
    const twin = stored === 'twin' ? await findOpenTwin(services.db, payment) : null;
    if (twin) throw paymentOpen(twin);
  }
  return digest;
}

async function checkSigned(
  services: Services,
  payment: PaymentRow,
  { bytes, signature }: { bytes: string; signature: string },
): Promise<{ transaction: Uint8Array; digest: string }> {
  const transaction = decodeBase64(bytes);
  if (transaction === null) throw badRequest('wrong_transaction', 'The transaction is not base64');
  const reading = readPayment(transaction);
  const agreed = {
    sender: payment.walletAddress,
    recipient: payment.recipient ?? services.config.adminWallet,
    amountMist: payment.amountMist,
  };
  const mismatch = 'error' in reading ? reading.error : validatePayment(reading.terms, agreed);
  if (mismatch !== null || 'error' in reading)
    throw badRequest(
      'wrong_transaction',
      `${mismatch ?? ''}. Expected: ${formatSui(payment.amountMist)} SUI and nothing else.`,
    );
  const valid = await isSignatureOf(services.sui, transaction, signature, payment.walletAddress).catch(() => {
    throw unavailable(
      'verifier_unavailable',
      'The signature could not be checked right now. Nothing was paid; please try again.',
    );
  });
  if (!valid)
    throw badRequest(
      'bad_signature',
      rejectedSignatureText(signature, 'The signature does not belong to this transaction and wallet'),
    );
  return { transaction, digest: reading.digest };
}
