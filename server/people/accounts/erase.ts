import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { ERASED } from '#db/tables.ts';
import { deletedWallet, SHARED_WALLET } from '#server/kit/public-user.ts';

const REMOVED = 'Removed by its author';
/** An account's window of votes that never ends: a vote that waited for the deletion finds no room. */
const FULL_WINDOW = { windowVotes: 32_767, windowStartedAt: new Date('9999-01-01T00:00:00Z') };

const WALLET_TEXTS = [
  ['reviews', 'content'],
  ['reviews', 'hidden_reason'],
  ['votes_set_aside', 'detail'],
] as const;

export async function eraseOwnRows(trx: Db, userId: number, wallet: string): Promise<void> {
  // The end of a session ends push subscriptions, and with them the messages that wait.
  for (const table of ERASED) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await sql`DELETE FROM ${sql.table(table)} WHERE user_id = ${userId}`.execute(trx);
  }
  for (const table of ['authChallenges', 'adminLoginAttempts'] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await trx.deleteFrom(table).where('walletAddress', '=', wallet).execute();
  }
  await sql`DELETE FROM voter_networks n WHERE n.user_id = ${userId}
    AND EXISTS (SELECT FROM rhythm_days r WHERE r.day = n.day)`.execute(trx);
  await trx.updateTable('reports').set({ text: '' }).where('userId', '=', userId).execute();
  // Remaining texts may name the wallet: a moderator's reason, or the user's own words.
  for (const [table, column] of WALLET_TEXTS) {
    const text = sql.ref(column);
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await sql`UPDATE ${sql.table(table)} SET ${text} = regexp_replace(${text}, ${wallet}, '0x…', 'gi')
      WHERE user_id = ${userId} AND ${text} ~* ${wallet}`.execute(trx);
  }
}

/**
 * The next Sunday excludes the undecided votes (R38), because the wallet can no longer be read: a coin could otherwise
 * count for one wallet after the other.
 */
export async function endStanding(trx: Db, userId: number): Promise<void> {
  await sql`UPDATE voter_standing SET history_read = 0::bit(64), history_held = 0::bit(64), history_unread = 0::bit(64)
    WHERE user_id = ${userId}`.execute(trx);
}

/**
 * Reviews stay without a name, or are deleted: the row stays, because the books need the amount that was burned for it.
 */
export async function removeReviews(trx: Db, userId: number): Promise<void> {
  await trx
    .updateTable('reviews')
    .set({ content: REMOVED, hiddenAt: sql`now()`, hiddenReason: REMOVED })
    .where('userId', '=', userId)
    .execute();
}

async function sharedOwner(trx: Db): Promise<number> {
  const { id } = await trx
    .insertInto('users')
    .values({ walletAddress: SHARED_WALLET, deletedAt: sql`date_trunc('day', now(), 'UTC')` })
    .onConflict((oc) => oc.column('walletAddress').doUpdateSet({ walletAddress: SHARED_WALLET }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * The chain links listings and payments to a wallet, so they must no longer lead to this number. Unpaid orders are
 * deleted.
 */
export async function handOverPayments(trx: Db, userId: number): Promise<void> {
  await trx
    .deleteFrom('payments')
    .where('userId', '=', userId)
    .where('state', 'in', ['draft', 'expired'])
    .where('digest', 'is', null)
    .execute();
  const owner = await sharedOwner(trx);
  // A refund that is due to a lister stays, without the wallet that claimed.
  await trx.deleteFrom('claims').where('userId', '=', userId).where('refundPaymentId', 'is', null).execute();
  await trx.updateTable('claims').set({ userId: owner }).where('userId', '=', userId).execute();
  const own = trx.selectFrom('projects').select('id').where('ownerId', '=', userId);
  await trx.updateTable('claims').set({ answer: null }).where('projectId', 'in', own).execute();
  // The hash in the public record stays; without salt and wallet it identifies no user.
  const blank = { wallet: null, salt: null, objectType: null, objectId: null, objectVersion: null, checkpoint: null };
  await trx
    .updateTable('ownerships')
    .set({ ...blank, reason: null })
    .where('projectId', 'in', own)
    .execute();
  await trx.updateTable('payments').set({ userId: owner }).where('userId', '=', userId).execute();
  await trx
    .updateTable('projects')
    .set({ ownerId: owner, transactionHash: null })
    .where('ownerId', '=', userId)
    .execute();
}

/**
 * Withdrawals belong to the ledger and stay, without their wallets and everything that would reveal these on the chain.
 */
export async function blankWithdrawals(trx: Db, userId: number): Promise<void> {
  await trx
    .updateTable('withdrawals')
    .set({
      walletAddress: deletedWallet(userId),
      digest: null,
      bookId: null,
      mark: null,
      reason: null,
      idempotencyKey: sql`gen_random_uuid()::text`,
    })
    .where('userId', '=', userId)
    .execute();
}

/** The counters stay, as the votes do: without a rank, and with no room for another vote. */
export async function closeCounters(trx: Db, userId: number): Promise<void> {
  await trx
    .updateTable('userStats')
    .set({ streak: 0, lastDay: null, barredProjects: null, barredPeriods: null, ...FULL_WINDOW })
    .where('userId', '=', userId)
    .execute();
  await trx.deleteFrom('topVoters').where('userId', '=', userId).execute();
}

/** Removes the identity: last of all, because requests of other wallets may wait for this row. */
export async function eraseUser(trx: Db, userId: number): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      walletAddress: deletedWallet(userId),
      username: null,
      avatarHash: null,
      twitterLink: null,
      telegramLink: null,
      discordLink: null,
      createdAt: sql`date_trunc('day', created_at, 'UTC')`,
      deletedAt: sql`date_trunc('day', now(), 'UTC')`,
    })
    .where('id', '=', userId)
    .execute();
}
