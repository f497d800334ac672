import { isUniqueViolation } from '#db/unique-violation.ts';
import { withUserLock } from '#db/user-lock.ts';
import { formatSui } from '#shared/money/money.ts';
import type { ProjectTexts } from '#shared/listings/project-fields.ts';
import { PHASE_FACTS } from '#shared/money/payment-phases.ts';
import { badRequest, conflict, paymentRequired } from '#server/kit/http/errors.ts';
import { applyOrder } from './apply.ts';
import { chainIdOf } from '#server/chain/chain-id.ts';
import { CannotApplyError } from './order.ts';
import { learnVersions } from '#server/listings/ownership/packages.ts';
import { projectRows, toProject } from '#server/listings/projects/queries.ts';
import type { Services } from '#server/kit/services.ts';
import type { SessionUser } from '#server/kit/http/session.ts';
import { checkClaims, CLAIM_WAIT_MS, digestUsed, newPayment } from '../payments/common.ts';
import { fulfil } from './fulfil.ts';
import {
  buyerOf,
  checkChangedOften,
  checkChanges,
  checkName,
  checkPossible,
  draftOf,
  type OrderInput,
  type OrderRequest,
  readOrder,
  toOrder,
} from './read.ts';
import { findByDigest, isDigestUsed } from '../payments/queries.ts';
import type { PaymentRow } from '../payments/rows.ts';
import { claimDigest } from '../payments/store.ts';
import { noteRecipient } from '../payments/recipients.ts';
import { settle } from '../payments/settle.ts';

type Placed = { projectId: number } | { phase: 'looking' | 'received' };

/** Step 4 of R16, and R17: an order with the transaction that paid for it, or free for the admin (R18). */
export async function place(
  services: Services,
  session: SessionUser,
  input: OrderInput,
  digest: string | undefined,
): Promise<Placed> {
  const request = await readOrder(services, input, session);
  if (digest !== undefined) return placePaid(services, session, request, digest);
  // A new picture always counts as a change.
  if (request.imageDataUrl === null) checkChanges(request, request.fields);
  if (!session.isAdmin) {
    const price = formatSui(request.amountMist);
    throw paymentRequired(`A payment of ${price} SUI is required`, request.amountMist);
  }
  checkPossible(request);
  await checkChangedOften(services, request);
  await checkName(services, (request.fields as Partial<ProjectTexts>).name, request.project?.id ?? null);
  const order = await toOrder(services, request);
  if (order.purpose === 'update') {
    checkChanges(request, order.draft);
    await learnVersions(services, order.draft);
  }
  const projectId = await services.db
    .transaction()
    .execute((trx) => applyOrder(trx, order, buyerOf(session), null))
    .catch((error: unknown) => {
      throw error instanceof CannotApplyError ? conflict(`project_${error.reason}`, error.message) : error;
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
    await checkClaims(db, session.userId);
    const draft = await draftOf(services, request, session.isAdmin ? null : session.userId);
    await noteRecipient(db, services.config.adminWallet);
    payment = await withUserLock(db, session.userId, async (trx) => {
      const present = await findByDigest(trx, session.userId, digest);
      if (present) return present;
      await checkClaims(trx, session.userId);
      return claimDigest(trx, newPayment(services, session, request, draft), digest);
    }).catch((error: unknown) => {
      if (isUniqueViolation(error)) return findByDigest(db, session.userId, digest);
      throw error;
    });
  }
  if (!payment || payment.orderHash !== request.hash) throw digestUsed();
  let settled = await settle(services, payment, CLAIM_WAIT_MS);
  if (settled.state === 'paid') settled = await fulfilOrLeave(services, settled);
  if (settled.state === 'signed') return { phase: 'looking' };
  if (settled.state === 'paid') return { phase: 'received' };
  if (settled.state === 'fulfilled' && settled.projectId !== null) return { projectId: settled.projectId };
  if (settled.failureCode === 'digest_used') throw digestUsed();
  if (settled.state === 'failed')
    throw badRequest('payment_refused', settled.message ?? 'This transaction does not pay the fee');
  throw conflict('payment_unclaimed', settled.message ?? `${PHASE_FACTS.review.title}.`);
}

/** The money has arrived: the recovery job repeats an error, which never fails the payment. */
async function fulfilOrLeave(services: Services, payment: PaymentRow): Promise<PaymentRow> {
  // Only the chain that has shown the money counts (R68).
  if ((await chainIdOf(services)) === null) return payment;
  try {
    return await fulfil(services, payment.id);
  } catch (error) {
    services.log.error({ err: error, paymentId: payment.id }, 'a paid order could not be fulfilled yet');
    return payment;
  }
}

export async function describeProject({ db }: Services, projectId: number) {
  return toProject(await projectRows(db).where('projects.id', '=', projectId).executeTakeFirstOrThrow());
}
