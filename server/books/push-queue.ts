import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { PUSH_MESSAGES_PER_DAY, type PushKind, UNLIMITED_PUSH_KIND } from '#shared/people/push-kinds.ts';

export interface PushMessage {
  userId: number;
  kind: PushKind;
  text: string;
  link: string | null;
}

/**
 * Queues in the transaction of the event (R78); beyond the limits a message stays in the bell alone. Skips rows that
 * another transaction changes now. A session that ends now must not end the event.
 */
export async function queuePush(trx: Db, ...messages: readonly PushMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const column = <K extends keyof PushMessage>(name: K) => messages.map((message) => message[name]);
  const isUnlimited = sql`kind = ${UNLIMITED_PUSH_KIND}`;
  const today = sql`(now() AT TIME ZONE 'UTC')::date`;
  await sql`
    WITH chosen AS (
      SELECT w.* FROM unnest(${column('userId')}::bigint[], ${column('kind')}::text[], ${column('text')}::text[], ${column('link')}::text[])
        WITH ORDINALITY AS w (user_id, kind, text, link, place)
      JOIN push_settings p ON p.user_id = w.user_id AND w.kind = ANY (p.kinds)
    ), first_today AS (
      SELECT p.user_id FROM push_settings p WHERE p.user_id IN (SELECT user_id FROM chosen WHERE NOT ${isUnlimited})
        AND p.daily_on IS DISTINCT FROM ${today} AND EXISTS (SELECT FROM push_subscriptions s WHERE s.user_id = p.user_id AND s.site_key IS NOT NULL)
      FOR UPDATE SKIP LOCKED
    ), noted AS (
      UPDATE push_settings p SET daily_on = ${today} FROM first_today f WHERE p.user_id = f.user_id RETURNING p.user_id
    ), admitted AS (
      SELECT user_id, kind, text, link FROM chosen WHERE ${isUnlimited}
      UNION ALL
      (SELECT DISTINCT ON (user_id) user_id, kind, text, link FROM chosen JOIN noted USING (user_id) WHERE NOT ${isUnlimited}
        ORDER BY user_id, place)
    ), browsers AS (
      SELECT s.id, s.user_id FROM push_subscriptions s WHERE s.user_id IN (SELECT user_id FROM admitted) AND s.site_key IS NOT NULL FOR KEY SHARE SKIP LOCKED
    )
    INSERT INTO push_messages (user_id, subscription_id, kind, text, link, expires_at)
    SELECT a.user_id, b.id, a.kind, a.text, coalesce(a.link, '/'), now() + interval '1 day'
    FROM admitted a JOIN browsers b USING (user_id)
    WHERE (SELECT count(*) FROM push_messages m WHERE m.subscription_id = b.id) < ${PUSH_MESSAGES_PER_DAY}`.execute(
    trx,
  );
}

export async function unqueuePush(trx: Db, userId: number, link: string): Promise<void> {
  await sql`DELETE FROM push_messages WHERE id IN (SELECT id FROM push_messages
    WHERE user_id = ${userId} AND link = ${link} AND due_at IS NOT NULL AND attempts = 0 FOR UPDATE SKIP LOCKED)`.execute(
    trx,
  );
}
