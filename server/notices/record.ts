import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { NOTICES_KEPT } from '#shared/constants.ts';
import type { NoticeKind } from '#shared/notice-kinds.ts';

export interface NewNotice {
  userId: number;
  kind: NoticeKind;
  text: string;
  /** A path of the page; null where nothing can be shown. */
  link: string | null;
}

/** Path that shows a review of a project, with its reply. */
export const reviewLink = (slug: string, reviewId: number): string =>
  `/projects/${encodeURIComponent(slug)}#review-${reviewId}`;

/**
 * Writes notices in the transaction of their event (R51), and drops the oldest of users who have more than the limit.
 */
export async function recordNotices(trx: Db, ...notices: readonly NewNotice[]): Promise<void> {
  if (notices.length === 0) return;
  await trx.insertInto('notices').values(notices).execute();
  const users = [...new Set(notices.map(({ userId }) => userId))];
  // Rows that another transaction drops or marks at this moment are skipped: the two never wait for each other.
  await sql`DELETE FROM notices WHERE id IN (
    SELECT old.id FROM unnest(${users}::bigint[]) AS u(id)
    CROSS JOIN LATERAL (SELECT n.id FROM notices n WHERE n.user_id = u.id ORDER BY n.id DESC OFFSET ${NOTICES_KEPT} FOR UPDATE SKIP LOCKED) old)`.execute(
    trx,
  );
}

/** Deletes the notice about a deleted reply, so that a new reply notifies again. */
export async function takeBackNotices(trx: Db, userId: number, kind: NoticeKind, link: string): Promise<void> {
  await trx
    .deleteFrom('notices')
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where('link', '=', link)
    .execute();
}
