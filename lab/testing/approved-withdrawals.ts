import type { Db } from '#db/client.ts';
import { newWallet } from './wallets.ts';

export interface ApprovedWithdrawal {
  id: number;
  userId: number;
  walletAddress: string;
  tokenAmount: number;
}

/** Inserts approved withdrawals of new users, one to each wallet, as requests and approvals would make them. */
export async function insertApproved(
  db: Db,
  wallets: readonly string[],
  tokensOf: (n: number) => number,
): Promise<ApprovedWithdrawal[]> {
  const createdAt = new Date();
  const tokens = wallets.map((_, n) => tokensOf(n));
  return db.transaction().execute(async (trx) => {
    const users = await trx
      .insertInto('users')
      .values(wallets.map(() => ({ walletAddress: newWallet().toSuiAddress() })))
      .returning('id')
      .execute();
    const rows = users.map(({ id: userId }, n) => ({ userId, amount: tokens[n] ?? 0, wallet: wallets[n] ?? '' }));
    await trx
      .insertInto('userStats')
      .values(rows.map(({ userId }) => ({ userId })))
      .execute();
    const withdrawals = await trx
      .insertInto('withdrawals')
      .values(
        rows.map(({ userId, amount, wallet }) => ({
          userId,
          walletAddress: wallet,
          tokenAmount: amount,
          state: 'approved',
        })),
      )
      .returning(['id', 'userId', 'walletAddress', 'tokenAmount'])
      .execute();
    await trx
      .insertInto('tokenLedger')
      .values(
        withdrawals.flatMap(({ id: ref, userId, tokenAmount }) => [
          { userId, kind: 'grant' as const, ref, amount: tokenAmount, createdAt },
          { userId, kind: 'withdrawal_hold' as const, ref, amount: -tokenAmount, createdAt },
        ]),
      )
      .execute();
    return withdrawals;
  });
}
