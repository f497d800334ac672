import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { CHALLENGE_TTL_MS, SESSION_DAYS, SESSIONS_PER_USER } from '#shared/constants.ts';
import type { SessionInfo } from '#shared/contract/auth.ts';

export interface ChallengeRow {
  nonce: string;
  walletAddress: string;
  issuedAt: Date;
  expiresAt: Date;
}

/** Keeps what a wallet will be asked to sign; the database's clock sets the times. */
export async function insertChallenge(db: Db, nonce: string, walletAddress: string): Promise<ChallengeRow> {
  return db
    .insertInto('authChallenges')
    .values({
      nonce,
      walletAddress,
      issuedAt: sql`date_trunc('milliseconds', now())`,
      expiresAt: sql`date_trunc('milliseconds', now()) + ${CHALLENGE_TTL_MS} * interval '1 millisecond'`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Takes a challenge away for good, whatever comes of it (R1); null when there is none. `expired` by the database's clock. */
export async function burnChallenge(db: Db, nonce: string): Promise<(ChallengeRow & { expired: boolean }) | null> {
  const row = await db
    .deleteFrom('authChallenges')
    .where('nonce', '=', nonce)
    .returningAll()
    .returning(sql<boolean>`expires_at <= now()`.as('expired'))
    .executeTakeFirst();
  return row ?? null;
}

/** The user of a wallet, made at the first sign-in. */
export async function upsertUser(db: Db, walletAddress: string): Promise<number> {
  const { id } = await db
    .insertInto('users')
    .values({ walletAddress })
    .onConflict((oc) => oc.column('walletAddress').doUpdateSet({ walletAddress }))
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('userStats')
    .values({ userId: id })
    .onConflict((oc) => oc.doNothing())
    .execute();
  return id;
}

/** A new session of a user. Beyond SESSIONS_PER_USER the ones unseen longest end, also when many are made at once. */
export async function insertSession(db: Db, userId: number, tokenHash: Buffer, device: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
    await trx
      .insertInto('sessions')
      .values({ tokenHash, userId, device, expiresAt: sql`now() + make_interval(days => ${SESSION_DAYS})` })
      .execute();
    const beyond = trx
      .selectFrom('sessions')
      .select('tokenHash')
      .where('userId', '=', userId)
      // The new one stays, whatever the clock of the transaction says.
      .orderBy(sql`token_hash = ${tokenHash}`, 'desc')
      .orderBy('lastSeenAt', 'desc')
      .orderBy('tokenHash')
      .offset(SESSIONS_PER_USER);
    await trx.deleteFrom('sessions').where('tokenHash', 'in', beyond).execute();
  });
}

/** Live sessions of a user: the given one first, then the last seen. */
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

/** Ends one session of a user; the hash of its token, or null when the user has no such session. */
export async function deleteSession(db: Db, userId: number, id: string): Promise<Buffer | null> {
  const row = await db
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returning('tokenHash')
    .executeTakeFirst();
  return row?.tokenHash ?? null;
}

/** Ends all sessions of a user but the one to keep. */
export async function deleteSessions(db: Db, userId: number, keptHash: Buffer | null): Promise<void> {
  let query = db.deleteFrom('sessions').where('userId', '=', userId);
  if (keptHash) query = query.where('tokenHash', '<>', keptHash);
  await query.execute();
}

/** Removes challenges and sessions that are over; returns how many rows went. */
export async function deleteExpired(db: Db): Promise<number> {
  const challenges = await db
    .deleteFrom('authChallenges')
    .where('expiresAt', '<', sql<Date>`now()`)
    .executeTakeFirst();
  const sessions = await db
    .deleteFrom('sessions')
    .where('expiresAt', '<', sql<Date>`now()`)
    .executeTakeFirst();
  return Number(challenges.numDeletedRows + sessions.numDeletedRows);
}
