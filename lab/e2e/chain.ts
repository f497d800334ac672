import { requestSuiFromFaucetV2 } from '@mysten/sui/faucet';
import { SuiGrpcClient } from '@mysten/sui/grpc';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { type DemoAccounts, fetchDemoAccounts } from '#shared/testing/demo-accounts.ts';
import { setting } from './setting.ts';

export const sandboxChain = () => new SuiGrpcClient({ network: 'localnet', baseUrl: setting('E2E_RPC_URL') });

export async function balanceMist(owner: string, coinType?: string): Promise<bigint> {
  return BigInt((await sandboxChain().getBalance({ owner, coinType })).balance.balance);
}

export const demoAccounts = (): Promise<DemoAccounts> => fetchDemoAccounts(setting('E2E_FAUCET_URL'));

export async function adminKeypair(): Promise<Ed25519Keypair> {
  const { accounts } = await demoAccounts();
  return Ed25519Keypair.fromSecretKey(accounts[0]?.secretKey ?? '');
}

export async function fundWallet(recipient: string): Promise<void> {
  await requestSuiFromFaucetV2({ host: setting('E2E_FAUCET_URL'), recipient });
}
