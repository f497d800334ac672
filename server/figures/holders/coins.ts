import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { servedChain } from '#server/kit/chain-id.ts';
import { readCoin } from '#server/kit/payout-coin.ts';
import type { Services } from '#server/kit/services.ts';

const MOST_COINS = 20;
const AGAIN_DAYS = 7;

/** Listings whose coin is read: the catalogue or a moderator set it. Needs `projects` as p. */
export const isRead = sql<boolean>`p.coin_type IS NOT NULL AND p.coin_source <> 'lister' AND p.hidden_at IS NULL`;

export async function readDecimals(services: Services): Promise<boolean> {
  const { db, sui, log } = services;
  const { rows } = await sql<{ coinType: string }>`
    SELECT DISTINCT p.coin_type AS "coinType" FROM projects p LEFT JOIN coin_decimals d ON d.coin_type = p.coin_type
    WHERE ${isRead} AND (d.coin_type IS NULL OR d.decimals IS NULL AND d.read_at < now() - make_interval(days => ${AGAIN_DAYS}))
    LIMIT ${MOST_COINS}`.execute(db);
  if (rows.length === 0) return true;
  if ((await servedChain(services)).state !== 'ours') return false;
  for (const { coinType } of rows) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one call at a time is enough
      const decimals = (await readCoin(sui, coinType))?.decimals ?? null;
      // oxlint-disable-next-line no-await-in-loop -- as above
      await sql`INSERT INTO coin_decimals (coin_type, decimals) VALUES (${coinType}, ${decimals})
        ON CONFLICT (coin_type) DO UPDATE SET decimals = excluded.decimals, read_at = now()`.execute(db);
    } catch (error) {
      log.warn({ err: error, coinType }, 'the decimals of a coin could not be read');
      return false;
    }
  }
  return rows.length < MOST_COINS;
}

interface Threshold {
  projectId: number;
  units: bigint;
}
export type WatchedCoins = ReadonlyMap<string, readonly Threshold[]>;

/** Node and database may differ in the spaces of types with parameters. */
export const coinKey = (coinType: string): string => coinType.replaceAll(' ', '');

interface CoinRow {
  projectId: number;
  coinType: string;
  minimum: number;
  decimals: number;
}

export async function findCoins(db: Db, day: string): Promise<WatchedCoins> {
  const { rows } = await sql<CoinRow>`
    SELECT p.id AS "projectId", p.coin_type AS "coinType", p.coin_minimum AS minimum, d.decimals
    FROM projects p JOIN coin_decimals d ON d.coin_type = p.coin_type
    WHERE ${isRead} AND d.decimals IS NOT NULL AND p.coin_set_on < ${day}::date`.execute(db);
  const coins = new Map<string, Threshold[]>();
  for (const { projectId, coinType, minimum, decimals } of rows) {
    const key = coinKey(coinType);
    const known = coins.get(key) ?? [];
    known.push({ projectId, units: BigInt(minimum) * 10n ** BigInt(decimals) });
    coins.set(key, known);
  }
  return coins;
}
