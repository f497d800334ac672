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
import { findOpenBook, requirePaid } from './book.ts';
import { payIn, settleDue } from './settle.ts';
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
  waitsForOwner: row.paidEarlier && row.state === 'approved',
  refusedReason: row.refusedReason,
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
  /** Units that the Book had paid before. */
  paidUnits?: bigint;
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
  await (decision.move === 'approve' ? addToTotal(trx, id, decision.paidUnits) : takeFromTotal(trx, id));
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

async function decide(
  services: Services,
  who: Actor,
  { id, userId }: { id: number; userId: number },
  decision: Decision,
): Promise<AdminWithdrawal> {
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

/** Units that the Book has paid to the wallet before an approval; 0 without a Book. @throws 503 */
export async function readPaidUnits(services: Services, wallet: string): Promise<bigint> {
  const book = await findOpenBook(services.db);
  const [paid] = book ? await requirePaid(services, book, [wallet]) : [];
  return paid?.total ?? 0n;
}

/** @throws 404, 409 in a state that does not allow it, 503 the chain cannot be asked what was paid */
export async function approve(services: Services, who: Actor, id: number): Promise<AdminWithdrawal> {
  const { userId, walletAddress } = await findQueued(services.db, id);
  const paidUnits = await readPaidUnits(services, walletAddress);
  return decide(services, who, { id, userId }, { ...APPROVAL, paidUnits });
}

/** False if a person decided first. */
export const approveIn = (
  trx: Db,
  who: Actor,
  withdrawal: { id: number; userId: number },
  decision: { grounds: string; paidUnits: bigint },
): Promise<boolean> => applyDecision(trx, who, withdrawal, { ...APPROVAL, ...decision });

/**
 * A withdrawal that the Book has paid is never rejected (R14, R97). @throws 400 without a reason, 404, 409 in a state that
 * does not allow it, 503 the chain cannot be asked
 */
export async function reject(services: Services, who: Actor, id: number, words: string): Promise<AdminWithdrawal> {
  const reason = readReason(words);
  const { userId } = await findQueued(services.db, id);
  const paid = await settleIfPaid(services, id);
  if (paid === 'paid') throw conflict('wrong_state', 'The chain has paid this withdrawal: it is paid now');
  if (paid === 'waits')
    throw conflict('wrong_state', 'The Book had paid this withdrawal before it was approved: the owner confirms that');
  const text = (tokens: number) => `Withdrawal of ${tokens} Snaps rejected: ${reason}`;
  return decide(services, who, { id, userId }, { move: 'reject', reason, text, released: (tokens) => tokens });
}

async function settleIfPaid(services: Services, id: number): Promise<'paid' | 'waits' | 'unpaid'> {
  const found = await findMarked(services.db, id);
  if (!found) return 'unpaid';
  const { book, row } = found;
  const ids = await settleDue(services, book, sql`w.id = ${id}`);
  if (ids.includes(id)) return 'paid';
  const [paid] = await requirePaid(services, book, [row.walletAddress]);
  return paid && paid.total >= BigInt(row.mark) ? 'waits' : 'unpaid';
}

async function findMarked(db: Db, id: number) {
  const book = await findOpenBook(db);
  const row = await db
    .selectFrom('withdrawals')
    .select(['userId', 'walletAddress', 'mark', 'bookId', 'paidEarlier'])
    .where('id', '=', id)
    .where('state', '=', 'approved')
    .executeTakeFirst();
  if (!book || row?.bookId !== book.rowId || row.mark === null) return null;
  return { book, row: { ...row, mark: row.mark } };
}

/** The owner confirms a withdrawal that was paid before it was approved. @throws 404, 409, 503 */
export async function confirmPaidEarlier(
  services: Services,
  who: Actor,
  id: number,
  words: string,
): Promise<AdminWithdrawal> {
  const reason = readReason(words);
  await findQueued(services.db, id);
  const found = await findMarked(services.db, id);
  if (!found?.row.paidEarlier) throw conflict('wrong_state', 'This withdrawal was not paid before it was approved');
  const { book, row } = found;
  const [paid] = await requirePaid(services, book, [row.walletAddress]);
  if (!paid || paid.digest === null) throw conflict('wrong_state', 'The Book has not paid this withdrawal');
  const { total, digest } = paid;
  await payIn(services, who, { book, userId: row.userId, total, digest, ids: [id] });
  const detail = `Withdrawal ${id}. Reason: ${withoutWallets(reason)}`;
  await writeAudit(services.db, who, { action: 'withdrawal.confirm-paid', detail, outcome: 'ok' });
  return findQueued(services.db, id);
}
