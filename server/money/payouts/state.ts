import { sql } from 'kysely';
import { readBook } from '#chain/book.ts';
import { readHeld } from '#chain/held.ts';
import type { PayoutBook } from '#shared/contract/payouts.ts';
import { readOurChain } from '#server/chain/our-chain.ts';
import { lostSpan } from '#server/kit/restored.ts';
import type { Services } from '#server/kit/services.ts';
import { agreedBook, findOpenBook } from './book.ts';

const CHAIN_TIMEOUT_MS = 5_000;

async function findSums({ db }: Services): Promise<Pick<PayoutBook, 'paidSnaps' | 'approvedSnaps'>> {
  const { rows } = await sql<Pick<PayoutBook, 'paidSnaps' | 'approvedSnaps'>>`
    SELECT coalesce(sum(w.token_amount) FILTER (WHERE w.state = 'paid'), 0)::bigint AS "paidSnaps",
      coalesce(sum(w.token_amount) FILTER (WHERE w.state = 'approved'), 0)::bigint AS "approvedSnaps"
    FROM withdrawals w JOIN books b ON b.id = w.book_id WHERE b.ended_at IS NULL`.execute(db);
  return rows[0] ?? { paidSnaps: 0, approvedSnaps: 0 };
}

async function readWallet({ sui, config }: Services, address: string): Promise<PayoutBook['wallets'][number]> {
  const signal = AbortSignal.timeout(CHAIN_TIMEOUT_MS);
  try {
    const [held, gas] = await Promise.all([
      readHeld(sui, { owner: address, coinType: config.snapsCoinType ?? '', signal }),
      sui.core.getBalance({ owner: address, signal }),
    ]);
    const heldSnaps = Number(held / 10n ** BigInt(config.snapsDecimals));
    return { address, heldSnaps, gasMist: gas.balance.balance };
  } catch {
    return { address, heldSnaps: null, gasMist: null };
  }
}

/** Reads the sums of the Book beside those of our books. */
export async function readPayoutBook(services: Services): Promise<PayoutBook> {
  const { db, sui, config } = services;
  const { snapsBook, snapsCoinType, snapsDecimals } = config;
  const [agreed, known, sums, lost] = await Promise.all([
    agreedBook(services),
    findOpenBook(db),
    findSums(services),
    lostSpan(db),
  ]);
  const book = snapsBook === null ? null : await readOurChain(services, () => readBook(sui, snapsBook));
  const payers = book?.payers ?? [config.adminWallet];
  return {
    hasCoin: snapsCoinType !== null,
    problem: typeof agreed === 'string' ? agreed : null,
    setting: snapsBook,
    known: known?.id ?? null,
    chain: book && {
      owner: book.owner,
      payers: book.payers,
      wallets: book.wallets,
      paidSnaps: Number(book.totalPaid / 10n ** BigInt(snapsDecimals)),
    },
    ...sums,
    wallets: snapsCoinType === null ? [] : await Promise.all(payers.map((payer) => readWallet(services, payer))),
    restoredAt: lost ? new Date(lost.untilMs).toISOString() : null,
  };
}
