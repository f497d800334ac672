import { isolated } from '#shared/isolated.ts';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { LISTING_DAYS, NAME_REVIEW_HOURS } from '#shared/constants.ts';
import { lookAlikeText } from '#shared/listing-source.ts';
import { recordActivity } from '#server/books/activity.ts';
import { recordNotices } from '#server/books/notices.ts';
import type { PaymentRow } from '../payments/rows.ts';
import type { ProjectRecord } from './order.ts';

export const draftOf = ({ draft }: PaymentRow) => draft as Partial<ProjectRecord>;

export async function notifyPayer(trx: Db, userId: number, text: string): Promise<void> {
  await recordNotices(trx, { userId, kind: 'name_review', text, link: '/portfolio' });
}

/** No moderator looked in time, or the name is free again. */
export async function notifyListed(trx: Db, payment: PaymentRow, projectId: number): Promise<void> {
  const other = await trx
    .selectFrom('projects as listed')
    .innerJoin('projects as other', 'other.id', 'listed.lookAlikeOf')
    .select('other.name')
    .where('listed.id', '=', projectId)
    .executeTakeFirst();
  const why = other
    ? `no moderator looked at the name within ${NAME_REVIEW_HOURS} hours. It shows '${lookAlikeText(other)}' until one does`
    : 'the name no longer looks like that of another listing';
  const time = payment.purpose === 'submit' ? ` Its ${LISTING_DAYS} days have begun.` : '';
  await notifyPayer(trx, payment.userId, `${isolated(draftOf(payment).name)} is listed now: ${why}.${time}`);
}

/** Waits for a moderator, or for the longest time that a review may take (R74). */
export async function waitForNameReview(trx: Db, payment: PaymentRow, other: string): Promise<void> {
  await trx
    .updateTable('payments')
    .set({
      lookAlikeSince: sql<Date>`now()`,
      updatedAt: sql<Date>`now()`,
      attempts: 0,
      nextTryAt: sql<Date>`now() + make_interval(hours => ${NAME_REVIEW_HOURS})`,
      message: `The name looks like that of ${isolated(other)}.`,
    })
    .where('id', '=', payment.id)
    .execute();
  const text = `${isolated(draftOf(payment).name)} waits for a moderator, because its name looks like that of ${isolated(other)}. It is listed within ${NAME_REVIEW_HOURS} hours, or you get your fee back.`;
  await recordActivity(trx, {
    userId: payment.userId,
    kind: 'payment_waiting',
    text,
    amountMist: payment.receivedMist ?? payment.amountMist,
    digest: payment.digest,
  });
  await notifyPayer(trx, payment.userId, text);
}
