import { requestSuiFromFaucetV2 } from '@mysten/sui/faucet';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { coinWithBalance, Transaction } from '@mysten/sui/transactions';
import { createSuiClient } from '#chain/client.ts';
import type { LocalChain } from './local-chain.ts';

/** Enough for the withdrawals of a demo; gas for hundreds of payouts. */
const SNAPS = 10_000n;
const ENOUGH_MIST = 1_000_000_000n;
const TIMEOUT_MS = 5_000;

/** Gives the wallet of PAYOUT_PRIVATE_KEY gas, and coins of the demo's admin, when it has few. */
export async function fundPayouts(
  recipient: string,
  { rpcUrl, faucetUrl, demo }: Pick<LocalChain, 'rpcUrl' | 'faucetUrl' | 'demo'>,
): Promise<void> {
  if (demo.coin === undefined || demo.adminSecretKey === undefined) return;
  const client = createSuiClient({ network: 'localnet', url: rpcUrl });
  const held = async (coinType: string): Promise<bigint> => {
    const { balance } = await client.core.getBalance({
      owner: recipient,
      coinType,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return BigInt(balance.balance);
  };
  if ((await held('0x2::sui::SUI')) < ENOUGH_MIST) await requestSuiFromFaucetV2({ host: faucetUrl, recipient });
  const { coinType, decimals } = demo.coin;
  const amount = SNAPS * 10n ** BigInt(decimals);
  if ((await held(coinType)) >= amount / 2n) return;
  const transaction = new Transaction();
  transaction.transferObjects([coinWithBalance({ type: coinType, balance: amount })], recipient);
  await client.signAndExecuteTransaction({ transaction, signer: Ed25519Keypair.fromSecretKey(demo.adminSecretKey) });
}
