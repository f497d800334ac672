import { sql } from 'kysely';
import { TransactionDataBuilder } from '@mysten/sui/transactions';
import { buildPayment } from '#chain/payment.ts';
import type { Signer } from '#record/log/note.ts';
import { chainIdOf } from '#server/chain/chain-id.ts';
import { deliver } from '#server/chain/our-chain.ts';
import type { Services } from '#server/kit/services.ts';
import { findSigner } from './identity.ts';
import { openStored } from './notes.ts';
import { anchorAddressOf } from './queries.ts';

/** Amount of an anchor's payment to the root's address. */
const ANCHOR_MIST = 1n;
/** Maximum number of checkpoints in a round: each takes a few seconds on chain. */
const ROUND = 10;

interface Unanchored {
  size: number;
  root: Buffer;
  signedNote: string;
  chainId: string | null;
  digest: string | null;
  transaction: Buffer | null;
  signature: string | null;
}

const findUnanchored = (db: Services['db']): Promise<Unanchored[]> =>
  db
    .selectFrom('logCheckpoints as c')
    .leftJoin('logAnchors as a', 'a.size', 'c.size')
    .select(['c.size', 'c.root', 'c.signedNote', 'a.chainId', 'a.digest', 'a.transaction', 'a.signature'])
    .where('a.anchoredAt', 'is', null)
    .orderBy('c.size')
    .limit(ROUND)
    .execute();

/**
 * Writes each checkpoint to Sui: 1 MIST to the address of its root (R41). The signed transaction is stored before it is
 * sent, and sent again unchanged until the chain shows it; only one that the chain rejects is replaced. Resolves to the
 * number of checkpoints that are still open. Safe to run at any time, even on several servers.
 */
export async function anchorCheckpoints(services: Services): Promise<number> {
  const { db, log, config } = services;
  const signer = await findSigner(db, config);
  if (!config.anchorKey || !signer) return 0;
  const open = await findUnanchored(db);
  let left = open.length;
  const chainId = open.length > 0 ? await chainIdOf(services) : null;
  if (chainId === null) return left;
  for (const checkpoint of open) {
    const isAnchored = await anchorOne(services, checkpoint, { signer, chainId }).catch((error: unknown) => {
      log.warn({ err: error, size: checkpoint.size }, 'a checkpoint could not be anchored yet');
      return false;
    });
    // Anchors in order: the next one would use the same coin of gas.
    if (!isAnchored) break;
    left -= 1;
  }
  return left;
}

async function anchorOne(
  services: Services,
  checkpoint: Unanchored,
  { signer, chainId }: { signer: Signer; chainId: string },
): Promise<boolean> {
  openStored(checkpoint, signer);
  const { size, digest, transaction: bytes, signature } = checkpoint;
  // A local chain or devnet may have started over: earlier transactions are lost.
  const isSent = digest !== null && bytes !== null && signature !== null && checkpoint.chainId === chainId;
  if (!isSent) return sendNew(services, checkpoint, chainId);
  const delivery = await deliver(services, { digest, bytes, signature });
  if (delivery.state === 'unknown') return false;
  const isPaid = delivery.state === 'executed' && delivery.transaction.status.success;
  return isPaid ? markAnchored(services.db, size, digest) : sendNew(services, checkpoint, chainId);
}

async function markAnchored(db: Services['db'], size: number, digest: string): Promise<boolean> {
  await db
    .updateTable('logAnchors')
    .set({ anchoredAt: sql<Date>`now()` })
    .where('size', '=', size)
    .where('digest', '=', digest)
    .execute();
  return true;
}

/** Signs a transaction that replaces the previous one, stores it, and sends it if no other server was first. */
async function sendNew(services: Services, before: Unanchored, chainId: string): Promise<boolean> {
  const { db, sui, config } = services;
  const { size, root } = before;
  if (!config.anchorKey) return false;
  const terms = { sender: config.anchorKey.toSuiAddress(), recipient: anchorAddressOf(root), amountMist: ANCHOR_MIST };
  const bytes = await buildPayment(terms).build({ client: sui });
  const { signature } = await config.anchorKey.signTransaction(bytes);
  const digest = TransactionDataBuilder.getDigestFromBytes(bytes);
  const values = { chainId, digest, transaction: Buffer.from(bytes), signature };
  const stored = await db
    .insertInto('logAnchors')
    .values({ size, ...values })
    .onConflict((conflict) =>
      conflict
        .column('size')
        .doUpdateSet({ ...values, signedAt: sql<Date>`now()` })
        .where('logAnchors.digest', '=', before.digest ?? '')
        .where('logAnchors.anchoredAt', 'is', null),
    )
    .returning('size')
    .executeTakeFirst();
  if (!stored) return false;
  const delivery = await deliver(services, { digest, bytes, signature });
  return delivery.state === 'executed' && delivery.transaction.status.success && markAnchored(db, size, digest);
}
