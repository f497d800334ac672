import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { OwnLiability } from '#shared/contract/record.ts';
import { owedLeaves } from '#record/entries/secrets.ts';
import { emptyRoot, isSameHash } from '#record/log/hashes.ts';
import { type SumNode, type SumStep, sumPath, sumRows } from '#record/log/sum-tree.ts';
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

async function findOwed(trx: Db, userId: number) {
  const rows = trx.selectFrom('liabilityLeaves as l').innerJoin('voterSecrets as s', 's.userId', 'l.userId');
  return rows.select(['l.balance', 'l.held', 's.secret']).where('l.userId', '=', userId).executeTakeFirst();
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
      const owed = proof && (await findOwed(trx, userId));
      if (!owed) return null;
      const read: GroupReader = async (level, position) => {
        const rows = trx.selectFrom('liabilityNodes').select('bytes');
        const group = await rows.where('level', '=', level).where('position', '=', position).executeTakeFirstOrThrow();
        return group.bytes;
      };
      const { balance, held, secret } = owed;
      const count = proof.accounts * 2;
      const pathOf = async ({ hash }: SumNode) => pathThrough(read, await positionOf(read, hash, count), count);
      const [first, second] = owedLeaves(secret, proof.day, { balance: BigInt(balance), held: BigInt(held) });
      const paths = [await pathOf(first), await pathOf(second)];
      return {
        day: proof.day,
        size: proof.size,
        entryIndex: proof.entryIndex,
        root: proof.root.toString('base64'),
        total: proof.total,
        accounts: proof.accounts,
        balance,
        held,
        paths: paths.map((path) =>
          path.map(({ side, hash, sum }) => ({ side, hash: Buffer.from(hash).toString('base64'), sum: Number(sum) })),
        ),
      };
    });
}
