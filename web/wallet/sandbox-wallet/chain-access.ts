import { requestSuiFromFaucetV2 } from '@mysten/sui/faucet';
import type { SuiGrpcClient } from '@mysten/sui/grpc';
import { isSameAddress, normalizeAddress } from '#chain/address.ts';
import type { SandboxAccount } from './keyring.ts';

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

const MAX_COINS_SHOWN = 4;

/** Reads the balances of an address, such as '199.9 SUI, 60 SNAPS'. */
export function createBalances(client: SuiGrpcClient): (address: string) => Promise<string> {
  const coins = new Map<string, Promise<{ decimals: number; symbol: string }>>();
  const describe = async (coinType: string) => {
    const { coinMetadata } = await client.core.getCoinMetadata({ coinType });
    return coinMetadata ?? { decimals: 0, symbol: coinType.split('::').at(-1) ?? '' };
  };
  return async (owner) => {
    const { balances } = await client.core.listBalances({ owner });
    const held = balances.filter(({ balance }) => balance !== '0').slice(0, MAX_COINS_SHOWN);
    const texts = held.map(async ({ coinType, balance }) => {
      const coin = coins.get(coinType) ?? describe(coinType);
      coins.set(coinType, coin);
      const { decimals, symbol } = await coin;
      const digits = balance.padStart(decimals + 1, '0');
      const fraction = digits.slice(digits.length - decimals, digits.length - decimals + 2).replace(/0+$/, '');
      const whole = BigInt(digits.slice(0, digits.length - decimals)).toLocaleString();
      return `${whole}${decimals > 0 && fraction !== '' ? `.${fraction}` : ''} ${symbol}`;
    });
    return (await Promise.all(texts)).join(', ');
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

export interface DemoAccount extends SandboxAccount {
  secretKey: string;
}

export async function fetchDemoAccounts(faucetUrl: string | null): Promise<DemoAccount[]> {
  if (faucetUrl === null) return [];
  try {
    const response = await fetch(new URL('/demo-accounts', faucetUrl));
    if (!response.ok) return [];
    const { accounts } = (await response.json()) as { accounts?: Partial<DemoAccount>[] };
    return (accounts ?? []).flatMap(({ label, address, secretKey }) =>
      label && address && secretKey ? [{ label, address, secretKey }] : [],
    );
  } catch {
    return [];
  }
}
