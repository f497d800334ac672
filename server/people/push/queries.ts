import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { PushChoice } from '#shared/contract/push.ts';
import type { PushKind } from '#shared/people/push-kinds.ts';
import type { Subscription } from './endpoint.ts';

/** A subscription that was made with another key of the site gets no messages: it waits for its browser to renew it. */
export async function readChoice(
  db: Db,
  userId: number,
  tokenHash: Buffer,
  siteKey: Buffer | null,
): Promise<Omit<PushChoice, 'publicKey'>> {
  const { rows } = await sql<Omit<PushChoice, 'publicKey'>>`
    SELECT coalesce((SELECT p.kinds FROM push_settings p WHERE p.user_id = ${userId}), '{}') AS kinds,
      (count(*) FILTER (WHERE s.site_key = ${siteKey}))::int AS browsers,
      coalesce(bool_or(s.token_hash = ${tokenHash} AND s.site_key = ${siteKey}), false) AS "isOnHere",
      max(s.endpoint) FILTER (WHERE s.token_hash = ${tokenHash}) AS endpoint
    FROM push_subscriptions s WHERE s.user_id = ${userId}`.execute(db);
  return rows[0] ?? { kinds: [], browsers: 0, isOnHere: false, endpoint: null };
}

export async function storeKinds(db: Db, userId: number, kinds: readonly PushKind[]): Promise<void> {
  const stored = [...new Set(kinds)];
  await db
    .insertInto('pushSettings')
    .values({ userId, kinds: stored })
    .onConflict((oc) => oc.column('userId').doUpdateSet({ kinds: stored }))
    .execute();
}

/**
 * Stores the subscription of a session's browser in place of the session's earlier one, and of the one that another
 * session has of the same browser. Beyond `most` the user's oldest ends. Returns false for a session that has ended.
 * Called under the user's lock.
 */
export async function storeSubscription(
  trx: Db,
  userId: number,
  tokenHash: Buffer,
  { endpoint, publicKey, authSecret, siteKey }: Subscription,
  most: number,
): Promise<boolean> {
  const session = await trx
    .selectFrom('sessions')
    .select('userId')
    .where('tokenHash', '=', tokenHash)
    .where('userId', '=', userId)
    .where('expiresAt', '>', sql<Date>`now()`)
    .forKeyShare()
    .executeTakeFirst();
  if (!session) return false;
  await trx
    .deleteFrom('pushSubscriptions')
    .where((where) => where.or([where('tokenHash', '=', tokenHash), where('endpoint', '=', endpoint)]))
    .execute();
  const { rows } = await sql`
    INSERT INTO push_subscriptions (user_id, token_hash, endpoint, public_key, auth_secret, site_key)
    VALUES (${userId}, ${tokenHash}, ${endpoint}, ${publicKey}, ${authSecret}, ${siteKey})
    ON CONFLICT DO NOTHING RETURNING id`.execute(trx);
  await sql`DELETE FROM push_subscriptions WHERE id IN (
    SELECT id FROM push_subscriptions WHERE user_id = ${userId} ORDER BY id DESC OFFSET ${most})`.execute(trx);
  return rows.length > 0;
}

export async function findSubscription(db: Db, tokenHash: Buffer): Promise<(Subscription & { id: number }) | null> {
  const row = await db
    .selectFrom('pushSubscriptions')
    .select(['id', 'endpoint', 'publicKey', 'authSecret', 'siteKey'])
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteSubscription(db: Db, id: number): Promise<void> {
  await db.deleteFrom('pushSubscriptions').where('id', '=', id).execute();
}

/** Keeps the subscription of a browser whose push service rejects the site: the browser renews it. */
export async function markRejected(db: Db, id: number): Promise<void> {
  await db.updateTable('pushSubscriptions').set({ siteKey: null }).where('id', '=', id).execute();
}

export async function endHere(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('pushSubscriptions').where('tokenHash', '=', tokenHash).execute();
}

export async function endAll(trx: Db, userId: number): Promise<void> {
  await trx.deleteFrom('pushSubscriptions').where('userId', '=', userId).execute();
  await trx.updateTable('pushSettings').set({ kinds: [] }).where('userId', '=', userId).execute();
}
