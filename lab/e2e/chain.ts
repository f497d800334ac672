import { requestSuiFromFaucetV2 } from '@mysten/sui/faucet';
import { SuiGrpcClient } from '@mysten/sui/grpc';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';
import { type DemoAccounts, fetchDemoAccounts } from '#shared/testing/demo-accounts.ts';
import { setting } from './setting.ts';

const GAS_RESERVE_MIST = 1_000_000_000n;

export const sandboxChain = () => new SuiGrpcClient({ network: 'localnet', baseUrl: setting('E2E_RPC_URL') });

export async function balanceMist(owner: string, coinType?: string): Promise<bigint> {
  return BigInt((await sandboxChain().getBalance({ owner, coinType })).balance.balance);
}

export const demoAccounts = (): Promise<DemoAccounts> => fetchDemoAccounts(setting('E2E_FAUCET_URL'));

export async function adminKeypair(): Promise<Ed25519Keypair> {
  const { accounts } = await demoAccounts();
  return Ed25519Keypair.fromSecretKey(accounts[0]?.secretKey ?? '');
}

/** Moves the SUI of a wallet into its address balance (SIP-58), so that no coin object is left. */
export async function emptyCoins(keypair: Ed25519Keypair): Promise<void> {
  const [client, owner] = [sandboxChain(), keypair.toSuiAddress()];
  const read = async () => (await client.getBalance({ owner })).balance;
  const transaction = new Transaction();
  const [most] = transaction.splitCoins(transaction.gas, [BigInt((await read()).coinBalance) - GAS_RESERVE_MIST]);
  transaction.moveCall({
    target: '0x2::coin::send_funds',
    typeArguments: ['0x2::sui::SUI'],
    arguments: [most ?? transaction.gas, transaction.pure.address(owner)],
  });
  transaction.transferObjects([transaction.gas], new Ed25519Keypair().toSuiAddress());
  await client.signAndExecuteTransaction({ transaction, signer: keypair });
  const { coinBalance, addressBalance } = await read();
  if (coinBalance !== '0' || addressBalance === '0') throw new Error('the wallet still has coins');
}

export async function fundWallet(recipient: string): Promise<void> {
  await requestSuiFromFaucetV2({ host: setting('E2E_FAUCET_URL'), recipient });
}
