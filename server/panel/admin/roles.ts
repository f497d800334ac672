import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Config } from '#server/kit/config.ts';

/**
 * Wallets that may have sent a refund: the owner's, that of PAYOUT_PRIVATE_KEY, earlier ones of both that have paid, and
 * every present or former payer. A restored database lacks payers added after its backup until the owner grants the role
 * again.
 */
export async function payingWallets(
  db: Db,
  { adminWallet, payoutKey }: Pick<Config, 'adminWallet' | 'payoutKey'>,
): Promise<string[]> {
  const { rows } = await sql<{ wallet: string }>`
    SELECT address AS wallet FROM payment_recipients
    UNION SELECT wallet_address FROM admins WHERE has_paid
    UNION SELECT sent_by FROM withdrawals WHERE sent_at IS NOT NULL AND sent_by IS NOT NULL`.execute(db);
  const ofSettings = [adminWallet, ...(payoutKey === null ? [] : [payoutKey.toSuiAddress()])];
  return [...new Set([...ofSettings, ...rows.map(({ wallet }) => wallet)])];
}

/** The password of a wallet with a granted role; `expiresAt` is that of a one-time password. Null without a role. */
export async function findPassword(db: Db, wallet: string): Promise<{ hash: string; expiresAt: Date | null } | null> {
  const row = await db
    .selectFrom('admins')
    .select(['passwordHash', 'passwordExpiresAt'])
    .where('walletAddress', '=', wallet)
    .where('revokedAt', 'is', null)
    .executeTakeFirst();
  return row ? { hash: row.passwordHash, expiresAt: row.passwordExpiresAt } : null;
}

/** Replaces a password by the one that the person has chosen, unless it was replaced or the role revoked since. */
export async function replacePassword(db: Db, wallet: string, oldHash: string, newHash: string): Promise<boolean> {
  const row = await db
    .updateTable('admins')
    .set({ passwordHash: newHash, passwordExpiresAt: null })
    .where('walletAddress', '=', wallet)
    .where('passwordHash', '=', oldHash)
    .where('revokedAt', 'is', null)
    .returning('walletAddress')
    .executeTakeFirst();
  if (row) await endAdminSessions(db, wallet);
  return row !== undefined;
}

export async function endAdminSessions(db: Db, wallet: string): Promise<void> {
  const own = db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select('sessions.tokenHash')
    .where('users.walletAddress', '=', wallet);
  await db.deleteFrom('adminSessions').where('sessionHash', 'in', own).execute();
  await db.deleteFrom('adminLoginAttempts').where('walletAddress', '=', wallet).execute();
}
