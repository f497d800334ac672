import type { SessionUser } from '#server/kit/http/session.ts';
import { lostSpan } from '#server/kit/restored.ts';
import { readOurChain } from '#server/chain/our-chain.ts';
import type { Services } from '#server/kit/services.ts';
import { readPaid } from '#chain/book.ts';
import { findOpenBook } from '../payouts/book.ts';

/** How much of the next withdrawals the Book has paid already, after a restore; null otherwise, and while it cannot be read. */
export async function findPrepaid(
  services: Services,
  { userId, walletAddress }: SessionUser,
): Promise<{ snaps: number; digest: string } | null> {
  const { db, sui } = services;
  if (!(await lostSpan(db))) return null;
  const book = await findOpenBook(db);
  const [paid] = book ? ((await readOurChain(services, () => readPaid(sui, book, [walletAddress]))) ?? []) : [];
  if (!book || !paid || paid.digest === null) return null;
  const row = await db
    .selectFrom('bookTotals')
    .select('units')
    .where('userId', '=', userId)
    .where('bookId', '=', book.rowId)
    .executeTakeFirst();
  const ahead = paid.total - BigInt(row?.units ?? 0);
  return ahead > 0n ? { snaps: Number(ahead / 10n ** BigInt(book.decimals)), digest: paid.digest } : null;
}
