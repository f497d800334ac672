import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { type Deletion, deleteInBatches } from '#db/delete-in-batches.ts';
import { CHALLENGE_TTL_MS } from '#shared/constants.ts';
import type { Config } from '#server/kit/config.ts';
import { welcomeBack } from '../users/former-wallets.ts';

export type ChallengePurpose = 'sign_in' | 'delete_account';

export interface ChallengeRow {
  nonce: string;
  walletAddress: string;
  issuedAt: Date;
  expiresAt: Date;
  purpose: ChallengePurpose;
}

export async function insertChallenge(
  db: Db,
  nonce: string,
  walletAddress: string,
  purpose: ChallengePurpose,
): Promise<ChallengeRow> {
  const row = await db
    .insertInto('authChallenges')
    .values({
      nonce,
      walletAddress,
      purpose,
      issuedAt: sql`date_trunc('milliseconds', now())`,
      expiresAt: sql`date_trunc('milliseconds', now()) + ${CHALLENGE_TTL_MS} * interval '1 millisecond'`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...row, purpose };
}

/** Deletes a challenge for good, whatever the result (R1); null when none exists. `expired` by the database's clock. */
export async function burnChallenge(
  db: Db,
  nonce: string,
  purpose: ChallengePurpose,
): Promise<(ChallengeRow & { expired: boolean }) | null> {
  const row = await db
    .deleteFrom('authChallenges')
    .where('nonce', '=', nonce)
    .where('purpose', '=', purpose)
    .returningAll()
    .returning(sql<boolean>`expires_at <= now()`.as('expired'))
    .executeTakeFirst();
  return row ? { ...row, purpose } : null;
}

export async function isKnownWallet(db: Db, walletAddress: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('walletAddress', '=', walletAddress).executeTakeFirst();
  return row !== undefined;
}

export async function upsertUser(db: Db, config: Pick<Config, 'accountKey'>, walletAddress: string): Promise<number> {
  const { id } = await db
    .insertInto('users')
    .values({ walletAddress })
    .onConflict((oc) => oc.column('walletAddress').doUpdateSet({ walletAddress }))
    .returning('id')
    .executeTakeFirstOrThrow();
  const isNew = await db
    .insertInto('userStats')
    .values({ userId: id })
    .onConflict((oc) => oc.doNothing())
    .returning('userId')
    .executeTakeFirst();
  if (isNew) await welcomeBack(db, config, id, walletAddress);
  return id;
}

const EXPIRING = ['auth_challenges', 'sessions', 'admin_sessions'];

export async function deleteExpired(db: Db): Promise<number> {
  let rows = 0;
  for (const table of EXPIRING) {
    const find: Deletion['find'] = (limit) =>
      sql`SELECT ctid FROM ${sql.table(table)} WHERE expires_at < now() LIMIT ${limit}`;
    // oxlint-disable-next-line no-await-in-loop -- one table after the other
    rows += await deleteInBatches(db, { table, find });
  }
  return rows;
}
