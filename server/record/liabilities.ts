import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { toBase64Url } from '#record/entries/base64url.ts';
import type { EntryOf } from '#record/entries/entries.ts';
import { encodeGroup, SumBuilder } from './sum-builder.ts';
import { readInPages } from './writer.ts';

interface LeafRow {
  hash: Buffer;
  sum: number;
}

/** Users who are owed Snaps: balances, and amounts held by open withdrawals. */
export const OWED = sql`
  SELECT u.user_id, u.balance, coalesce(w.held, 0)::bigint AS held FROM user_stats u LEFT JOIN (
    SELECT user_id, sum(token_amount) AS held FROM withdrawals WHERE state NOT IN ('paid', 'rejected') GROUP BY user_id
  ) w ON w.user_id = u.user_id WHERE u.balance > 0 OR w.held > 0`;

/** Leaves in the order of their hashes, which reveals nothing about their owners. */
const readLeaves = (trx: Db, day: string): AsyncGenerator<LeafRow[]> =>
  readInPages<LeafRow>(
    trx,
    'leaves',
    sql`SELECT l.hash, l.sum FROM (${OWED}) o LEFT JOIN voter_secrets s ON s.user_id = o.user_id,
      owed_leaves(s.secret, ${day}, o.balance, o.held) l ORDER BY l.hash`,
  );

/** Writes only rows that differ. A leaf's place in the tree, which changes every day, follows from its hash. */
async function updateLeaves(trx: Db): Promise<void> {
  await sql`DELETE FROM liability_leaves l WHERE NOT EXISTS (SELECT FROM (${OWED}) o WHERE o.user_id = l.user_id)`.execute(
    trx,
  );
  await sql`
    INSERT INTO liability_leaves AS l (user_id, balance, held)
    SELECT o.user_id, o.balance, o.held FROM (${OWED}) o LEFT JOIN liability_leaves p ON p.user_id = o.user_id
    WHERE (p.balance, p.held) IS DISTINCT FROM (o.balance, o.held)
    ON CONFLICT (user_id) DO UPDATE SET balance = excluded.balance, held = excluded.held`.execute(trx);
}

export async function writeLiabilities(trx: Db, day: string): Promise<EntryOf<'liabilities'>> {
  await sql`DELETE FROM liability_proof`.execute(trx);
  await sql`DELETE FROM liability_nodes`.execute(trx);
  const groups: Array<{ level: number; position: number; bytes: Buffer }> = [];
  const builder = new SumBuilder((level, position, nodes) =>
    groups.push({ level, position, bytes: encodeGroup(nodes) }),
  );
  const flush = async (): Promise<void> => {
    const values = groups.splice(0);
    if (values.length > 0) await trx.insertInto('liabilityNodes').values(values).execute();
  };
  let leaves = 0;
  for await (const rows of readLeaves(trx, day)) {
    for (const row of rows) builder.append({ hash: row.hash, sum: BigInt(row.sum) });
    leaves += rows.length;
    await flush();
  }
  const { hash, sum } = builder.finish();
  await flush();
  await updateLeaves(trx);
  return { kind: 'liabilities', day, total: sum, accounts: leaves / 2, root: toBase64Url(hash) };
}

/** Stores the location of the proof, and the liabilities by the ledger; the check of the books compares the two. */
export async function storeProof(
  trx: Db,
  place: { size: number; entryIndex: number },
  { day, total, accounts, root }: EntryOf<'liabilities'>,
): Promise<void> {
  await trx
    .insertInto('liabilityProof')
    .values({ ...place, day, root: Buffer.from(root, 'base64url'), total: Number(total), accounts })
    .execute();
}
