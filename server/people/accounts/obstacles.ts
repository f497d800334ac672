import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { PAYMENT_MAX_AGE_HOURS } from '#shared/constants.ts';
import { conflict, type HttpError } from '#server/kit/http/errors.ts';

/** Open payments and withdrawals: a deleted account could neither receive the money nor ask for it. */
const OBSTACLES = {
  payment: () =>
    conflict(
      'payment_open',
      'A payment of yours is not settled yet. Wait until it is done, or until the team has refunded it, then delete your account.',
    ),
  recent: () =>
    conflict(
      'payment_recent',
      `A payment of yours failed less than ${PAYMENT_MAX_AGE_HOURS} hours ago and may still arrive. Delete your account tomorrow.`,
    ),
  withdrawal: () =>
    conflict(
      'withdrawal_open',
      'A withdrawal of yours is open. Wait until it is paid or rejected, then delete your account.',
    ),
} satisfies Record<string, () => HttpError>;

async function findOpenPayment(trx: Db, userId: number): Promise<'payment' | 'recent' | null> {
  // Locked: a request that is executing a payment at this moment waits, and then finds its draft expired.
  const rows = await trx
    .selectFrom('payments')
    .select('state')
    .select(
      sql<boolean>`coalesce(signed_at > now() - make_interval(hours => ${PAYMENT_MAX_AGE_HOURS}), false)`.as(
        'isRecent',
      ),
    )
    .where('userId', '=', userId)
    .where('state', 'in', ['draft', 'signed', 'paid', 'unclaimed', 'failed'])
    .orderBy('id')
    .forUpdate()
    .execute();
  if (rows.some(({ state }) => ['signed', 'paid', 'unclaimed'].includes(state))) return 'payment';
  return rows.some(({ state, isRecent }) => state === 'failed' && isRecent) ? 'recent' : null;
}

async function findOpenWithdrawal(trx: Db, userId: number): Promise<'withdrawal' | null> {
  const rows = await trx
    .selectFrom('withdrawals')
    .select('state')
    .where('userId', '=', userId)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.some(({ state }) => state !== 'paid' && state !== 'rejected') ? 'withdrawal' : null;
}

/** Locks the payments and withdrawals of a user. @throws 409 while one of them is open */
export async function requireNothingOpen(trx: Db, userId: number): Promise<void> {
  const found = (await findOpenPayment(trx, userId)) ?? (await findOpenWithdrawal(trx, userId));
  if (found) throw OBSTACLES[found]();
}
