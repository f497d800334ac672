import type { Db } from '#db/client.ts';
import { insertProject } from './builders.ts';
import { newWallet } from './wallets.ts';

export interface ApprovedWithdrawal {
  id: number;
  userId: number;
  walletAddress: string;
  tokenAmount: number;
}

/** Approved withdrawals of users of their own, each to one of the wallets; as requests and approvals make them, all at once. */
export async function insertApproved(
  db: Db,
  wallets: readonly string[],
  tokensOf: (n: number) => number,
): Promise<ApprovedWithdrawal[]> {
  const projectId = await insertProject(db, { bullish: wallets.length });
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
      .values(rows.map(({ userId, amount }) => ({ userId, totalVotes: 1, bullish: 1, tokensEarned: amount })))
      .execute();
    await trx
      .insertInto('votes')
      .values(rows.map(({ userId, amount }) => ({ userId, projectId, bullish: true, tokens: amount, createdAt })))
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
        withdrawals.map(({ id, userId, tokenAmount }) => ({
          userId,
          kind: 'withdrawal_hold' as const,
          ref: id,
          amount: -tokenAmount,
          createdAt,
        })),
      )
      .execute();
    return withdrawals;
  });
}
