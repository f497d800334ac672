import type { ClientWithCoreApi, SuiClientTypes } from '@mysten/sui/client';
import { normalizeStructTag, normalizeSuiAddress, SUI_TYPE_ARG } from '@mysten/sui/utils';
import { lookUpTransaction } from './transactions.ts';

export interface Payment {
  digest: string;
  sender: string;
  timeMs: number;
  address: string;
  mist: bigint;
}

const SUI = normalizeStructTag(SUI_TYPE_ARG);

export function paymentsOf({
  digest,
  timestampMs,
  status,
  balanceChanges,
  transaction,
}: SuiClientTypes.Transaction<{ balanceChanges: true; transaction: true }>): Payment[] {
  if (!status.success || timestampMs === null || !transaction.sender) return [];
  const sender = normalizeSuiAddress(transaction.sender);
  return balanceChanges.flatMap(({ coinType, address, amount }) => {
    const to = normalizeSuiAddress(address);
    const mist = BigInt(amount);
    if (normalizeStructTag(coinType) !== SUI || to === sender || mist <= 0n) return [];
    return [{ digest, sender, timeMs: timestampMs, address: to, mist }];
  });
}

/** @throws Error when the node does not respond */
export async function paymentsIn(client: ClientWithCoreApi, digest: string): Promise<Payment[]> {
  const found = await lookUpTransaction(client, digest);
  if (found.state === 'unreachable') throw new Error('the node does not respond');
  return found.state === 'found' ? paymentsOf(found.transaction) : [];
}
