import { findPublication } from '#server/money/coin/queries.ts';
import { readReserves } from '#server/money/supply/reserves.ts';
import { findWaitingSnaps } from '#server/money/supply/waits.ts';
import { plural } from '#shared/plural.ts';
import { warning } from './check.ts';
import type { Subject } from './subject.ts';

export async function askCoin({ config, db }: Pick<Subject, 'config' | 'db'>): Promise<string> {
  if (config.snapsCoinType !== null) return config.snapsCoinType;
  const made = await findPublication(db);
  if (made?.coinType)
    throw warning(
      `${made.name} (${made.symbol}) was made, and no withdrawal is paid in it`,
      `Set SNAPS_COIN_TYPE=${made.coinType}`,
    );
  return 'none: payouts are recorded by hand. The tab Coin of the admin panel makes one';
}

/** Silent while the node is away, which is a finding of its own. */
export async function askReserves({ config, db, sui }: Pick<Subject, 'config' | 'db' | 'sui'>): Promise<string | null> {
  const { snapsCoinType: coinType } = config;
  if (coinType === null) return null;
  const [reading, waiting] = await Promise.all([
    readReserves({ config, sui }, coinType).catch(() => null),
    findWaitingSnaps(db),
  ]);
  if (reading === null) return null;
  const what = `${plural(reading.held, 'Snap')} for ${plural(waiting, 'Snap')} of open withdrawals`;
  if (reading.held >= waiting) return what;
  throw warning(what, `Send what is missing to ${reading.wallets.map(({ address }) => address).join(' or ')}`);
}
