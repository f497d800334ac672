import { eachRow } from '#db/each-row.ts';
import { normalizeStructTag } from '@mysten/sui/utils';
import type { ScanState } from '#shared/contract/payout-history.ts';
import { conflict, unavailable } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';
import { openBooks } from './books.ts';
import { type Books, matchTransfer } from './match.ts';
import { processSent } from './process.ts';
import { countWaiting } from './queries.ts';
import { readWallet } from './read.ts';
import { moveKnownUntil, noteDatabase } from './scans.ts';

/** The job reads the rest. */
const REQUEST_MS = 6_000;
const JOB_MS = 60_000;
const MATCH_AT_ONCE = 500;

const ORDER: readonly ScanState[] = ['unreachable', 'pruned', 'behind', 'reading', 'complete'];

const SENTENCES: Record<Exclude<ScanState, 'complete'>, string> = {
  unreachable: 'The chain cannot be reached to check which payouts were sent. Nothing was sent; try again.',
  pruned:
    'The node no longer has the whole history of the paying wallets. Confirm what is missing on the Withdrawals tab.',
  behind: 'The node is behind: it may not show the newest payouts yet. Nothing was sent; try again.',
  reading: 'The history of the paying wallets is still being read. Nothing was sent; try again in a minute.',
};

/**
 * Enters transactions of the paying wallets that this database does not know in the books (R56): it was restored, a
 * wallet sent on its own, or a person paid by hand. Null without a payout coin.
 */
export async function readPayouts(services: Services, { isRequest = false } = {}): Promise<ScanState | null> {
  const deadlineMs = performance.now() + (isRequest ? REQUEST_MS : JOB_MS);
  const { db, config } = services;
  if (config.snapsCoinType === null) return null;
  await noteDatabase(services);
  const books = await openBooks(services);
  const coinType = normalizeStructTag(config.snapsCoinType);
  const states: ScanState[] = [];
  for (const wallet of books.wallets) {
    const subject = { wallet, coinType };
    const process = (tx: Parameters<typeof processSent>[3]) => processSent(services, subject, books, tx);
    const state = await readWallet(services, { subject, process, deadlineMs });
    states.push(state);
    // The job reads the other wallets.
    if (isRequest && state !== 'complete') return state;
  }
  await matchAgain(services, books);
  const state = ORDER.find((one) => states.includes(one)) ?? 'complete';
  if (state === 'complete') await moveKnownUntil(db);
  return state;
}

async function matchAgain({ db }: Services, books: Books): Promise<void> {
  const waiting = await db
    .selectFrom('outgoingTransfers')
    .select('id')
    .where('state', '=', 'unexplained')
    .orderBy('id')
    .limit(MATCH_AT_ONCE)
    .execute();
  await eachRow(db, { of: 'transfer', idOf: ({ id }) => id }, waiting, ([{ id } = { id: 0 }]) =>
    db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('outgoingTransfers')
        .selectAll()
        .where('id', '=', id)
        .where('state', '=', 'unexplained')
        .forUpdate()
        .executeTakeFirst();
      if (row) await matchTransfer(trx, row, books);
    }),
  );
}

/**
 * Call before a payout is prepared or sent, and before a withdrawal is rejected. @throws 503 while the books may lack
 * payments on the chain
 */
export async function requireHistory(services: Services): Promise<void> {
  const state = await readPayouts(services, { isRequest: true });
  if (state === null || state === 'complete') return;
  throw unavailable(state === 'unreachable' ? 'chain_unreachable' : `history_${state}`, SENTENCES[state]);
}

/** @throws 409 while a transfer waits for the owner's explanation, 503 */
export async function requireExplained(services: Services): Promise<void> {
  await requireHistory(services);
  const waiting = services.config.snapsCoinType === null ? 0 : await countWaiting(services.db);
  if (waiting === 0) return;
  const transfers = waiting === 1 ? 'A transfer' : `${waiting} transfers`;
  throw conflict(
    'transfers_unexplained',
    `${transfers} of a paying wallet ${waiting === 1 ? 'is' : 'are'} not in the books. Explain on the Withdrawals tab what was paid; nothing was sent.`,
  );
}

export const isExplained = (services: Services): Promise<boolean> =>
  requireExplained(services).then(
    () => true,
    () => false,
  );
