import { requestSuiFromFaucetV2 } from '@mysten/sui/faucet';
import type { SuiGrpcClient } from '@mysten/sui/grpc';
import { isSameAddress, normalizeAddress } from '#chain/address.ts';

/** The effects of a transaction for its sender; amounts in MIST, other coins in their smallest unit. */
export interface TransactionSummary {
  payments: { recipient: string; coinType: string; amount: bigint }[];
  feeMist: bigint;
  failure: string | null;
}

export async function summarize(client: SuiGrpcClient, bytes: Uint8Array, sender: string): Promise<TransactionSummary> {
  const result = await client.simulateTransaction({
    transaction: bytes,
    include: { balanceChanges: true, effects: true },
  });
  const transaction = result.Transaction ?? result.FailedTransaction;
  const gas = transaction.effects.gasUsed;
  return {
    payments: transaction.balanceChanges
      .filter(({ address, amount }) => BigInt(amount) > 0n && !isSameAddress(address, sender))
      .map(({ address, coinType, amount }) => ({
        recipient: normalizeAddress(address) ?? address,
        coinType,
        amount: BigInt(amount),
      })),
    feeMist: BigInt(gas.computationCost) + BigInt(gas.storageCost) - BigInt(gas.storageRebate),
    failure: transaction.status.success ? null : (transaction.status.error.message ?? 'This transaction would fail.'),
  };
}

/** Gives an address its first SUI. Each address is looked at once per page; a faucet that is down is only logged. */
export function createFunding(client: SuiGrpcClient, faucetUrl: string | null): (address: string) => Promise<void> {
  const funded = new Map<string, Promise<void>>();
  async function fund(address: string): Promise<void> {
    if (faucetUrl === null) return;
    try {
      const { balance } = await client.getBalance({ owner: address });
      if (BigInt(balance.balance) === 0n) await requestSuiFromFaucetV2({ host: faucetUrl, recipient: address });
    } catch (error) {
      funded.delete(address);
      console.warn('Sandbox Wallet: the faucet did not respond', error);
    }
  }
  return (address) => {
    const running = funded.get(address) ?? fund(address);
    funded.set(address, running);
    return running;
  };
}

export interface DemoAccount {
  label: string;
  secretKey: string;
}

export async function fetchDemoAccounts(faucetUrl: string | null): Promise<DemoAccount[]> {
  if (faucetUrl === null) return [];
  try {
    const response = await fetch(new URL('/demo-accounts', faucetUrl));
    if (!response.ok) return [];
    const { accounts } = (await response.json()) as { accounts?: Partial<DemoAccount>[] };
    return (accounts ?? []).flatMap(({ label, secretKey }) => (label && secretKey ? [{ label, secretKey }] : []));
  } catch {
    return [];
  }
}
