import { sql } from 'kysely';
import { CLOCK_SKEW_MS } from '#chain/transactions.ts';
import type { Db } from '#db/client.ts';
import { MIN_WITHDRAWAL_TOKENS } from '#shared/constants.ts';
import type { TransferCause } from '#shared/contract/payout-history.ts';
import { lockBalance } from '#server/books/ledger.ts';
import type { Actor } from '#server/books/audit.ts';
import { cancelPrepared } from '../batches/cancel-prepared.ts';
import { SERVER } from '../batches/settle.ts';
import { adoptWithdrawal, recordWithdrawal, type TransferRow } from './adopt.ts';

export interface Books {
  wallets: readonly string[];
  decimals: number;
  /** The moments between which a restore may have lost withdrawals. */
  lost: { fromMs: number; untilMs: number } | null;
}

export function tokensOf(amountUnits: string, decimals: number): number | null {
  const unit = 10n ** BigInt(decimals);
  const units = BigInt(amountUnits);
  return units % unit === 0n && units / unit <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(units / unit) : null;
}

export async function lockRecipient(trx: Db, row: TransferRow, decimals: number) {
  const tokens = tokensOf(row.amountUnits, decimals);
  const user = await trx
    .selectFrom('users')
    .select(['id', 'walletAddress'])
    .where('walletAddress', '=', row.recipient)
    .executeTakeFirst();
  return { tokens, user, balance: user ? await lockBalance(trx, user.id) : 0 };
}

/**
 * Matches a transfer that no payout batch names: with a withdrawal that was requested before it, or, if a restore may
 * have lost the request, with the balance. The rest waits for the owner.
 */
export async function matchTransfer(trx: Db, row: TransferRow, books: Books): Promise<void> {
  const { tokens, user, balance } = await lockRecipient(trx, row, books.decimals);
  const withdrawalId = tokens === null ? null : await takeFitting(trx, row, tokens);
  if (withdrawalId !== null) {
    return adoptTransfer(trx, SERVER, row, withdrawalId);
  }
  if (books.wallets.includes(row.recipient)) {
    await trx
      .updateTable('outgoingTransfers')
      .set({ state: 'internal', cause: null })
      .where('id', '=', row.id)
      .execute();
    return;
  }
  const cause = await causeOf(trx, row, { tokens, user, balance });
  if (cause === 'not_requested' && isLost(row, books) && user && tokens !== null) {
    return adoptTransfer(trx, SERVER, row, await recordWithdrawal(trx, user, tokens, row));
  }
  if (cause !== row.cause) await trx.updateTable('outgoingTransfers').set({ cause }).where('id', '=', row.id).execute();
}

export async function adoptTransfer(trx: Db, who: Actor, row: TransferRow, withdrawalId: number): Promise<void> {
  await adoptWithdrawal(trx, who, withdrawalId, row);
  await trx
    .updateTable('outgoingTransfers')
    .set({ state: 'adopted', withdrawalId, cause: null })
    .where('id', '=', row.id)
    .execute();
}

const isLost = ({ executedAt }: TransferRow, { lost }: Books): boolean =>
  lost !== null &&
  executedAt.getTime() >= lost.fromMs - CLOCK_SKEW_MS &&
  executedAt.getTime() <= lost.untilMs + CLOCK_SKEW_MS;

async function causeOf(
  trx: Db,
  row: TransferRow,
  { tokens, user, balance }: { tokens: number | null; user: object | undefined; balance: number },
): Promise<TransferCause> {
  if (!user) return 'unknown_wallet';
  if (tokens === null || tokens < MIN_WITHDRAWAL_TOKENS) return 'no_withdrawal_amount';
  const onItsWay = await openOnes(trx, row, tokens).where('withdrawals.state', '=', 'sending').executeTakeFirst();
  if (onItsWay) return 'on_its_way';
  return balance < tokens ? 'balance_too_low' : 'not_requested';
}

function openOnes(trx: Db, row: TransferRow, tokens: number) {
  const until = new Date(row.executedAt.getTime() + CLOCK_SKEW_MS);
  return trx
    .selectFrom('withdrawals')
    .leftJoin('payoutBatches', 'payoutBatches.id', 'withdrawals.batchId')
    .select(['withdrawals.id', 'withdrawals.state', 'withdrawals.batchId'])
    .where('withdrawals.walletAddress', '=', row.recipient)
    .where('withdrawals.tokenAmount', '=', tokens)
    .where('withdrawals.state', 'in', ['requested', 'approved', 'failed', 'sending'])
    .where('withdrawals.createdAt', '<=', until);
}

/**
 * Approved withdrawals come first. One in a batch that was never sent is taken out of it; one in a sent batch stays,
 * because that batch may still pay it.
 */
async function takeFitting(trx: Db, row: TransferRow, tokens: number): Promise<number | null> {
  const fitting = openOnes(trx, row, tokens).where((eb) =>
    eb.or([eb('withdrawals.state', '<>', 'sending'), eb('payoutBatches.state', '=', 'prepared')]),
  );
  const found = await fitting
    .orderBy(sql`array_position(ARRAY['sending', 'approved', 'failed', 'requested'], withdrawals.state::text)`)
    .orderBy('withdrawals.id')
    .limit(1)
    .executeTakeFirst();
  if (!found) return null;
  if (found.batchId !== null) await cancelPrepared(trx, found.batchId);
  const locked = await trx
    .selectFrom('withdrawals')
    .select('id')
    .where('id', '=', found.id)
    .where('state', 'in', ['requested', 'approved', 'failed'])
    .forUpdate()
    .executeTakeFirst();
  if (!locked) throw new Error(`withdrawal ${found.id} was changed while it was matched`);
  return found.id;
}
