import { fromBase64 } from '@mysten/sui/utils';
import { isSignatureOf } from '#chain/payment-signature.ts';
import { paymentFault, readPayment } from '#chain/payment.ts';
import { type executePayment, PHASE_OF, type preparePayment } from '#shared/contract/payments.ts';
import type { AnswerOf, BodyOf } from '#shared/endpoint.ts';
import { formatSui } from '#shared/money.ts';
import { PHASE_FACTS, phaseMessage } from '#shared/payment-phases.ts';
import { badRequest, conflict, HttpError, notFound, paymentRequired, tooMany, unavailable } from '../errors.ts';
import { CannotFulfilError, carryOut } from '../projects/orders.ts';
import { projectRows, toProject } from '../projects/queries.ts';
import { isNameTaken } from '../projects/slugs.ts';
import type { Services } from '../services.ts';
import type { SessionUser } from '../session.ts';
import { fulfil } from './fulfil.ts';
import {
  buyerOf,
  checkChanges,
  checkName,
  checkOwner,
  checkPossible,
  draftOf,
  nameTaken,
  type OrderInput,
  type OrderRequest,
  readOrder,
  toOrder,
} from './order-request.ts';
import {
  cancelDraft,
  claimDigest,
  countUnseenClaims,
  findByDigest,
  findOpenTwin,
  findPayment,
  insertDraft,
  isDigestUsed,
  isUniqueViolation,
  nameDigest,
  type NewPayment,
  orderOf,
  type PaymentRow,
  storeSigned,
} from './queries.ts';
import { noteRecipient } from './recipients.ts';
import { settle } from './settle.ts';

/** Time to look at the wallet's popup; afterwards nothing is executed any more. */
const DRAFT_TTL_MS = 60 * 60_000;
/** How long a request waits for the chain before it answers 'pending' (R17). */
const CLAIM_WAIT_MS = 6_000;

/** Claims that no node has seen, per user: each is looked for again and again for a day. */
const MAX_UNSEEN_CLAIMS = 5;

function newPayment({ config }: Services, session: SessionUser, request: OrderRequest, draft: object): NewPayment {
  return {
    recipient: config.adminWallet,
    userId: session.userId,
    purpose: request.purpose,
    projectId: request.project?.id ?? null,
    draft,
    orderHash: request.hash,
    amountMist: request.amountMist,
    ttlMs: DRAFT_TTL_MS,
  };
}

/** Step 1 of R16: checks everything and stores what will be paid for. */
export async function prepare(
  services: Services,
  session: SessionUser,
  input: OrderInput,
): Promise<AnswerOf<typeof preparePayment>> {
  if (session.isAdmin) throw conflict('free_for_admin', 'The admin wallet pays nothing');
  const request = await readOrder(services, input);
  checkPossible(request, session);
  await checkName(services, request);
  const draft = await draftOf(services, request);
  checkChanges(request, draft);
  const order = newPayment(services, session, request, draft);
  const twin = await findOpenTwin(services.db, order);
  if (twin) throw paymentOpen(twin);
  await noteRecipient(services.db, order.recipient);
  const payment = await insertDraft(services.db, order);
  return {
    paymentId: payment.id,
    amountMist: payment.amountMist.toString(),
    recipient: order.recipient,
    expiresAt: payment.expiresAt.toISOString(),
  };
}

/** Nothing was paid for the new attempt: an earlier payment for the same order is on its way. */
const paymentOpen = ({ id, state }: PaymentRow) =>
  new HttpError(409, 'payment_open', `You are already paying for this. ${phaseMessage(PHASE_OF[state])}`, {
    extra: { paymentId: id, phase: PHASE_OF[state] },
  });

/** A payment of the session, 404 for everybody else's. */
export async function ownPayment(services: Services, session: SessionUser, id: string): Promise<PaymentRow> {
  const payment = await findPayment(services.db, id);
  if (!payment || payment.userId !== session.userId) throw notFound('payment_not_found', 'Payment not found');
  return payment;
}

/**
 * Gives a payment up that nothing was executed for: its draft ends, and a signature for it that arrives later is refused.
 * @throws 404, 409 when a transaction is known: only the chain decides then.
 */
export async function cancel(services: Services, session: SessionUser, id: string): Promise<void> {
  const payment = await ownPayment(services, session, id);
  if (payment.state === 'expired' || (await cancelDraft(services.db, id))) return;
  const { state } = await ownPayment(services, session, id);
  if (state !== 'expired')
    throw conflict('payment_sent', `This payment cannot be cancelled. ${phaseMessage(PHASE_OF[state])}`);
}

export type Proof = BodyOf<typeof executePayment>;

/**
 * Step 3 of R16: checks, stores, executes and verifies the signed transaction; the same one again has the same answer.
 * A wallet that signs and sends in one names its transaction instead, and the chain is asked about it (R17).
 */
export async function execute(
  services: Services,
  session: SessionUser,
  id: string,
  proof: Proof,
): Promise<AnswerOf<typeof executePayment>> {
  const payment = await ownPayment(services, session, id);
  const digest = await storeProof(services, session, payment, proof).catch((error: unknown) => {
    throw isUniqueViolation(error) ? digestUsed() : error;
  });
  const stored = await ownPayment(services, session, id);
  if (stored.state === 'draft' || stored.state === 'expired')
    throw conflict('payment_expired', 'This payment was not signed in time. Nothing was paid; please start again.');
  if (stored.digest !== digest)
    throw conflict('already_signed', 'Another transaction was already sent for this payment');
  const settled = await settle(services, stored, CLAIM_WAIT_MS);
  switch (settled.state) {
    case 'signed':
      return { ...pending('looking'), transactionHash: digest };
    case 'failed':
      throw conflict('payment_failed', settled.note ?? 'The payment failed; nothing was paid');
    case 'unclaimed':
    case 'refunded':
      throw conflict('payment_unclaimed', settled.note ?? `${PHASE_FACTS.review.title}.`);
    default:
      return { transactionHash: digest };
  }
}

/** Ties the transaction to its draft before anything else happens to it; returns its digest. */
async function storeProof(
  services: Services,
  session: SessionUser,
  payment: PaymentRow,
  proof: Proof,
): Promise<string> {
  if ('transactionHash' in proof) {
    if (await isDigestUsed(services.db, proof.transactionHash, payment.id)) throw digestUsed();
    if (payment.digest !== proof.transactionHash) await checkClaims(services, session);
    // The money may have moved already: a draft whose time is over takes it all the same.
    await nameDigest(services.db, payment.id, proof.transactionHash);
    return proof.transactionHash;
  }
  const { transaction, digest } = await checkSigned(services, payment, proof);
  if (payment.state === 'draft') {
    await checkStillPossible(services, session, payment);
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
  const reading = readPayment(transaction);
  const agreed = {
    sender: payment.walletAddress,
    // As the payer was told, whatever the admin wallet is by now.
    recipient: payment.recipient ?? services.config.adminWallet,
    amountMist: payment.amountMist,
  };
  const fault = 'fault' in reading ? reading.fault : paymentFault(reading.terms, agreed);
  if (fault !== null || 'fault' in reading)
    throw badRequest(
      'wrong_transaction',
      `${fault ?? ''}. Expected: ${formatSui(payment.amountMist)} SUI and nothing else.`,
    );
  const valid = await isSignatureOf(services.sui, transaction, signature, payment.walletAddress).catch(() => {
    throw unavailable(
      'verifier_unavailable',
      'The signature could not be checked right now. Nothing was paid; please try again.',
    );
  });
  if (!valid) throw badRequest('bad_signature', 'The signature does not belong to this transaction and wallet');
  return { transaction, digest: reading.digest };
}

function decodeBase64(text: string): Uint8Array {
  try {
    return fromBase64(text);
  } catch {
    throw badRequest('wrong_transaction', 'The transaction is not base64');
  }
}

/** The last moment at which nothing has been paid: what became impossible since the draft is refused here. */
async function checkStillPossible(services: Services, session: SessionUser, payment: PaymentRow): Promise<void> {
  const order = orderOf(payment);
  if (order && order.purpose !== 'renew' && order.draft.name !== undefined) {
    if (await isNameTaken(services.db, order.draft.name, payment.projectId)) throw nameTaken();
  }
  if (payment.projectId === null) return;
  const request = await readOrder(services, { purpose: 'renew', ref: String(payment.projectId) });
  checkPossible(request, session);
}

/** The project that came of an order, or how far its payment is. */
export type Placed = { projectId: number } | { phase: 'looking' | 'received' };

/** A response that says how far a payment is; the server goes on by itself (R17). */
export const pending = (phase: 'looking' | 'received') => ({
  status: 'pending' as const,
  phase,
  message: phaseMessage(phase),
});

/** Step 4 of R16, and all of R17: an order with the transaction that paid for it, or free for the admin (R18). */
export async function place(
  services: Services,
  session: SessionUser,
  input: OrderInput,
  digest: string | undefined,
): Promise<Placed> {
  const request = await readOrder(services, input);
  checkOwner(request, session);
  if (digest !== undefined) return placePaid(services, session, request, digest);
  // A new picture is a change until it has been taken in.
  if (request.imageDataUrl === null) checkChanges(request, request.fields);
  if (!session.isAdmin) {
    const price = formatSui(request.amountMist);
    throw paymentRequired(`A payment of ${price} SUI is required`, request.amountMist);
  }
  checkPossible(request, session);
  const order = await toOrder(services, request);
  if (order.purpose === 'update') checkChanges(request, order.draft);
  const projectId = await services.db
    .transaction()
    .execute((trx) => carryOut(trx, order, buyerOf(session), null))
    .catch((error: unknown) => {
      if (!(error instanceof CannotFulfilError)) throw error;
      throw error.reason === 'name_taken' ? nameTaken() : conflict(`project_${error.reason}`, error.message);
    });
  return { projectId };
}

async function placePaid(
  services: Services,
  session: SessionUser,
  request: OrderRequest,
  digest: string,
): Promise<Placed> {
  const { db } = services;
  let payment = await findByDigest(db, session.userId, digest);
  if (!payment) {
    if (await isDigestUsed(db, digest)) throw digestUsed();
    await checkClaims(services, session);
    const draft = await draftOf(services, request);
    await noteRecipient(db, services.config.adminWallet);
    payment =
      (await claimDigest(db, newPayment(services, session, request, draft), digest)) ??
      (await findByDigest(db, session.userId, digest));
  }
  if (!payment || payment.orderHash !== request.hash) throw digestUsed();
  let settled = await settle(services, payment, CLAIM_WAIT_MS);
  if (settled.state === 'paid') settled = await fulfilOrLeave(services, settled);
  if (settled.state === 'signed') return { phase: 'looking' };
  if (settled.state === 'paid') return { phase: 'received' };
  if (settled.state === 'fulfilled' && settled.projectId !== null) return { projectId: settled.projectId };
  if (settled.failure === 'digest_used') throw digestUsed();
  if (settled.state === 'failed')
    throw badRequest('payment_refused', settled.note ?? 'This is not the payment of the fee');
  throw conflict('payment_unclaimed', settled.note ?? `${PHASE_FACTS.review.title}.`);
}

/** The money is here: what goes wrong now is ours to repeat (the recovery job), never a failure of the payment. */
async function fulfilOrLeave(services: Services, payment: PaymentRow): Promise<PaymentRow> {
  try {
    return await fulfil(services, payment.id);
  } catch (error) {
    services.log.error({ err: error, paymentId: payment.id }, 'a paid order could not be carried out yet');
    return payment;
  }
}

/** Bounds what one user can make the chain be asked for: anybody can make up digests. */
async function checkClaims({ db }: Services, session: SessionUser): Promise<void> {
  if ((await countUnseenClaims(db, session.userId)) < MAX_UNSEEN_CLAIMS) return;
  throw tooMany(
    'too_many_open',
    'Too many of your transactions are still being looked for. Please wait until one of them is found.',
    60,
  );
}

const digestUsed = () => conflict('digest_used', 'This transaction was already used for another order');

/** A project as the answers of the project calls show it. */
export async function describeProject({ db }: Services, projectId: number) {
  return toProject(await projectRows(db).where('projects.id', '=', projectId).executeTakeFirstOrThrow());
}
