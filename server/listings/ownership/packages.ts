import { eachRow, restingRows } from '#db/each-row.ts';
import { sql } from 'kysely';
import { readOriginal } from '#chain/ownership.ts';
import { packageOf, withOriginal } from '#shared/listings/coin-type.ts';
import { servedChain } from '#server/chain/chain-id.ts';
import type { Services } from '#server/kit/services.ts';

const PACKAGE = 'package';
const AT_ONCE = 50;
const CALL_MS = 3_000;

type Asked = Pick<Services, 'db' | 'sui' | 'chainId' | 'config'>;

export interface Named {
  coinType: string | null;
  packageId: string | null;
}

export class ChainAwayError extends Error {}

/** An upgrade makes a new id, and what an id stands for never changes. Ids that the chain does not know are not stored. */
async function readAndStore(services: Asked, ids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (ids.length === 0) return found;
  const requireOurs = async () => {
    if ((await servedChain(services)).state !== 'ours') throw new ChainAwayError('the node is away');
  };
  await requireOurs();
  for (const id of ids) {
    // oxlint-disable-next-line no-await-in-loop -- one call at a time is enough for what is named rarely
    const originalId = await readOriginal(services.sui, id, CALL_MS);
    if (originalId !== null) found.set(id, originalId);
  }
  if (found.size === 0) return found;
  await requireOurs();
  await services.db
    .insertInto('packages')
    .values([...found].map(([id, originalId]) => ({ id, originalId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return found;
}

/** A coin type or package by the first version of its package; one that the chain does not know stays itself. */
export type Canonical = (name: string) => string;

/** @throws ChainAwayError and errors of the node, unless these packages are known */
export async function readVersions(services: Asked, { coinType, packageId }: Named): Promise<Canonical> {
  const ids = [...new Set([coinType === null ? null : packageOf(coinType), packageId])].filter((id) => id !== null);
  if (ids.length === 0) return (name) => name;
  const stored = await services.db.selectFrom('packages').selectAll().where('id', 'in', ids).execute();
  const known = new Map(stored.map(({ id, originalId }) => [id, originalId]));
  const read = await readAndStore(
    services,
    ids.filter((id) => !known.has(id)),
  );
  return (name) => withOriginal(name, (id) => known.get(id) ?? read.get(id));
}

/** Called before a listing names these, so that naming another version ends no proof. Where the node is away the recheck decides. */
export async function learnVersions(services: Asked & Pick<Services, 'log'>, named: Partial<Named>): Promise<void> {
  const { coinType = null, packageId = null } = named;
  await readVersions(services, { coinType, packageId }).catch((error: unknown) => {
    services.log.warn({ err: error, coinType, packageId }, 'the first version of a package could not be read');
  });
}

/**
 * Reads the first versions of the packages that listings name (R71). Ids that the chain does not know are asked for again, in no order, so
 * that made-up ones delay no other. Returns how many were found.
 */
export async function readPackages(services: Services): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM (
      SELECT package_id AS id FROM projects WHERE package_id IS NOT NULL
      UNION SELECT split_part(coin_type, '::', 1) FROM projects WHERE coin_type IS NOT NULL
    ) named WHERE NOT EXISTS (SELECT FROM packages WHERE packages.id = named.id) AND id <> ALL (${restingRows<string>(services.db, PACKAGE)}::text[])
    ORDER BY random() LIMIT ${AT_ONCE}`.execute(services.db);
  let found = 0;
  let isAway = false;
  const ids = rows.map(({ id }) => id);
  await eachRow(services.db, { of: PACKAGE, idOf: (id) => id, slice: AT_ONCE }, ids, async (some) => {
    try {
      if (!isAway) found += (await readAndStore(services, some)).size;
    } catch (error) {
      isAway = error instanceof ChainAwayError || (await servedChain(services)).state !== 'ours';
      if (!isAway) throw error;
    }
  });
  return found;
}
