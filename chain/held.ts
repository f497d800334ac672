import type { ClientWithCoreApi, SuiClientTypes } from '@mysten/sui/client';
import { normalizeStructTag } from '@mysten/sui/utils';
import { normalizeAddress } from './address.ts';

/** The units of a coin that a wallet owns, in coins and in its address balance (SIP-58). */
export async function readHeld(
  client: { core: Pick<ClientWithCoreApi['core'], 'getBalance'> },
  asked: { owner: string; coinType: string; signal?: AbortSignal },
): Promise<bigint> {
  const { balance } = await client.core.getBalance(asked);
  return BigInt(balance.balance);
}

export function netChanges(
  { balanceChanges }: { balanceChanges: readonly SuiClientTypes.BalanceChange[] },
  coinType: string,
): Map<string, bigint> {
  const wanted = normalizeStructTag(coinType);
  const changes = new Map<string, bigint>();
  for (const { address, coinType: type, amount } of balanceChanges) {
    const owner = normalizeAddress(address);
    if (owner === null || normalizeStructTag(type) !== wanted) continue;
    changes.set(owner, (changes.get(owner) ?? 0n) + BigInt(amount));
  }
  return changes;
}
