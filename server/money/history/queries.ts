import type { Db } from '#db/client.ts';
import type { OutgoingTransfer, PayoutHistory, TransferState } from '#shared/contract/payout-history.ts';
import type { Config } from '#server/kit/config.ts';
import { listById, mapPage, type Page, type PageQuery } from '#server/kit/http/pages.ts';
import { tokensOf } from './match.ts';
import { payingWallets } from '#server/panel/admin/roles.ts';

/** Null for a database that was never restored. */
export async function lostSpan(db: Db): Promise<{ fromMs: number; untilMs: number } | null> {
  const { lostFrom, lostUntil } = await db
    .selectFrom('payoutHistory')
    .select(['lostFrom', 'lostUntil'])
    .executeTakeFirstOrThrow();
  return lostFrom && lostUntil ? { fromMs: lostFrom.getTime(), untilMs: lostUntil.getTime() } : null;
}

export async function countWaiting(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('outgoingTransfers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'unexplained')
    .executeTakeFirstOrThrow();
  return count;
}

export async function readStatus(db: Db, config: Config): Promise<PayoutHistory> {
  const wallets = await payingWallets(db, config);
  const rows = await db
    .selectFrom('payoutScans')
    .selectAll()
    .where('walletAddress', 'in', wallets)
    .orderBy('scannedAt', 'desc')
    .execute();
  const span = await lostSpan(db);
  const newest = wallets.flatMap((wallet) => rows.find(({ walletAddress }) => walletAddress === wallet) ?? []);
  return {
    isRead: config.snapsCoinType !== null,
    waiting: await countWaiting(db),
    unread: wallets.length - newest.length,
    lostFrom: span ? new Date(span.fromMs).toISOString() : null,
    lostUntil: span ? new Date(span.untilMs).toISOString() : null,
    wallets: newest.map((row) => ({
      walletAddress: row.walletAddress,
      state: row.state as PayoutHistory['wallets'][number]['state'],
      checkpoint: row.checkpoint,
      tip: row.tip,
      lowest: row.lowest,
      scannedAt: row.scannedAt.toISOString(),
      completedAt: row.completedAt?.toISOString() ?? null,
    })),
  };
}

export async function listTransfers(
  db: Db,
  config: Config,
  state: TransferState,
  page: PageQuery,
): Promise<Page<OutgoingTransfer>> {
  const rows = db
    .selectFrom('outgoingTransfers')
    .where('outgoingTransfers.state', '=', state)
    .leftJoin('users', 'users.walletAddress', 'outgoingTransfers.recipient')
    .selectAll('outgoingTransfers')
    .select(['users.id as userId', 'users.username']);
  return mapPage(await listById(db, { name: `transfers:${state}`, page, rows, id: 'outgoingTransfers.id' }), (row) => ({
    id: row.id,
    digest: row.digest,
    walletAddress: row.wallet,
    recipient: row.recipient,
    userId: row.userId,
    username: row.username,
    amountUnits: row.amountUnits,
    tokenAmount: tokensOf(row.amountUnits, config.snapsDecimals),
    executedAt: row.executedAt.toISOString(),
    state: row.state as OutgoingTransfer['state'],
    cause: row.cause as OutgoingTransfer['cause'],
    withdrawalId: row.withdrawalId,
    reason: row.reason,
    decidedBy: row.decidedBy,
    decidedAt: row.decidedAt?.toISOString() ?? null,
  }));
}
