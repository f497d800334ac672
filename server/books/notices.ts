import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { eachRow, inSavepoint } from '#db/each-row.ts';
import { NOTICES_KEPT } from '#shared/constants.ts';
import type { NoticeKind } from '#shared/people/notice-kinds.ts';
import { PUSH_OF_NOTICE } from '#shared/people/push-kinds.ts';
import { type PushMessage, queuePush, unqueuePush } from './push-queue.ts';

interface NewNotice {
  userId: number;
  kind: NoticeKind;
  text: string;
  link: string | null;
}

export const reviewLink = (slug: string, reviewId: number): string =>
  `/projects/${encodeURIComponent(slug)}#review-${reviewId}`;

function pushOf({ userId, kind, text, link }: NewNotice): PushMessage[] {
  const pushKind = PUSH_OF_NOTICE[kind];
  return pushKind === null ? [] : [{ userId, kind: pushKind, text, link }];
}

/** Writes in the transaction of the event (R51), drops the oldest beyond the limit, and queues push messages (R78). */
export async function recordNotices(trx: Db, ...notices: readonly NewNotice[]): Promise<void> {
  if (notices.length === 0) return;
  await trx.insertInto('notices').values(notices).execute();
  const users = [...new Set(notices.map(({ userId }) => userId))];
  // Skips rows that another transaction drops or marks now: the two never wait for each other.
  await sql`DELETE FROM notices WHERE id IN (
    SELECT old.id FROM unnest(${users}::bigint[]) AS u(id)
    CROSS JOIN LATERAL (SELECT n.id FROM notices n WHERE n.user_id = u.id ORDER BY n.id DESC OFFSET ${NOTICES_KEPT} FOR UPDATE SKIP LOCKED) old)`.execute(
    trx,
  );
  await queuePush(trx, ...notices.flatMap(pushOf));
}

/** Records notices of a job: one that cannot be written is left out and named. */
export const recordEachNotice = (db: Db, trx: Db, notices: readonly NewNotice[]): Promise<number> =>
  eachRow(
    db,
    { of: 'notice for user', idOf: ({ userId }) => userId, slice: Math.max(1, notices.length) },
    notices,
    (some) => inSavepoint(trx, () => recordNotices(trx, ...some)),
  );

export async function takeBackNotices(trx: Db, userId: number, kind: NoticeKind, link: string): Promise<void> {
  await trx
    .deleteFrom('notices')
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where('link', '=', link)
    .execute();
  await unqueuePush(trx, userId, link);
}
