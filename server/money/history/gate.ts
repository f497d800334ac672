import { normalizeStructTag } from '@mysten/sui/utils';
import type { ScanState } from '#shared/contract/payout-history.ts';
import { conflict, unavailable } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';
import { type Books, matchTransfer } from './match.ts';
import { processSent } from './process.ts';
import { countWaiting, lostSpan } from './queries.ts';
import { readWallet } from './read.ts';
import { moveKnownUntil, noteDatabase } from './scans.ts';
import { payingWallets } from '#server/panel/admin/roles.ts';

/** Maximum wait of a request for the history; the job reads the rest. */
const REQUEST_MS = 6_000;
const JOB_MS = 60_000;
/** Waiting transfers are few; further ones are matched in the next run. */
const MATCH_AT_ONCE = 500;

/** The least finished of all readings. */
const ORDER: readonly ScanState[] = ['unreachable', 'pruned', 'behind', 'reading', 'complete'];

const SENTENCES: Record<Exclude<ScanState, 'complete'>, string> = {
  unreachable: 'The chain cannot be reached to check which payouts were sent. Nothing was sent; try again.',
  pruned:
    'The node no longer has the whole history of the paying wallets. Confirm what is missing on the Withdrawals tab.',
  behind: 'The node is behind: it may not show the newest payouts yet. Nothing was sent; try again.',
  reading: 'The history of the paying wallets is still being read. Nothing was sent; try again in a minute.',
};

/**
 * Reads the transactions of the paying wallets since the last reading and enters them in the books (R56): every payout
 * that this database does not know, because it was restored to an earlier moment, because a wallet sent it on its own,
 * or because it was paid by hand. Null without a payout coin: payments by hand cannot be read.
 */
export async function readPayouts(services: Services, { isRequest = false } = {}): Promise<ScanState | null> {
  const deadlineMs = Date.now() + (isRequest ? REQUEST_MS : JOB_MS);
  const { db, config } = services;
  if (config.snapsCoinType === null) return null;
  await noteDatabase(services);
  const wallets = await payingWallets(db, config);
  const books: Books = { wallets, decimals: config.snapsDecimals, lost: await lostSpan(db) };
  const coinType = normalizeStructTag(config.snapsCoinType);
  const states: ScanState[] = [];
  for (const wallet of wallets) {
    const subject = { wallet, direction: 'out', coinType } as const;
    const process = (tx: Parameters<typeof processSent>[3]) => processSent(services, subject, books, tx);
    const state = await readWallet(services, { subject, process, deadlineMs });
    states.push(state);
    // A request cannot continue; the job reads the other wallets.
    if (isRequest && state !== 'complete') return state;
  }
  await matchAgain(services, books);
  const state = ORDER.find((one) => states.includes(one)) ?? 'complete';
  if (state === 'complete') await moveKnownUntil(db);
  return state;
}

/** Unmatched transfers may fit by now: a payout that was given up, a balance that was refunded. */
async function matchAgain({ db, log }: Services, books: Books): Promise<void> {
  const waiting = await db
    .selectFrom('outgoingTransfers')
    .select('id')
    .where('state', '=', 'unexplained')
    .orderBy('id')
    .limit(MATCH_AT_ONCE)
    .execute();
  for (const { id } of waiting) {
    await db
      .transaction()
      .execute(async (trx) => {
        const row = await trx
          .selectFrom('outgoingTransfers')
          .selectAll()
          .where('id', '=', id)
          .where('state', '=', 'unexplained')
          .forUpdate()
          .executeTakeFirst();
        if (row) await matchTransfer(trx, row, books);
      })
      .catch((error: unknown) => log.error({ err: error, transfer: id }, 'a transfer could not be matched'));
  }
}

/**
 * Called before a payout is prepared or sent, and before a withdrawal is rejected: the books must contain everything on
 * the chain.
 * @throws 503 while that is unknown
 */
export async function requireHistory(services: Services): Promise<void> {
  const state = await readPayouts(services, { isRequest: true });
  if (state === null || state === 'complete') return;
  throw unavailable(state === 'unreachable' ? 'chain_unreachable' : `history_${state}`, SENTENCES[state]);
}

/** Also requires that no transfer waits for the owner's explanation. @throws 409, 503 */
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
