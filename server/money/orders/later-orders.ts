import { isolated } from '#shared/isolated.ts';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { NAME_SUPERSEDED } from '#shared/states/payment.ts';
import { lockPayment } from '../payments/queries.ts';
import type { PaymentRow } from '../payments/rows.ts';
import { markUnclaimed } from '../payments/transitions.ts';
import { draftOf, notifyPayer } from './wait-for-review.ts';

/**
 * A later paid order of a listing ends an earlier one whose name waits (R74). So does a renewal,
 * which changes no name: one rule is easier to state before the payment.
 */

const isWaiting = sql<boolean>`state = 'paid' AND look_alike_since IS NOT NULL`;
/** Orders follow each other as they were signed, not as the chain showed them. */
const PLACE = sql`coalesce(signed_at, created_at), id`;
const isLaterThan = ({ id }: PaymentRow) => sql<boolean>`(${PLACE}) > (SELECT ${PLACE} FROM payments WHERE id = ${id})`;
const isEarlierThan = ({ id }: PaymentRow) =>
  sql<boolean>`(${PLACE}) < (SELECT ${PLACE} FROM payments WHERE id = ${id})`;

async function lockListing(trx: Db, projectId: number): Promise<void> {
  await trx.selectFrom('projects').select('id').where('id', '=', projectId).forUpdate().execute();
}

export async function hasLaterOrder(trx: Db, payment: PaymentRow): Promise<boolean> {
  if (payment.projectId === null) return false;
  await lockListing(trx, payment.projectId);
  const later = await trx
    .selectFrom('payments')
    .select('id')
    .where('projectId', '=', payment.projectId)
    .where('state', 'in', ['paid', 'fulfilled'])
    .where(isLaterThan(payment))
    .limit(1)
    .executeTakeFirst();
  return later !== undefined;
}

export async function endWait(trx: Db, payment: PaymentRow): Promise<void> {
  const message = `The name ${isolated(draftOf(payment).name)} was not used, because a later order of the same listing was paid. Your fee will be sent back.`;
  await markUnclaimed(trx, payment, 'escalate', { failureCode: NAME_SUPERSEDED, message, lookAlikeSince: null });
  await notifyPayer(trx, payment.userId, message);
}

export async function endEarlierWaits(trx: Db, payment: PaymentRow): Promise<void> {
  if (payment.projectId === null) return;
  const earlier = await trx
    .selectFrom('payments')
    .select('id')
    .where('projectId', '=', payment.projectId)
    .where(isWaiting)
    .where(isEarlierThan(payment))
    .orderBy('id')
    .forUpdate()
    // One that is listed or declined at this moment waits for the lock of the listing, and then finds this order.
    .skipLocked()
    .execute();
  for (const { id } of earlier) {
    // oxlint-disable-next-line no-await-in-loop -- a listing has one that waits, rarely
    const waiting = await lockPayment(trx, id);
    // oxlint-disable-next-line no-await-in-loop
    if (waiting) await endWait(trx, waiting);
  }
}

export async function findWaitingName(db: Db, projectId: number): Promise<string | null> {
  const row = await db
    .selectFrom('payments')
    .select(sql<string>`draft ->> 'name'`.as('name'))
    .where('projectId', '=', projectId)
    .where(isWaiting)
    .limit(1)
    .executeTakeFirst();
  return row?.name ?? null;
}
