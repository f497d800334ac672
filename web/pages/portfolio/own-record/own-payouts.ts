import { needed } from '../../../lib/chunks.ts';
import { siteConfig } from '../../../lib/site.ts';

/** Snaps that these Books have paid to a wallet, by the Sui node; null where it does not respond. */
export async function paidByBooks(books: readonly string[], wallet: string): Promise<number | null> {
  if (books.length === 0) return 0;
  const [{ network, rpcUrl }, { createSuiClient }, { readBook, readPaid }] = await Promise.all([
    siteConfig(),
    needed(import('#chain/client.ts')),
    needed(import('#chain/book.ts')),
  ]);
  const client = createSuiClient({ network, url: rpcUrl });
  const paidBy = async (id: string): Promise<number> => {
    const book = await readBook(client, id);
    // Its network was wiped.
    if (!book) return 0;
    const [[paid], { coinMetadata }] = await Promise.all([
      readPaid(client, book, [wallet]),
      client.core.getCoinMetadata({ coinType: book.coinType }),
    ]);
    if (!coinMetadata) throw new Error('the node does not know the decimals of the coin');
    return Number((paid?.total ?? 0n) / 10n ** BigInt(coinMetadata.decimals));
  };
  try {
    return (await Promise.all(books.map(paidBy))).reduce((sum, paid) => sum + paid, 0);
  } catch {
    return null;
  }
}
