import { type Life, lifeOfBytes } from '#chain/transaction-bytes.ts';
import type { PayoutReading } from '#chain/payout.ts';
import { isReadPast, readNow } from '../history/read-past.ts';
import { lookUp } from '#server/kit/our-chain.ts';
import type { Services } from '#server/kit/services.ts';

/*
 * A signed payout can be executed as long as the chain accepts it, whatever a node has said of it. So another one for the
 * same withdrawal is sent only when at most one of the two can be executed:
 * - the epoch in which the earlier one expires has ended, and the books contain all that its wallet has sent in it; or
 * - both spend the same version of an object; or
 * - the later one spends a later version of an object of the earlier one, and the books contain the transaction that made
 *   that version: if the earlier one had been executed, it would be among those before it.
 */

interface Earlier {
  withdrawalId: number;
  digest: string;
  sender: string;
  coinType: string;
  life: Life;
}

/** Payouts of these withdrawals that were given up, without those that were found to have ended. */
async function findEarlier({ db, config }: Services, withdrawalIds: readonly number[]): Promise<Earlier[]> {
  const rows = await db
    .selectFrom('payoutBatches')
    .innerJoin('payoutItems', 'payoutItems.batchId', 'payoutBatches.id')
    .select(['payoutItems.withdrawalId', 'digest', 'sender', 'coinType', 'transaction'])
    .where('payoutItems.withdrawalId', 'in', withdrawalIds)
    .where('payoutBatches.state', '=', 'failed')
    .where('payoutBatches.failureCode', 'in', ['rejected', 'unseen'])
    .execute();
  return rows.flatMap(({ withdrawalId, digest, sender, coinType, transaction }) => {
    const life = transaction === null ? null : lifeOfBytes(transaction);
    if (life === null || digest === null || coinType === null) return [];
    return [{ withdrawalId, digest, sender: sender ?? config.adminWallet, coinType, life }];
  });
}

/** True when the transaction was not executed and no longer can be. False while the chain cannot be asked. */
export const hasEnded = (services: Services, { life, sender, coinType }: Omit<Earlier, 'withdrawalId'>) =>
  life.lastEpoch === null ? false : isReadPast(services, { wallet: sender, coinType }, life.lastEpoch);

/** Those of the withdrawals that an earlier payout may still pay, besides this one. */
export async function findUnended(
  services: Services,
  withdrawalIds: readonly number[],
  reading: Pick<PayoutReading, 'life'> | null,
): Promise<number[]> {
  const results = new Map<string, Promise<boolean>>();
  const unended = new Set<number>();
  for (const earlier of await findEarlier(services, withdrawalIds)) {
    const { digest } = earlier;
    const isExcluded = results.get(digest) ?? excludes(services, earlier, reading);
    results.set(digest, isExcluded);
    // oxlint-disable-next-line no-await-in-loop -- most withdrawals have no earlier payout
    if (!(await isExcluded)) unended.add(earlier.withdrawalId);
  }
  return [...unended];
}

async function excludes(
  services: Services,
  earlier: Earlier,
  reading: Pick<PayoutReading, 'life'> | null,
): Promise<boolean> {
  for (const { objectId, version } of reading?.life.spends ?? []) {
    const spent = earlier.life.spends.find((one) => one.objectId === objectId);
    if (spent && version === spent.version) return true;
    // oxlint-disable-next-line no-await-in-loop -- one shared object is enough
    if (spent && version > spent.version && (await isReplaced(services, earlier, objectId))) return true;
  }
  return hasEnded(services, earlier);
}

/** True when the books contain the transaction that wrote the present version, and it is not the earlier payout. */
async function isReplaced(services: Services, { digest, sender, coinType }: Earlier, objectId: string) {
  const { objects } = await services.sui.core.getObjects({
    objectIds: [objectId],
    include: { previousTransaction: true },
    signal: AbortSignal.timeout(8_000),
  });
  const [object] = objects;
  if (!object || object instanceof Error || !object.previousTransaction || object.previousTransaction === digest)
    return false;
  const seen = await lookUp(services, object.previousTransaction);
  if (seen.state !== 'found' || seen.transaction.checkpoint === null) return false;
  const checkpoint = await readNow(services, { wallet: sender, coinType });
  return checkpoint !== null && checkpoint >= BigInt(seen.transaction.checkpoint);
}
