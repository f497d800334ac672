import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { WITHDRAWAL_MOVES } from '#shared/states/withdrawal.ts';

type WithdrawalMove = keyof typeof WITHDRAWAL_MOVES;

/** Callers add a condition for the rows. */
export function updateWithdrawals(trx: Db, move: WithdrawalMove) {
  const { from, to } = WITHDRAWAL_MOVES[move];
  return trx
    .updateTable('withdrawals')
    .set({ state: to, updatedAt: sql<Date>`now()` })
    .where('state', 'in', from);
}
