import { withUserLock } from '#db/user-lock.ts';
import { MIN_WITHDRAWAL_TOKENS } from '#shared/constants.ts';
import type { Withdrawal } from '#shared/contract/withdrawals.ts';
import { validateWithdrawal } from '#shared/rules.ts';
import { recordActivity } from '#server/books/activity.ts';
import { badRequest, conflict, forbidden } from '#server/kit/http/errors.ts';
import { lockBalance, post } from '#server/books/ledger.ts';
import type { Services } from '#server/kit/services.ts';
import type { SessionUser } from '#server/kit/http/session.ts';
import { findByKey, hasOpenWithdrawal, insertWithdrawal, isPaused, toWithdrawal } from './queries.ts';
import type { Db } from '#db/client.ts';

async function hasStanding(db: Db, userId: number): Promise<boolean> {
  const row = await db.selectFrom('voterStanding').select('state').where('userId', '=', userId).executeTakeFirst();
  return row?.state === 'standing';
}

const KEY = /^[\x21-\x7e]{1,200}$/;

function readAmount(sent: unknown): number {
  const isAmount = typeof sent === 'number' && Number.isSafeInteger(sent) && sent >= MIN_WITHDRAWAL_TOKENS;
  if (isAmount) return sent;
  const isFraction = typeof sent === 'number' && !Number.isInteger(sent);
  const detail = validateWithdrawal(isFraction ? sent : Number.NaN, 0)?.message;
  throw badRequest('invalid_amount', 'Invalid amount', { field: 'tokenAmount', detail });
}

function readKey(sent: string | string[] | undefined): string | null {
  if (sent === undefined) return null;
  if (typeof sent === 'string' && KEY.test(sent)) return sent;
  throw badRequest('invalid_idempotency_key', 'Idempotency-Key must be 1 to 200 visible ASCII characters');
}

/**
 * Ledger, balance, request and activity in one transaction (R13, R14). Repeating an `idempotencyKey` returns the
 * first request. @throws 400 wrong amount, 403 paused, 409 the key was for another amount, or another request is open
 * and the wallet has no standing (R66)
 */
export async function requestWithdrawal(
  { db }: Services,
  { userId, walletAddress }: SessionUser,
  sentAmount: unknown,
  sentKey: string | string[] | undefined,
): Promise<Withdrawal> {
  const tokenAmount = readAmount(sentAmount);
  const idempotencyKey = readKey(sentKey);
  return withUserLock(db, userId, async (trx) => {
    const balance = await lockBalance(trx, userId);
    const present = idempotencyKey === null ? null : await findByKey(trx, userId, idempotencyKey);
    if (present && present.tokenAmount !== tokenAmount)
      throw conflict('idempotency_key_used', 'This Idempotency-Key was used for another amount');
    if (present) return toWithdrawal(present);
    if (await isPaused(trx, { lock: true })) throw forbidden('withdrawals_paused', 'Withdrawals are paused');
    const error = validateWithdrawal(tokenAmount, balance);
    if (error)
      throw badRequest('insufficient_balance', `${error.title}. ${error.message}`, {
        field: 'tokenAmount',
        detail: error.message,
      });
    if ((await hasOpenWithdrawal(trx, userId)) && !(await hasStanding(trx, userId)))
      throw conflict(
        'withdrawal_open',
        'Your last withdrawal is still open. While your votes are not verified yet, you can have one at a time.',
      );

    const row = await insertWithdrawal(trx, {
      userId,
      walletAddress,
      tokenAmount,
      ...(idempotencyKey === null ? {} : { idempotencyKey }),
    });
    await post(trx, { userId, kind: 'withdrawal_hold', ref: row.id, amount: -tokenAmount });
    await recordActivity(trx, {
      userId,
      kind: 'withdrawal_requested',
      text: `Withdrawal of ${tokenAmount} Snaps requested`,
      tokens: -tokenAmount,
    });
    return toWithdrawal(row);
  });
}
