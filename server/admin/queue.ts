import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { AdminWithdrawal } from '#shared/contract/admin.ts';
import type { WithdrawalState } from '#shared/contract/withdrawals.ts';
import { conflict, notFound } from '../http/errors.ts';
import { countRows, idCursors, mapPage, type Page, type PageQuery, toFetch, toPage } from '../http/pages.ts';
import type { Services } from '../services.ts';
import { bookOnBalance, lockBalance, toWithdrawal } from '../withdrawals/queries.ts';
import { type Actor, writeAudit } from './audit.ts';
import { settleLate } from './payouts/late.ts';
import { readReason } from '../http/reason.ts';

const SETTLED = new Set<WithdrawalState>(['paid', 'rejected']);

function queueRows(db: Db) {
  return db
    .selectFrom('withdrawals')
    .innerJoin('users', 'users.id', 'withdrawals.userId')
    .selectAll('withdrawals')
    .select('users.username');
}

type QueueRow = Awaited<ReturnType<ReturnType<typeof queueRows>['executeTakeFirstOrThrow']>>;
const toAdminWithdrawal = (row: QueueRow): AdminWithdrawal => ({
  ...toWithdrawal(row),
  userId: row.userId,
  username: row.username,
  batchId: row.batchId,
});

/** Withdrawals of everybody: those that wait oldest first, settled ones newest first, without a state all, newest first. */
export async function listQueue(
  db: Db,
  state: WithdrawalState | undefined,
  page: PageQuery,
): Promise<Page<AdminWithdrawal>> {
  const cursors = idCursors(`queue:${state ?? ''}`);
  const last = cursors.read(page);
  const oldestFirst = state !== undefined && !SETTLED.has(state);
  const [rows, total] = await Promise.all([
    queueRows(db)
      .$if(state !== undefined, (query) => query.where('withdrawals.state', '=', state ?? ''))
      .$if(last !== null, (query) => query.where('withdrawals.id', oldestFirst ? '>' : '<', last ?? 0))
      .orderBy('withdrawals.id', oldestFirst ? 'asc' : 'desc')
      .limit(toFetch(page))
      .execute(),
    countRows(
      db,
      db
        .selectFrom('withdrawals')
        .select('id')
        .$if(state !== undefined, (query) => query.where('state', '=', state ?? '')),
    ),
  ]);
  return mapPage(
    toPage(rows, page, ({ id }) => cursors.write(id), total),
    toAdminWithdrawal,
  );
}

async function findQueued(db: Db, id: number): Promise<AdminWithdrawal> {
  const row = await queueRows(db).where('withdrawals.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('withdrawal_not_found', 'Withdrawal not found');
  return toAdminWithdrawal(row);
}

interface Step {
  from: WithdrawalState[];
  to: WithdrawalState;
  reason: string | null;
  /** What the user reads on the activity list. */
  text: (tokens: number) => string;
  /** Tokens that come back to the balance. */
  released: (tokens: number) => number;
}

async function move(services: Services, who: Actor, id: number, step: Step): Promise<AdminWithdrawal> {
  const { userId } = await findQueued(services.db, id);
  return services.db.transaction().execute(async (trx) => {
    // The user's counters first, as everywhere; then the state decides which of two clicks counts.
    await lockBalance(trx, userId);
    const moved = await trx
      .updateTable('withdrawals')
      .set({ state: step.to, reason: step.reason, updatedAt: sql<Date>`now()` })
      .where('id', '=', id)
      .where('state', 'in', step.from)
      .returning(['id', 'tokenAmount'])
      .executeTakeFirst();
    const present = await findQueued(trx, id);
    if (!moved) throw conflict('wrong_state', `This withdrawal is ${present.state}`);
    const { tokenAmount } = moved;
    const released = step.released(tokenAmount);
    if (released > 0) await bookOnBalance(trx, { userId, kind: 4, ref: id, amount: released });
    const kind = step.to === 'approved' ? 'withdrawal_approved' : 'withdrawal_rejected';
    await trx
      .insertInto('activity')
      .values({ userId, kind, text: step.text(tokenAmount), tokens: released })
      .execute();
    const detail = `Withdrawal ${id}: ${tokenAmount} tokens to ${present.walletAddress}`;
    await writeAudit(trx, who, {
      action: `withdrawal.${step.to === 'approved' ? 'approve' : 'reject'}`,
      detail: step.reason === null ? detail : `${detail}. Reason: ${step.reason}`,
      outcome: 'ok',
    });
    return present;
  });
}

/** requested or failed → approved. @throws 404, 409 in any other state. */
export function approve(services: Services, who: Actor, id: number): Promise<AdminWithdrawal> {
  return move(services, who, id, {
    from: ['requested', 'failed'],
    to: 'approved',
    reason: null,
    text: (tokens) => `Withdrawal of ${tokens} tokens approved`,
    released: () => 0,
  });
}

/**
 * requested, approved or failed → rejected: the tokens go back to the balance, the user reads the reason (R14). Nothing that a
 * lost payout has paid after all is rejected. @throws 400 without a reason, 404, 409 in any other state.
 */
export async function reject(services: Services, who: Actor, id: number, words: string): Promise<AdminWithdrawal> {
  const reason = readReason(words);
  await settleLate(services, who, [id]);
  return move(services, who, id, {
    from: ['requested', 'approved', 'failed'],
    to: 'rejected',
    reason,
    text: (tokens) => `Withdrawal of ${tokens} tokens rejected: ${reason}`,
    released: (tokens) => tokens,
  });
}
