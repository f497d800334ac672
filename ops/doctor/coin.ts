import { findOpenBook } from '#server/money/payouts/book.ts';
import { readReserves } from '#server/money/supply/reserves.ts';
import { findWaitingSnaps } from '#server/money/supply/waits.ts';
import { plural } from '#shared/numbers/plural.ts';
import { warning } from './check.ts';
import type { Subject } from './subject.ts';

/** The coin, its Book, and the reserves (R84). */
export async function askCoin({ config, db, sui }: Pick<Subject, 'config' | 'db' | 'sui'>): Promise<string> {
  const { snapsCoinType, snapsBook } = config;
  if (snapsCoinType === null) return 'none: payouts are recorded by hand. `npm run coin` makes one';
  if (snapsBook === null)
    throw warning(
      'there is a coin and no Book: nothing is paid',
      'Make a Book (`npm run coin -- book`), and set SNAPS_BOOK',
    );
  const known = await findOpenBook(db);
  if (known !== null && known.id !== snapsBook)
    throw warning(
      `SNAPS_BOOK is ${snapsBook}, and the database continues ${known.id}: nothing is paid`,
      'Set SNAPS_BOOK back, or begin the new Book on the tab Withdrawals',
    );
  const [reading, waiting] = await Promise.all([
    readReserves({ config, db, sui }, snapsCoinType).catch(() => null),
    findWaitingSnaps(db),
  ]);
  // /readyz says that the node is away.
  if (reading === null) return `${snapsCoinType}, Book ${snapsBook}`;
  const what = `${plural(reading.held, 'Snap')} for ${plural(waiting, 'Snap')} of open withdrawals`;
  if (reading.held >= waiting) return what;
  throw warning(what, `Send what is missing to ${reading.wallets.map(({ address }) => address).join(' or ')}`);
}
