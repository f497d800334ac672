import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { AdminWithdrawal, WithdrawalRisk } from '#shared/contract/admin.ts';
import type { WithdrawalState } from '#shared/contract/withdrawals.ts';
import type { VoterState } from '#shared/states/votes.ts';
import { addToTotal, takeFromTotal } from '#server/books/totals.ts';
import { recordActivity } from '#server/books/activity.ts';
import { conflict, notFound } from '#server/kit/http/errors.ts';
import { listById, mapPage, type Page, type PageQuery } from '#server/kit/http/pages.ts';
import { recordNotices } from '#server/books/notices.ts';
import { lockBalance, post } from '#server/books/ledger.ts';
import type { Services } from '#server/kit/services.ts';
import { risksOf, walletStanding } from '#server/figures/standing/risk.ts';
import { toWithdrawal } from '../withdrawals/queries.ts';
import { updateWithdrawals } from '../withdrawals/transitions.ts';
import { type Actor, withoutWallets, writeAudit } from '#server/books/audit.ts';
import { requireHistory } from '../history/gate.ts';
import { findUnended } from './ended.ts';
import { settleLate } from './late.ts';
import { readReason } from '#server/kit/http/reason.ts';

const SETTLED = new Set<WithdrawalState>(['paid', 'rejected']);

function queueRows(db: Db) {
  return db
    .selectFrom('withdrawals')
    .innerJoin('users', 'users.id', 'withdrawals.userId')
    .selectAll('withdrawals')
    .select('users.username');
}

type QueueRow = Awaited<ReturnType<ReturnType<typeof queueRows>['executeTakeFirstOrThrow']>>;
const toAdminWithdrawal = (row: QueueRow, risk: WithdrawalRisk): AdminWithdrawal => ({
  ...toWithdrawal(row),
  userId: row.userId,
  username: row.username,
  batchId: row.batchId,
  risk,
});

interface QueueFilter {
  state?: WithdrawalState | undefined;
  standing?: VoterState | undefined;
}

const hasStanding = (standing: VoterState | undefined) =>
  sql<boolean>`${walletStanding(sql`withdrawals.user_id`)} = ${standing}`;

/** Open withdrawals oldest first, settled ones and all of them newest first. */
export async function listQueue(
  db: Db,
  { state, standing }: QueueFilter,
  page: PageQuery,
): Promise<Page<AdminWithdrawal>> {
  const listed = await listById(db, {
    name: `queue:${state ?? ''}:${standing ?? ''}`,
    page,
    rows: queueRows(db)
      .$if(state !== undefined, (query) => query.where('withdrawals.state', '=', state ?? 'requested'))
      .$if(standing !== undefined, (query) => query.where(hasStanding(standing))),
    id: 'withdrawals.id',
    isOldestFirst: state !== undefined && !SETTLED.has(state),
  });
  const riskOf = await risksOf(
    db,
    listed.rows.map(({ userId }) => userId),
  );
  return mapPage(listed, (row) => toAdminWithdrawal(row, riskOf(row.userId)));
}

async function findQueued(db: Db, id: number): Promise<AdminWithdrawal> {
  const row = await queueRows(db).where('withdrawals.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('withdrawal_not_found', 'Withdrawal not found');
  return toAdminWithdrawal(row, (await risksOf(db, [row.userId]))(row.userId));
}

interface Decision {
  move: 'approve' | 'reject';
  reason: string | null;
  grounds?: string;
  text: (tokens: number) => string;
  released: (tokens: number) => number;
}

/** Runs under the lock of the user's balance; false in a state that does not allow the move. */
async function applyDecision(
  trx: Db,
  who: Actor,
  { id, userId }: { id: number; userId: number },
  decision: Decision,
): Promise<boolean> {
  const moved = await updateWithdrawals(trx, decision.move)
    .set({ reason: decision.reason })
    .where('id', '=', id)
    .returning(['id', 'tokenAmount'])
    .executeTakeFirst();
  if (!moved) return false;
  const { tokenAmount } = moved;
  await (decision.move === 'approve' ? addToTotal(trx, id) : takeFromTotal(trx, id));
  const released = decision.released(tokenAmount);
  if (released > 0) await post(trx, { userId, kind: 'hold_release', ref: id, amount: released });
  const kind = decision.move === 'approve' ? 'withdrawal_approved' : 'withdrawal_rejected';
  const text = decision.text(tokenAmount);
  await recordActivity(trx, { userId, kind, text, tokens: released });
  if (decision.move === 'reject')
    await recordNotices(trx, { userId, kind: 'payout_rejected', text, link: '/portfolio' });
  const detail = `Withdrawal ${id}: ${tokenAmount} Snaps`;
  const why = decision.reason ?? decision.grounds ?? null;
  await writeAudit(trx, who, {
    action: `withdrawal.${decision.move}`,
    detail: why === null ? detail : `${detail}. Reason: ${withoutWallets(why)}`,
    outcome: 'ok',
  });
  return true;
}

async function decide(services: Services, who: Actor, id: number, decision: Decision): Promise<AdminWithdrawal> {
  const { userId } = await findQueued(services.db, id);
  return services.db.transaction().execute(async (trx) => {
    await lockBalance(trx, userId);
    const isMoved = await applyDecision(trx, who, { id, userId }, decision);
    const present = await findQueued(trx, id);
    if (!isMoved) throw conflict('wrong_state', `This withdrawal is ${present.state}`);
    return present;
  });
}

const APPROVAL: Decision = {
  move: 'approve',
  reason: null,
  text: (tokens) => `Withdrawal of ${tokens} Snaps approved`,
  released: () => 0,
};

export const approve = (services: Services, who: Actor, id: number): Promise<AdminWithdrawal> =>
  decide(services, who, id, APPROVAL);

/** False when a person was faster. */
export const approveIn = (
  trx: Db,
  who: Actor,
  withdrawal: { id: number; userId: number },
  grounds: string,
): Promise<boolean> => applyDecision(trx, who, withdrawal, { ...APPROVAL, grounds });

/**
 * A withdrawal that a lost payout has paid is never rejected (R14). @throws 400 without a reason, 404, 409 in a state
 * that does not allow it, 503 the chain cannot be asked
 */
export async function reject(services: Services, who: Actor, id: number, words: string): Promise<AdminWithdrawal> {
  const reason = readReason(words);
  await requireHistory(services);
  await settleLate(services, who, [id]);
  if ((await findUnended(services, [id], null)).length > 0)
    throw conflict(
      'not_ended',
      'A payout of this withdrawal was rejected and can still be executed until its epoch ends. Pay it, or reject it after that',
    );
  return decide(services, who, id, {
    move: 'reject',
    reason,
    text: (tokens) => `Withdrawal of ${tokens} Snaps rejected: ${reason}`,
    released: (tokens) => tokens,
  });
}
