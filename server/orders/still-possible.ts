import type { OrderCheck } from '../payments/execute.ts';
import type { SessionUser } from '../http/session.ts';
import { isNameTaken } from '../projects/slugs.ts';
import type { Services } from '../services.ts';
import { orderOf } from './order.ts';
import { checkChangedOften, checkPossible, nameTaken, readOrder } from './read.ts';

/** Refuses the order of a draft that became impossible since it was prepared. */
export const stillPossible =
  (services: Services, session: SessionUser): OrderCheck =>
  async (payment) => {
    const order = orderOf(payment);
    if (order && order.purpose !== 'renew' && order.draft.name !== undefined) {
      if (await isNameTaken(services.db, order.draft.name, payment.projectId)) throw nameTaken();
    }
    if (payment.projectId === null) return;
    const request = await readOrder(services, { purpose: 'renew', ref: String(payment.projectId) });
    checkPossible({ ...request, purpose: payment.purpose }, session);
    await checkChangedOften(services, { ...request, purpose: payment.purpose });
  };
