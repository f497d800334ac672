import { TransactionDataBuilder } from '@mysten/sui/transactions';
import { sql } from 'kysely';
import { decodeBase64 } from '#chain/base64.ts';
import { readBook } from '#chain/book.ts';
import { isDigest } from '#chain/transactions.ts';
import { decodeTransaction } from '#chain/transaction-bytes.ts';
import type { PreparedPayout, SentPayout } from '#shared/contract/payouts.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { badRequest, conflict, unavailable } from '#server/kit/http/errors.ts';
import { deliver, readOurChain } from '#server/chain/our-chain.ts';
import { lostSpan, noteCompared } from '#server/kit/restored.ts';
import type { Services } from '#server/kit/services.ts';
import { requireBook } from './book.ts';
import { findDue } from './due.ts';
import { build, explain, noteRefused, payAll, RefusedError } from './pay.ts';
import { pay, settleDue } from './settle.ts';

const isChosen = (ids: readonly number[]) => sql<boolean>`w.id = ANY (${ids}::bigint[])`;

async function requireApproved({ db }: Services, ids: readonly number[]): Promise<void> {
  if (new Set(ids).size !== ids.length) throw badRequest('twice', 'A payout can include each withdrawal only once');
  const rows = await db
    .selectFrom('withdrawals')
    .select(['id', 'state'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  const wrong = rows.find(({ state }) => state !== 'approved');
  if (wrong) throw conflict('wrong_state', `Withdrawal ${wrong.id} is ${wrong.state}`);
  if (rows.length !== ids.length) throw conflict('withdrawal_not_found', 'A withdrawal does not exist');
}

/**
 * Arguments with which the wallet of this person calls the Book. The chain is asked first what was paid, and runs the call
 * without a change, so that one refused withdrawal stops no other. @throws 409, 503
 */
export async function prepare(services: Services, who: Actor, ids: number[]): Promise<PreparedPayout> {
  const book = await requireBook(services);
  const { actor: sender } = who;
  const present = await readOurChain(services, () => readBook(services.sui, book.id));
  if (!present)
    throw unavailable('chain_unreachable', 'The chain cannot be reached right now. Nothing was sent; try again.');
  if (!present.payers.includes(sender)) explainNotPayer();
  const paid = new Set(await settleDue(services, book, isChosen(ids)));
  const left = ids.filter((id) => !paid.has(id));
  if (left.length === 0) throw conflict('paid_already', 'The chain has paid all of them already');
  await requireApproved(services, left);
  const due = await findDue(services.db, book.rowId, isChosen(left));
  const refused = await payAll(due, async (part) => void (await build(services, { book, sender, due: part })));
  await noteRefused(services, who, refused);
  const names = new Set(refused.map((one) => one.due.account));
  const payable = due.filter(({ account }) => !names.has(account));
  if (payable.length === 0) throw conflict('refused', `The chain refuses it: ${refused[0]?.reason ?? ''}`);
  const { id, packageId, coinType, sharedSince } = book;
  return {
    book: { id, packageId, coinType, sharedSince },
    sender,
    due: payable.map(({ account, total, atMost }) => ({ account, total: String(total), atMost: String(atMost) })),
    withdrawalIds: payable.flatMap(({ withdrawalIds }) => withdrawalIds),
    refused: refused.map((one) => ({ withdrawalIds: one.due.withdrawalIds, reason: one.reason })),
  };
}

function explainNotPayer(): never {
  throw conflict(
    'cannot_pay',
    'This wallet is not on the list of payers of the Book. The owner adds it with `npm run coin -- payers`.',
  );
}

type Signed = { bytes: string; signature: string } | { digest: string };

/** Whatever was signed: the Book pays no wallet more than it is owed. @throws 400, 409, 503 */
export async function send(services: Services, who: Actor, ids: number[], signed: Signed): Promise<SentPayout> {
  const book = await requireBook(services);
  const digest = 'digest' in signed ? signed.digest : await execute(services, who, book.id, signed);
  const detail = `Withdrawals ${ids.join(', ')}, transaction ${digest}`;
  await writeAudit(services.db, who, { action: 'payout.send', detail, outcome: 'ok', rowCount: ids.length });
  return { digest, paidIds: await settleDue(services, book, isChosen(ids)).catch(() => []) };
}

async function execute(
  services: Services,
  who: Actor,
  bookId: string,
  { bytes: text, signature }: { bytes: string; signature: string },
): Promise<string> {
  const bytes = decodeBase64(text);
  const data = bytes && decodeTransaction(bytes);
  const inputs = data?.kind.ProgrammableTransaction?.inputs ?? [];
  if (!bytes || !data || !inputs.some((input) => input.Object?.SharedObject?.objectId === bookId))
    throw badRequest('not_this_payout', 'This is not a call of the Book of this site');
  const digest = TransactionDataBuilder.getDigestFromBytes(bytes);
  const outcome = await deliver(services, { digest, bytes, signature });
  if (outcome.state === 'rejected') {
    services.log.warn({ digest, reason: outcome.reason, actor: who.actor }, 'the chain rejected a payout');
    throw badRequest('rejected', 'The chain did not take the transaction. Nothing was paid; try again.');
  }
  if (outcome.state !== 'executed' || outcome.transaction.status.success) return digest;
  const { error } = outcome.transaction.status;
  try {
    return explain(error ?? undefined, error?.message ?? 'The transaction failed on chain');
  } catch (refused) {
    if (!(refused instanceof RefusedError)) throw refused;
    throw conflict('refused', `The chain refuses it: ${refused.message}. Nothing was paid; try again.`);
  }
}

/** Records payouts of a site without a coin, by the admin's word. @throws 400, 409 */
export async function recordByHand(
  services: Services,
  who: Actor,
  { withdrawalIds: ids, digest, hasCompared }: { withdrawalIds: number[]; digest: string; hasCompared: boolean },
): Promise<SentPayout> {
  const { db, config } = services;
  if (config.snapsCoinType !== null)
    throw conflict('has_coin', 'This site has a coin: what is paid beside its Book would be paid again');
  if (!isDigest(digest)) throw badRequest('not_a_digest', 'This is not the digest of a transaction');
  const lost = await lostSpan(db);
  if (lost && !lost.hasCompared && !hasCompared)
    throw conflict(
      'restored',
      `The database was restored, and may lack payouts since ${new Date(lost.fromMs).toISOString()}. Compare them with the wallet first.`,
    );
  await requireApproved(services, ids);
  await db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom('withdrawals')
      .select(['id', 'userId', 'tokenAmount', 'paidEarlier'])
      .where('id', 'in', ids)
      .where('state', '=', 'approved')
      .orderBy('userId')
      .forUpdate()
      .execute();
    if (rows.length !== ids.length) throw conflict('wrong_state', 'A withdrawal was changed in the meantime');
    if (hasCompared) await noteCompared(trx);
    await trx.updateTable('withdrawals').set({ byHand: true }).where('id', 'in', ids).execute();
    await pay(trx, who, rows, digest);
  });
  return { digest, paidIds: ids };
}
