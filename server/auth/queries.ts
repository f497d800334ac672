import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { CHALLENGE_TTL_MS } from '#shared/constants.ts';

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
