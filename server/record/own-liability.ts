import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { OwnLiability } from '#shared/contract/record.ts';
import { type SumStep, sumPath, sumRows } from '#record/log/sum-tree.ts';
import { decodeGroup, GROUP } from './sum-builder.ts';

/** Reads a group of nodes. */
export type GroupReader = (level: number, position: number) => Promise<Buffer>;

/** The path of a leaf through its groups to the root; each group is read once. */
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

/** Proof of the amount owed to a user in the newest liabilities; null when it was zero, or nothing is published yet. */
export function findOwnLiability(db: Db, userId: number): Promise<OwnLiability | null> {
  // One snapshot: the next batch replaces leaves and nodes.
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const leaf = await trx.selectFrom('liabilityLeaves').selectAll().where('userId', '=', userId).executeTakeFirst();
      const proof = await trx
        .selectFrom('liabilityProof')
        .selectAll()
        .select(sql<string>`day::text`.as('day'))
        .executeTakeFirst();
      if (!leaf || !proof) return null;
      const read: GroupReader = async (level, position) => {
        const rows = trx.selectFrom('liabilityNodes').select('bytes');
        const group = await rows.where('level', '=', level).where('position', '=', position).executeTakeFirstOrThrow();
        return group.bytes;
      };
      const path = await pathThrough(read, leaf.position, proof.accounts);
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
