import { sql } from 'kysely';
import { eachRow, restingRows } from '#db/each-row.ts';
import { PAYMENT_MAX_AGE_HOURS } from '#shared/constants.ts';
import type { Db } from '#db/client.ts';
import { PAYMENT_MOVES } from '#shared/states/payment.ts';
import { fulfil } from '../orders/fulfil.ts';
import { findPayment, lockPayment } from './queries.ts';
import { noteRecipient } from './recipients.ts';
import { settle, settleExecuted } from './settle.ts';
import type { PaymentRow } from './rows.ts';
import { markUnclaimed, postpone } from './transitions.ts';
import { chainIdOf } from '#server/chain/chain-id.ts';
import { lookUp } from '#server/chain/our-chain.ts';
import type { Services } from '#server/kit/services.ts';

const [PAYMENT, DRAFT] = ['payment', 'unpaid order'];
const BATCH = 100;
const AT_ONCE = 5;
/** Failures for our own reasons before a person decides. */
const MAX_ATTEMPTS = 20;

interface Recovery {
  expired: number;
  finished: number;
  waiting: number;
}

/**
 * Finishes payments that no request finishes. While the node is down, or serves another chain, they wait. Safe to run
 * concurrently with requests and other servers.
 */
export async function recoverPayments(services: Services): Promise<Recovery> {
  await noteRecipient(services.db, services.config.adminWallet);
  const recovery: Recovery = { expired: await expireDrafts(services.db), finished: 0, waiting: 0 };
  const due = await listDue(services.db);
  // Nothing can be determined now, and no attempt is used up (R68).
  if (due.length > 0 && (await chainIdOf(services)) === null) return { ...recovery, waiting: due.length };
  restingRows(services.db, PAYMENT);
  await eachRow(services.db, { of: PAYMENT, idOf: (id) => id, atOnce: AT_ONCE }, due, async ([id = '']) => {
    recovery.waiting += 1;
    if (!(await advanceOrPostpone(services, id))) return;
    recovery.waiting -= 1;
    recovery.finished += 1;
  });
  return recovery;
}

async function advanceOrPostpone(services: Services, id: string): Promise<boolean> {
  try {
    return await advance(services, id);
  } catch (error) {
    await markUnclaimedAfterMany(services.db, id, await postpone(services.db, id));
    throw error;
  }
}

async function expireDrafts(db: Db): Promise<number> {
  const rows = await db
    .selectFrom('payments')
    .select('id')
    .where('state', 'in', PAYMENT_MOVES.expire.from)
    .where('expiresAt', '<', sql<Date>`now()`)
    .where(sql<boolean>`id <> ALL (${restingRows<string>(db, DRAFT)}::uuid[])`)
    .execute();
  const expire = (ids: readonly string[]) =>
    db
      .updateTable('payments')
      .set({ state: PAYMENT_MOVES.expire.to, updatedAt: sql<Date>`now()` })
      .where('id', 'in', ids)
      .where('state', 'in', PAYMENT_MOVES.expire.from)
      .execute();
  const ids = rows.map(({ id }) => id);
  return eachRow(db, { of: DRAFT, idOf: (id) => id, slice: BATCH }, ids, expire);
}

/**
 * These failures are the word of one node. Another one can still execute a transaction without coins until the next
 * epoch has ended (R82).
 */
const RECHECK_HOURS = 3 * PAYMENT_MAX_AGE_HOURS;
const DOUBTFUL = ['rejected', 'amount_too_small'];

/**
 * Made-up digests must not delay payments with a transaction or money of ours.
 */
async function listDue(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('payments')
    .select('id')
    .where('nextTryAt', '<=', sql<Date>`now()`)
    .where((eb) =>
      eb.or([
        eb('state', 'in', ['signed', 'paid']),
        eb.and([
          eb('state', '=', 'failed'),
          eb('failureCode', 'in', DOUBTFUL),
          eb('signedAt', '>', sql<Date>`now() - make_interval(hours => ${RECHECK_HOURS})`),
        ]),
      ]),
    )
    .orderBy(sql`(state = 'signed' AND transaction IS NULL)::int * (1 + attempts) + (state = 'failed')::int * 1000`)
    .orderBy('nextTryAt')
    .limit(BATCH)
    .execute();
  return rows.map((row) => row.id);
}

async function advance(services: Services, id: string): Promise<boolean> {
  let payment = await findPayment(services.db, id);
  if (!payment) return true;
  if (payment.state === 'failed') payment = await recheckFailed(services, payment);
  if (payment.state === 'signed') payment = await settle(services, payment, 0);
  if (payment.state === 'paid') payment = await fulfil(services, id);
  const open = ['signed', 'paid', 'failed'].includes(payment.state);
  if (open) await postpone(services.db, id);
  return !open;
}

async function recheckFailed(services: Services, payment: PaymentRow): Promise<PaymentRow> {
  const seen = await lookUp(services, payment.digest ?? '');
  if (seen.state === 'found') await settleExecuted(services, payment, seen.transaction);
  return (await findPayment(services.db, payment.id)) ?? payment;
}

async function markUnclaimedAfterMany(db: Db, id: string, attempts: number): Promise<void> {
  if (attempts < MAX_ATTEMPTS) return;
  await db.transaction().execute(async (trx) => {
    const payment = await lockPayment(trx, id);
    const message = 'The order could not be completed automatically. The admin will review it.';
    if (payment?.state === 'paid')
      await markUnclaimed(trx, payment, 'escalate', { failureCode: 'cannot_fulfil', message });
  });
}
