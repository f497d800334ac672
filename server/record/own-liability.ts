import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { OwnLiability } from '#shared/contract/record.ts';
import { emptyRoot, isSameHash } from '#record/log/hashes.ts';
import { type SumStep, sumPath, sumRows } from '#record/log/sum-tree.ts';
import { decodeGroup, GROUP } from './sum-builder.ts';

export type GroupReader = (level: number, position: number) => Promise<Buffer>;

export async function pathThrough(read: GroupReader, leaf: number, leaves: number): Promise<SumStep[]> {
  const steps: SumStep[] = [];
  let [level, position, count] = [0, leaf, leaves];
  for (;;) {
    const group = decodeGroup(await read(level, Math.floor(position / GROUP)));
    steps.push(...sumPath(sumRows(group), position % GROUP));
    if (count <= GROUP) return steps;
    [level, position, count] = [level + 1, Math.floor(position / GROUP), Math.ceil(count / GROUP)];
  }
}

/** Searches the leaves, which are in the order of their hashes. @throws where the tree has no such leaf */
export async function positionOf(read: GroupReader, hash: Uint8Array, leaves: number): Promise<number> {
  let [first, last] = [0, Math.ceil(leaves / GROUP) - 1];
  while (first <= last) {
    const middle = (first + last) >> 1;
    // oxlint-disable-next-line no-await-in-loop -- each step depends on the one before
    const group = decodeGroup(await read(0, middle));
    const at = group.findIndex((node) => Buffer.compare(node.hash, hash) >= 0);
    if (at === 0 && Buffer.compare(group[0]?.hash ?? hash, hash) > 0) last = middle - 1;
    else if (at === -1) first = middle + 1;
    else if (isSameHash(group[at]?.hash ?? emptyRoot(), hash)) return middle * GROUP + at;
    else break;
  }
  throw new Error('the proof of liabilities has no leaf of this hash');
}

async function findLeaf(trx: Db, userId: number, day: string) {
  const { rows } = await sql<{ balance: number; held: number; hash: Buffer }>`
    SELECT l.balance, l.held, owed_leaf(s.secret, ${day}, l.balance, l.held) AS hash
    FROM liability_leaves l JOIN voter_secrets s ON s.user_id = l.user_id WHERE l.user_id = ${userId}`.execute(trx);
  return rows[0];
}

/** Proof of the amount owed to a user in the newest liabilities; null when it was zero, or nothing is published yet. */
export function findOwnLiability(db: Db, userId: number): Promise<OwnLiability | null> {
  // One snapshot: the next batch replaces leaves and nodes.
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const proof = await trx
        .selectFrom('liabilityProof')
        .selectAll()
        .select(sql<string>`day::text`.as('day'))
        .executeTakeFirst();
      const leaf = proof && (await findLeaf(trx, userId, proof.day));
      if (!leaf) return null;
      const read: GroupReader = async (level, position) => {
        const rows = trx.selectFrom('liabilityNodes').select('bytes');
        const group = await rows.where('level', '=', level).where('position', '=', position).executeTakeFirstOrThrow();
        return group.bytes;
      };
      const path = await pathThrough(read, await positionOf(read, leaf.hash, proof.accounts), proof.accounts);
      return {
        day: proof.day,
        size: proof.size,
        entryIndex: proof.entryIndex,
        root: proof.root.toString('base64'),
        total: proof.total,
        accounts: proof.accounts,
        balance: leaf.balance,
        held: leaf.held,
        path: path.map(({ side, hash, sum }) => ({
          side,
          hash: Buffer.from(hash).toString('base64'),
          sum: Number(sum),
        })),
      };
    });
}
