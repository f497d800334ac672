import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { int8Array } from '#db/binary-arrays.ts';
import { toBase64Url } from '#shared/record/base64url.ts';
import type { LiabilitiesEntry } from '#shared/record/entries.ts';
import { encodeGroup, SumBuilder } from './sum-builder.ts';
import { readInPages } from './writer.ts';

interface LeafRow {
  userId: number;
  balance: number;
  hash: Buffer;
}

/** Leaves in the order of their hashes, which says nothing about their owners. */
const readLeaves = (trx: Db, day: string): AsyncGenerator<LeafRow[]> =>
  readInPages<LeafRow>(
    trx,
    'leaves',
    sql`SELECT u.user_id, u.balance, balance_leaf(s.secret, ${day}, u.balance) AS hash
      FROM user_stats u LEFT JOIN voter_secrets s ON s.user_id = u.user_id WHERE u.balance > 0 ORDER BY hash`,
  );

/** Commits to all balances, in place of the proof before; its entry. */
export async function writeLiabilities(trx: Db, day: string): Promise<LiabilitiesEntry> {
  await sql`DELETE FROM liability_proof`.execute(trx);
  await sql`DELETE FROM liability_leaves`.execute(trx);
  await sql`DELETE FROM liability_nodes`.execute(trx);
  const groups: Array<{ level: number; position: number; bytes: Buffer }> = [];
  const builder = new SumBuilder((level, position, nodes) =>
    groups.push({ level, position, bytes: encodeGroup(nodes) }),
  );
  const flush = async (): Promise<void> => {
    const values = groups.splice(0);
    if (values.length > 0) await trx.insertInto('liabilityNodes').values(values).execute();
  };
  let accounts = 0;
  for await (const rows of readLeaves(trx, day)) {
    for (const { hash, balance } of rows) builder.append({ hash, sum: BigInt(balance) });
    const column = (values: number[]) => sql`${int8Array(values)}::bigint[]`;
    const [users, balances] = [rows.map(({ userId }) => userId), rows.map(({ balance }) => balance)];
    await sql`
      INSERT INTO liability_leaves (user_id, position, balance)
      SELECT user_id, ${accounts} + ord - 1, balance
      FROM unnest(${column(users)}, ${column(balances)}) WITH ORDINALITY AS t(user_id, balance, ord)`.execute(trx);
    accounts += rows.length;
    await flush();
  }
  const { hash, sum } = builder.finish();
  await flush();
  return { kind: 'liabilities', day, total: sum, accounts, root: toBase64Url(hash) };
}

/** Remembers where the proof is found, and what the ledger says; the check of the books compares the two. */
export async function storeProof(
  trx: Db,
  place: { size: number; entryIndex: number },
  { day, total, accounts, root }: LiabilitiesEntry,
): Promise<void> {
  const { rows } = await sql<{ ledger: number }>`
    SELECT coalesce(sum(amount), 0)::bigint AS ledger FROM ledger_entries`.execute(trx);
  const ledger = rows[0]?.ledger ?? 0;
  await trx
    .insertInto('liabilityProof')
    .values({ ...place, day, root: Buffer.from(root, 'base64url'), total: Number(total), accounts, ledger })
    .execute();
}
