import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { MIN_WITHDRAWAL_TOKENS } from '#shared/constants.ts';
import { conflict } from '#server/kit/http/errors.ts';
import { readReason } from '#server/kit/http/reason.ts';
import { lockUsers } from './locks.ts';
import type { Services } from '#server/kit/services.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { recordWithdrawal, type TransferRow } from './adopt.ts';
import { adoptTransfer, lockRecipient } from './match.ts';

/** All transfers or none. @throws 400 no reason, 409 one that does not wait, or that cannot be a withdrawal */
export async function decideTransfers(
  { db, config }: Services,
  who: Actor,
  decision: { ids: number[]; as: 'explained' | 'withdrawal'; reason: string },
): Promise<void> {
  const reason = readReason(decision.reason);
  const ids = [...new Set(decision.ids)].toSorted((one, other) => one - other);
  await db.transaction().execute(async (trx) => {
    const rows = await trx.selectFrom('outgoingTransfers').select('recipient').where('id', 'in', ids).execute();
    await lockUsers(trx, rows);
    for (const id of ids) {
      const row = await lockWaiting(trx, id);
      if (row.cause === 'on_its_way')
        throw conflict('on_its_way', `A payout that may be transfer ${id} has no result yet. Wait until it has one`);
      const decided = { reason, decidedBy: who.actor, decidedAt: sql<Date>`now()` };
      if (decision.as === 'withdrawal') await recordOne(trx, who, row, config.snapsDecimals);
      const change = decision.as === 'withdrawal' ? decided : { ...decided, state: 'explained', cause: null };
      await trx.updateTable('outgoingTransfers').set(change).where('id', '=', id).execute();
      await writeAudit(trx, who, {
        action: `transfer.${decision.as}`,
        detail: `Transfer ${row.id}: ${row.amountUnits} units from ${row.wallet} in ${row.digest}. Reason: ${reason}`,
        outcome: 'ok',
        rowCount: 1,
      });
    }
  });
}

async function lockWaiting(trx: Db, id: number): Promise<TransferRow> {
  const row = await trx.selectFrom('outgoingTransfers').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (row?.state !== 'unexplained') throw conflict('wrong_state', `Transfer ${id} does not wait for an explanation`);
  return row;
}

async function recordOne(trx: Db, who: Actor, row: TransferRow, decimals: number): Promise<void> {
  const { tokens, user, balance } = await lockRecipient(trx, row, decimals);
  if (!user || tokens === null || tokens < MIN_WITHDRAWAL_TOKENS || balance < tokens)
    throw conflict(
      'no_withdrawal',
      `Transfer ${row.id} cannot be a withdrawal: the balance of its recipient is too low`,
    );
  await adoptTransfer(trx, who, row, await recordWithdrawal(trx, user, tokens, row));
}

/** The owner has looked elsewhere for the payouts of a pruned part. @throws 400 no reason, 409 nothing is missing */
export async function confirmMissing(
  { db }: Services,
  who: Actor,
  { wallet: walletAddress, reason: words }: { wallet: string; reason: string },
): Promise<void> {
  const reason = readReason(words);
  await db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom('payoutScans')
      .selectAll()
      .where('walletAddress', '=', walletAddress)
      .where('state', '=', 'pruned')
      .forUpdate()
      .execute();
    if (rows.length === 0) throw conflict('nothing_missing', 'No part of the history of this wallet is missing');
    for (const { chainId, coinType, checkpoint, lowest } of rows) {
      await trx
        .updateTable('payoutScans')
        .set({ checkpoint: sql<number>`greatest(checkpoint, lowest - 1)`, state: 'reading' })
        .where('chainId', '=', chainId)
        .where('walletAddress', '=', walletAddress)
        .where('coinType', '=', coinType)
        .execute();
      await writeAudit(trx, who, {
        action: 'history.confirm',
        detail: `Checkpoints ${checkpoint + 1} to ${lowest - 1} of ${walletAddress} were not read. Reason: ${reason}`,
        outcome: 'ok',
      });
    }
  });
}
