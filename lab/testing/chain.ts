import { requestSuiFromFaucetV2 } from '@mysten/sui/faucet';
import type { SuiGrpcClient } from '@mysten/sui/grpc';
import type { Transaction } from '@mysten/sui/transactions';
import { inject } from 'vitest';
import { createSuiClient } from '#chain/client.ts';
import { buildPayment } from '#chain/payment.ts';
import { startSandbox, TestOwner } from '../stack.ts';
import { ADMIN_KEYPAIR, newWallet, type Wallet } from './wallets.ts';

export interface TestChain {
  rpcUrl: string;
  faucetUrl: string;
  client: SuiGrpcClient;
}

export function chainAt(urls: { rpcUrl: string; faucetUrl: string }): TestChain {
  return { ...urls, client: createSuiClient({ network: 'localnet', url: urls.rpcUrl }) };
}

/** The chain that the global set-up started; no test may slow it down or stop it. */
export const sharedChain = (): TestChain => chainAt({ rpcUrl: inject('rpcUrl'), faucetUrl: inject('faucetUrl') });

export interface ChainSettings {
  indexDelayMs?: number;
  down?: boolean;
  lowestCheckpoint?: number;
  scanLimit?: number;
  endEpoch?: true;
  denied?: string[];
}

export interface OwnChain extends TestChain {
  control(settings: ChainSettings): Promise<void>;
  stop(): Promise<void>;
}

export interface ChainPorts {
  rpc: number;
  faucet: number;
}

/** The ports of a running chain: a chain that starts there next has the same address. */
export const portsOf = ({ rpcUrl, faucetUrl }: Pick<TestChain, 'rpcUrl' | 'faucetUrl'>): ChainPorts => ({
  rpc: Number(new URL(rpcUrl).port),
  faucet: Number(new URL(faucetUrl).port),
});

/** A separate chain of the test, on free ports unless they are given; nothing of it is left after `stop`. */
export async function startChain(ports?: ChainPorts): Promise<OwnChain> {
  const owner = new TestOwner();
  const { rpcUrl, faucetUrl } = await startSandbox(owner, { ports });
  return {
    ...chainAt({ rpcUrl, faucetUrl }),
    async control(settings) {
      await fetch(`${faucetUrl}/control`, { method: 'POST', body: JSON.stringify(settings) });
    },
    stop: () => owner.end(),
  };
}

export async function fund(chain: TestChain, recipient: string, times = 1): Promise<void> {
  for (let i = 0; i < times; i += 1) await requestSuiFromFaucetV2({ host: chain.faucetUrl, recipient });
}

export async function fundedWallet(chain: TestChain): Promise<Wallet> {
  const wallet = newWallet();
  await fund(chain, wallet.toSuiAddress());
  return wallet;
}

export interface Signed {
  bytes: string;
  signature: string;
  digest: string;
}

export async function sign(chain: TestChain, wallet: Wallet, transaction: Transaction): Promise<Signed> {
  transaction.setSenderIfNotSet(wallet.toSuiAddress());
  const built = await transaction.build({ client: chain.client });
  const { bytes, signature } = await wallet.signTransaction(built);
  return { bytes, signature, digest: await transaction.getDigest() };
}

export function signPayment(
  chain: TestChain,
  wallet: Wallet,
  amountMist: bigint,
  recipient = ADMIN_KEYPAIR.toSuiAddress(),
): Promise<Signed> {
  return sign(chain, wallet, buildPayment({ sender: wallet.toSuiAddress(), recipient, amountMist }));
}

export async function send(chain: TestChain, wallets: Wallet[], transaction: Transaction): Promise<string> {
  const bytes = await transaction.build({ client: chain.client });
  const signatures = await Promise.all(wallets.map(async (wallet) => (await wallet.signTransaction(bytes)).signature));
  const result = await chain.client.core.executeTransaction({ transaction: bytes, signatures });
  return (result.Transaction ?? result.FailedTransaction).digest;
}

export function pay(chain: TestChain, wallet: Wallet, amountMist: bigint, recipient?: string): Promise<string> {
  const to = recipient ?? ADMIN_KEYPAIR.toSuiAddress();
  return send(chain, [wallet], buildPayment({ sender: wallet.toSuiAddress(), recipient: to, amountMist }));
}

export async function balanceMist(chain: TestChain, owner: string): Promise<bigint> {
  return BigInt((await chain.client.core.getBalance({ owner })).balance.balance);
}
