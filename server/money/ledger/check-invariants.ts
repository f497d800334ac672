import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import type { Services } from '#server/kit/services.ts';
import { readCursor } from '#server/figures/totals/cursor.ts';
import { userChecks, wholeChecks } from './checks.ts';
import { counted, differencesOf, KEPT, keptPast, pastMoments } from './recounted.ts';

/** Reads everything in one snapshot; the server checks in slices (recount.ts). */
export async function findDifferences(db: Services['db']): Promise<string[]> {
  return longTransaction(db, differencesIn, { isSnapshot: true });
}

async function differencesIn(trx: Db): Promise<string[]> {
  const cursor = await readCursor(trx);
  const past = await pastMoments(trx);
  const found: string[] = [];
  const source = sql`(
    SELECT *, 0 AS counted FROM (SELECT name, project_id, period, identity, day, kind, value AS kept FROM (SELECT * FROM ${KEPT} k UNION ALL SELECT * FROM ${keptPast(past)} p) x) y
    UNION ALL SELECT name, project_id, period, identity, day, kind, 0, value FROM ${counted(null, cursor, past)} c)`;
  for (const check of [...userChecks(null), ...wholeChecks(cursor), differencesOf(source, past)])
    found.push(...(await check.execute(trx)).rows.map(({ difference }) => difference));
  return found;
}
