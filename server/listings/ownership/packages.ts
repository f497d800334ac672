import { sql } from 'kysely';
import { readOriginal } from '#chain/ownership.ts';
import { servedChain } from '#server/kit/chain-id.ts';
import type { Services } from '#server/kit/services.ts';

const AT_ONCE = 50;

/**
 * Reads the first versions of the packages that listings name (R71). An upgrade makes a new id, and what an id stands for never changes. Ids
 * that the chain does not know are asked for again, in no order, so that made-up ones delay no other. Returns how many were found.
 */
export async function readPackages(services: Services): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM (
      SELECT package_id AS id FROM projects WHERE package_id IS NOT NULL
      UNION SELECT split_part(coin_type, '::', 1) FROM projects WHERE coin_type IS NOT NULL
    ) named WHERE NOT EXISTS (SELECT FROM packages WHERE packages.id = named.id)
    ORDER BY random() LIMIT ${AT_ONCE}`.execute(services.db);
  if (rows.length === 0 || (await servedChain(services)).state !== 'ours') return 0;
  const found: Array<{ id: string; originalId: string }> = [];
  for (const { id } of rows) {
    // oxlint-disable-next-line no-await-in-loop -- one call at a time is enough for what is named rarely
    const originalId = await readOriginal(services.sui, id);
    if (originalId !== null) found.push({ id, originalId });
  }
  if (found.length === 0 || (await servedChain(services)).state !== 'ours') return 0;
  await services.db
    .insertInto('packages')
    .values(found)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return found.length;
}
