import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { conflict, unauthorized } from '#server/kit/http/errors.ts';
import type { SessionUser } from '#server/kit/http/session.ts';
import { deletePicture } from '#server/listings/images/unused.ts';
import { votesOf } from '#server/books/opinions.ts';
import { lockBalance, post } from '#server/books/ledger.ts';
import type { Services } from '#server/kit/services.ts';
import { type Bar, FOR_GOOD, storeFormerWallet } from '../users/former-wallets.ts';
import {
  blankWithdrawals,
  closeCounters,
  endStanding,
  eraseOwnRows,
  eraseUser,
  handOverPayments,
  removeReviews,
} from './erase.ts';
import { requireNothingOpen } from './obstacles.ts';

export interface Deletion {
  removeReviews: boolean;
}

/** @throws 409 for wallets with rights in the admin panel: their actions stay with their wallet in the audit log */
async function requireNoRole(trx: Db, { walletAddress, isAdmin }: SessionUser): Promise<void> {
  const admin = await trx
    .selectFrom('admins')
    .select('role')
    .where('walletAddress', '=', walletAddress)
    .where('revokedAt', 'is', null)
    .executeTakeFirst();
  if (isAdmin || admin)
    throw conflict(
      'admin_account',
      'This wallet works in the admin panel. Its role has to end before its account can be deleted.',
    );
}

/**
 * Projects that this wallet may not vote on again: those it voted on in that listing period, those it listed, and those
 * that an earlier account barred it from.
 */
async function barsOf(trx: Db, userId: number): Promise<Bar[]> {
  const { rows } = await sql<Bar>`
    SELECT project_id::int AS "projectId", max(period) AS period FROM ${votesOf(userId)} v GROUP BY project_id
    UNION SELECT id::int, ${FOR_GOOD}::smallint FROM projects WHERE owner_id = ${userId}
    UNION SELECT b.project_id, coalesce(b.period, ${FOR_GOOD}::smallint) FROM user_stats s,
      unnest(s.barred_projects, s.barred_periods) AS b (project_id, period) WHERE s.user_id = ${userId}`.execute(trx);
  return rows;
}

async function lockUser(trx: Db, userId: number): Promise<{ avatarHash: string | null }> {
  const user = await trx
    .selectFrom('users')
    .select('avatarHash')
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!user) throw unauthorized('not_signed_in', 'User not logged in');
  return user;
}

/**
 * Deletes an account for good (R55), all of it or nothing. Votes, ledger and counters stay under the number, which
 * identifies no person; so do withdrawals, without their wallets. Listings and payments pass to one row that all
 * deleted accounts share. Locks in the order of votes and withdrawals: counters, payments, withdrawals, user.
 * @throws 409 while a payment or withdrawal is open, and for wallets of the admin panel
 */
export async function deleteAccount(
  { db, config, log }: Pick<Services, 'db' | 'config' | 'log'>,
  session: SessionUser,
  { removeReviews: isRemovingReviews }: Deletion,
): Promise<void> {
  const { userId, walletAddress } = session;
  await db.transaction().execute(async (trx) => {
    const balance = await lockBalance(trx, userId);
    await requireNothingOpen(trx, userId);
    const { avatarHash } = await lockUser(trx, userId);
    await requireNoRole(trx, session);
    await storeFormerWallet(trx, config, { userId, wallet: walletAddress }, await barsOf(trx, userId));
    if (balance > 0) await post(trx, { userId, kind: 'account_burn', ref: userId, amount: -balance });
    await endStanding(trx, userId);
    await eraseOwnRows(trx, userId, walletAddress);
    if (isRemovingReviews) await removeReviews(trx, userId);
    await handOverPayments(trx, userId);
    await blankWithdrawals(trx, userId);
    await closeCounters(trx, userId);
    await eraseUser(trx, userId);
    if (avatarHash) await deletePicture(trx, avatarHash);
  });
  // Logs the number alone, so that an operator who restores an earlier backup can delete these accounts again.
  log.info({ userId }, 'account deleted');
}
