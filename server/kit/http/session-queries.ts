import { type Kysely, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { DB } from '#db/schema.ts';
import { withUserLock } from '#db/user-lock.ts';
import { SESSION_DAYS, SESSIONS_PER_USER } from '#shared/constants.ts';
import type { SessionInfo } from '#shared/contract/auth.ts';

/** A new session of a user. Beyond SESSIONS_PER_USER the ones unseen longest end, even when many are made at once. */
export async function insertSession(db: Kysely<DB>, userId: number, tokenHash: Buffer, device: string): Promise<void> {
  await withUserLock(db, userId, async (trx) => {
    await trx
      .insertInto('sessions')
      .values({ tokenHash, userId, device, expiresAt: sql`now() + make_interval(days => ${SESSION_DAYS})` })
      .execute();
    const beyond = trx
      .selectFrom('sessions')
      .select('tokenHash')
      .where('userId', '=', userId)
      .orderBy(sql`token_hash = ${tokenHash}`, 'desc')
      .orderBy('lastSeenAt', 'desc')
      .orderBy('tokenHash')
      .offset(SESSIONS_PER_USER);
    await trx.deleteFrom('sessions').where('tokenHash', 'in', beyond).execute();
  });
}

export async function listSessions(db: Db, userId: number, currentHash: Buffer): Promise<SessionInfo[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'device', 'createdAt', 'lastSeenAt', 'tokenHash'])
    .where('userId', '=', userId)
    .where('expiresAt', '>', sql<Date>`now()`)
    .orderBy('lastSeenAt', 'desc')
    .orderBy('createdAt', 'desc')
    .execute();
  const sessions = rows.map(({ id, device, createdAt, lastSeenAt, tokenHash }) => ({
    id,
    device,
    signedInAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    isCurrent: tokenHash.equals(currentHash),
  }));
  return sessions.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
}

export async function deleteSession(db: Db, userId: number, id: string): Promise<Buffer | null> {
  const row = await db
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returning('tokenHash')
    .executeTakeFirst();
  return row?.tokenHash ?? null;
}

export async function deleteSessions(db: Db, userId: number, keptHash: Buffer | null): Promise<void> {
  let query = db.deleteFrom('sessions').where('userId', '=', userId);
  if (keptHash) query = query.where('tokenHash', '<>', keptHash);
  await query.execute();
}
