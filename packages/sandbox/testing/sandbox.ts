import { requestSuiFromFaucetV2 } from '@mysten/sui/faucet';
import { SuiGrpcClient } from '@mysten/sui/grpc';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { coinWithBalance, Transaction } from '@mysten/sui/transactions';
import { onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../server.ts';

export const MIST_PER_SUI = 1_000_000_000n;
export const FAUCET_MIST = 200n * MIST_PER_SUI;

export interface TestSandbox extends Sandbox {
  readonly client: SuiGrpcClient;
}

export async function sandboxForTest(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const sandbox = await openSandbox(options);
  onTestFinished(sandbox.close);
  return sandbox;
}

export async function openSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const sandbox = await startSandbox({ rpcPort: 0, faucetPort: 0, ...options });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= sandbox.close());
  return { ...sandbox, close, client: clientOf(sandbox.rpcUrl) };
}

export function clientOf(rpcUrl: string): SuiGrpcClient {
  return new SuiGrpcClient({ network: 'localnet', baseUrl: rpcUrl });
}

export async function fundedAccount(sandbox: Sandbox): Promise<Ed25519Keypair> {
  const key = new Ed25519Keypair();
  await fund(sandbox, key.toSuiAddress());
  return key;
}

export async function fund(sandbox: Sandbox, recipient: string): Promise<void> {
  await requestSuiFromFaucetV2({ host: sandbox.faucetUrl, recipient });
}

export function newAddress(): string {
  return new Ed25519Keypair().toSuiAddress();
}

export function payment(sender: string, recipient: string, amountMist: bigint): Transaction {
  const transaction = new Transaction();
  transaction.setSender(sender);
  transaction.transferObjects([transaction.splitCoins(transaction.gas, [amountMist])], recipient);
  return transaction;
}

export function coinPayment(sender: string, recipient: string, type: string, balance: bigint): Transaction {
  const transaction = new Transaction();
  transaction.setSender(sender);
  transaction.transferObjects([coinWithBalance({ type, balance })], recipient);
  return transaction;
}

export async function balanceOf(client: SuiGrpcClient, owner: string, coinType?: string): Promise<bigint> {
  const { balance } = await client.getBalance({ owner, coinType });
  return BigInt(balance.balance);
}

export async function demoAdmin(sandbox: Sandbox): Promise<{ key: Ed25519Keypair; snapsType: string }> {
  const response = await fetch(`${sandbox.faucetUrl}/demo-accounts`);
  const body: { accounts: { secretKey: string }[]; demoCoin: { coinType: string } } = JSON.parse(await response.text());
  return { key: Ed25519Keypair.fromSecretKey(body.accounts[0]?.secretKey ?? ''), snapsType: body.demoCoin.coinType };
}

export async function control(
  sandbox: Sandbox,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${sandbox.faucetUrl}/control`, { method: 'POST', body: JSON.stringify(body), headers });
}
