import { withUserLock } from '#db/user-lock.ts';
import type { preparePayment } from '#shared/contract/payments.ts';
import type { ResponseOf } from '#shared/endpoint.ts';
import type { ProjectTexts } from '#shared/listings/project-fields.ts';
import { conflict } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';
import type { SessionUser } from '#server/kit/http/session.ts';
import { checkDrafts, newPayment, paymentOpen } from '../payments/common.ts';
import {
  checkChangedOften,
  checkChanges,
  checkName,
  checkPossible,
  checkUnclaimed,
  draftOf,
  type OrderInput,
  readOrder,
} from './read.ts';
import { findOpenTwin } from '../payments/queries.ts';
import { noteConsent } from '#server/people/users/consents.ts';
import { insertDraft } from '../payments/store.ts';
import { noteRecipient } from '../payments/recipients.ts';

export async function prepare(
  services: Services,
  session: SessionUser,
  input: OrderInput,
): Promise<ResponseOf<typeof preparePayment>> {
  if (session.isAdmin) throw conflict('free_for_admin', 'The admin wallet pays nothing');
  const request = await readOrder(services, input, session);
  checkPossible(request);
  checkUnclaimed(request);
  await checkName(services, (request.fields as Partial<ProjectTexts>).name, request.project?.id ?? null);
  await checkChangedOften(services, request);
  await checkDrafts(services.db, session.userId);
  const draft = await draftOf(services, request, session.userId);
  checkChanges(request, draft);
  const order = newPayment(services, session, request, draft);
  const twin = await findOpenTwin(services.db, order);
  if (twin) throw paymentOpen(twin);
  await noteRecipient(services.db, order.recipient);
  const payment = await withUserLock(services.db, session.userId, async (trx) => {
    await checkDrafts(trx, session.userId);
    await noteConsent(trx, services.termsVersion, session.userId, 'payingAt');
    return insertDraft(trx, order);
  });
  return {
    paymentId: payment.id,
    amountMist: payment.amountMist.toString(),
    recipient: order.recipient,
    expiresAt: payment.expiresAt.toISOString(),
  };
}
