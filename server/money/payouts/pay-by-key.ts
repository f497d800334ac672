import type { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { TransactionDataBuilder } from '@mysten/sui/transactions';
import { sql } from 'kysely';
import { readPayable } from '#chain/funds.ts';
import { ADVISORY_LOCK_NAMES } from '#db/advisory-locks.ts';
import type { Db } from '#db/client.ts';
import { PAYOUT_MAX_RECIPIENTS } from '#shared/constants.ts';
import type { Actor } from '#server/books/audit.ts';
import { deliver } from '#server/chain/our-chain.ts';
import type { Services } from '#server/kit/services.ts';
import { isPaused } from '../withdrawals/queries.ts';
import { findPaidToday, PAYABLE } from './automatic.ts';
import { agreedBook, type OpenBook } from './book.ts';
import { findDue, type WalletDue } from './due.ts';
import { build, explain, noteRefused, payAll } from './pay.ts';
import { settleDue } from './settle.ts';

/** How long a payout without an outcome is not sent again, as another server may be sending it. */
const AGAIN_SECONDS = 60;

/**
 * Pays approved withdrawals of wallets with standing by PAYOUT_PRIVATE_KEY (R79); returns the number that the chain took.
 * Pays nothing while withdrawals are paused, or where settings and database name different Books.
 */
export async function payByKey(services: Services): Promise<number> {
  const { db, config } = services;
  const { payoutKey: key } = config;
  if (key === null || (await isPaused(db))) return 0;
  const book = await agreedBook(services);
  if (typeof book === 'string') return 0;
  // Another payer or server may have paid since, or a restored database does not know it.
  await settleDue(services, book, PAYABLE);
  const due = await reserve(services, book, key);
  if (due.length === 0) return 0;
  const who: Actor = { actor: key.toSuiAddress(), ip: null };
  try {
    const refused = await payAll(due, (part) => send(services, { book, key, due: part }));
    await noteRefused(services, who, refused);
  } catch (error) {
    services.log.warn({ err: error }, 'the payout key could not pay');
  }
  const ids = due.flatMap(({ withdrawalIds }) => withdrawalIds);
  return (await settleDue(services, book, sql`w.id = ANY (${ids}::bigint[])`)).length;
}

/** Takes what the wallet and the rest of the day's cap cover, exact on any number of servers. */
async function reserve(services: Services, book: OpenBook, key: Ed25519Keypair): Promise<WalletDue[]> {
  const { db, sui, config } = services;
  const sender = key.toSuiAddress();
  const isDue = sql<boolean>`${PAYABLE} AND (w.sent_at IS NULL OR w.sent_at < now() - make_interval(secs => ${AGAIN_SECONDS}))`;
  const waiting = await findDue(db, book.rowId, isDue);
  if (waiting.length === 0) return [];
  const neededUnits = waiting.reduce((sum, { atMost }) => sum + atMost, 0n);
  const held = await readPayable(sui, { owner: sender, coinType: book.coinType, neededUnits });
  return db.transaction().execute(async (trx) => {
    const lock = ADVISORY_LOCK_NAMES.payoutKey(sender);
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(trx);
    if (await isPaused(trx, { lock: true })) return [];
    let units = held;
    let snaps = config.payoutDailyMaxSnaps - (await findPaidToday(trx, sender)).snaps;
    const chosen: WalletDue[] = [];
    for (const due of await findDue(trx, book.rowId, isDue)) {
      const more = await notCounted(trx, sender, due);
      if (due.atMost > units || more > snaps || chosen.length === PAYOUT_MAX_RECIPIENTS) continue;
      units -= due.atMost;
      snaps -= more;
      chosen.push(due);
    }
    const ids = chosen.flatMap(({ withdrawalIds }) => withdrawalIds);
    if (ids.length > 0)
      await trx
        .updateTable('withdrawals')
        .set({ sentBy: sender, sentAt: sql<Date>`now()` })
        .where('id', 'in', ids)
        .execute();
    return chosen;
  });
}

/** Snaps of withdrawals that were not sent today: sending one again costs no more of the cap. */
async function notCounted(trx: Db, sender: string, { withdrawalIds }: WalletDue): Promise<number> {
  const { rows } = await sql<{ snaps: number }>`
    SELECT coalesce(sum(token_amount), 0)::bigint AS snaps FROM withdrawals WHERE id = ANY (${withdrawalIds}::bigint[])
      AND (sent_by = ${sender} AND sent_at >= date_trunc('day', now(), 'UTC')) IS NOT TRUE`.execute(trx);
  return rows[0]?.snaps ?? 0;
}

async function send(
  services: Services,
  { book, key, due }: { book: OpenBook; key: Ed25519Keypair; due: readonly WalletDue[] },
): Promise<void> {
  const bytes = await build(services, { book, sender: key.toSuiAddress(), due });
  const { signature } = await key.signTransaction(bytes);
  const digest = TransactionDataBuilder.getDigestFromBytes(bytes);
  const outcome = await deliver(services, { digest, bytes, signature });
  if (outcome.state === 'rejected') explain(undefined, outcome.reason);
  if (outcome.state !== 'executed' || outcome.transaction.status.success) return;
  const { error } = outcome.transaction.status;
  explain(error ?? undefined, error?.message ?? 'The transaction failed on chain');
}
