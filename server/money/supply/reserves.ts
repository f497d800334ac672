import { readBook } from '#chain/book.ts';
import { readMinter } from '#chain/minter.ts';
import { readHeld } from '#chain/held.ts';
import type { Reserves } from '#shared/contract/supply.ts';
import type { Db } from '#db/client.ts';
import { createRefreshed } from '#server/kit/refreshed.ts';
import { lostSpan } from '#server/kit/restored.ts';
import type { Services } from '#server/kit/services.ts';
import { findPaidSnaps } from './waits.ts';

const TIMEOUT_MS = 5_000;
const FRESH_MS = 50_000;
const PATIENCE_MS = 1_500;
/** How long the last reading is shown while the node is away. */
const LAST_READING_MS = 3_600_000;

type Reading = NonNullable<Reserves['reading']>;
type ChainServices = Pick<Services, 'db' | 'sui' | 'config'>;

/** The wallets that pay: the admin's, which holds what the site owes, and that of the server's own key (R79). */
function reserveWallets({ adminWallet, payoutKey }: Services['config']) {
  const admin = { role: 'admin' as const, address: adminWallet };
  return payoutKey === null ? [admin] : [{ role: 'payout' as const, address: payoutKey.toSuiAddress() }, admin];
}

/** Totals of the Books. The site's own books are read first: payouts in between count as ahead. @throws errors of the node */
async function readBooks(db: Db, sui: Services['sui']): Promise<Pick<Reading, 'books' | 'known' | 'ahead'>> {
  const known = await findPaidSnaps(db);
  const rows = await db.selectFrom('books').select(['objectId as id', 'decimals']).orderBy('id').execute();
  const found = await Promise.all(rows.map(({ id }) => readBook(sui, id)));
  const books = rows.map(({ id, decimals }, at) => {
    const total = found[at]?.totalPaid;
    return { id, paid: total === undefined ? null : Number(total / 10n ** BigInt(decimals)) };
  });
  const ahead = books.reduce<number | null>(
    (sum, { paid }) => (sum === null || paid === null ? null : sum + paid),
    -known,
  );
  return { books, known, ahead };
}

/** @throws errors of the node */
export async function readReserves({ db, sui, config }: ChainServices, coinType: string): Promise<Reading> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const unit = 10n ** BigInt(config.snapsDecimals);
  const inSnaps = (units: bigint): number => Number(units / unit);
  const [books, lost, minter, wallets] = await Promise.all([
    readBooks(db, sui),
    lostSpan(db),
    readMinter(sui, coinType, signal),
    Promise.all(
      reserveWallets(config).map(async (wallet) => {
        return { wallet, heldUnits: await readHeld(sui, { owner: wallet.address, coinType, signal }) };
      }),
    ),
  ]);
  return {
    wallets: wallets.map(({ wallet, heldUnits }) => ({ ...wallet, held: inSnaps(heldUnits) })),
    held: inSnaps(wallets.reduce((sum, { heldUnits }) => sum + heldUnits, 0n)),
    minter,
    ...books,
    isRestored: lost !== null,
    asOf: new Date().toISOString(),
  };
}

const readers = new WeakMap<Services['sui'], () => Promise<Reading | null>>();

/** Null without a coin. At most a minute old while the node responds. */
export async function currentReserves(services: ChainServices & Pick<Services, 'log'>): Promise<Reserves | null> {
  const { sui, config, log } = services;
  const { snapsCoinType: coinType } = config;
  if (coinType === null) return null;
  let last: Reading | null = null;
  const load = async (): Promise<Reading | null> => {
    try {
      last = await readReserves(services, coinType);
    } catch (error) {
      log.warn({ err: error }, 'the reserves could not be read');
    }
    return last;
  };
  const reader =
    readers.get(sui) ?? createRefreshed<Reading | null>(null, load, { freshMs: FRESH_MS, patienceMs: PATIENCE_MS });
  readers.set(sui, reader);
  const reading = await reader();
  const isOld = reading !== null && Date.now() - Date.parse(reading.asOf) > LAST_READING_MS;
  return { coinType, reading: isOld ? null : reading };
}
