/** A site of its own that pays by rule and by key (R79): a pause there stops no other journey. */
import { requestSuiFromFaucetV2 } from '@mysten/sui/faucet';
import { SuiGrpcClient } from '@mysten/sui/grpc';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { coinWithBalance, Transaction } from '@mysten/sui/transactions';
import pg from 'pg';
import { fetchDemoAccounts } from '#shared/testing/demo-accounts.ts';
import { expect } from './door.ts';
import { onOwnSite } from './own-site.ts';

/** What the demo's voter has. */
export const MAX_SNAPS = 360;
const HELD_SNAPS = 1_000n;

async function fillWallet(site: { rpcUrl: string; faucetUrl: string }, recipient: string) {
  const { accounts, demoCoin } = await fetchDemoAccounts(site.faucetUrl);
  const treasury = Ed25519Keypair.fromSecretKey(accounts[0]?.secretKey ?? '');
  const sender = treasury.toSuiAddress();
  const sui = new SuiGrpcClient({ network: 'localnet', baseUrl: site.rpcUrl });
  await requestSuiFromFaucetV2({ host: site.faucetUrl, recipient });
  await requestSuiFromFaucetV2({ host: site.faucetUrl, recipient: sender });
  const unit = 10n ** BigInt(demoCoin.decimals);
  const { coinType } = demoCoin;
  const transaction = new Transaction();
  transaction.setSender(sender);
  transaction.transferObjects([coinWithBalance({ type: coinType, balance: HELD_SNAPS * unit })], recipient);
  const bytes = await transaction.build({ client: sui });
  const { signature } = await treasury.signTransaction(bytes);
  const sent = await sui.core.executeTransaction({ transaction: bytes, signatures: [signature] });
  expect(sent.$kind).toBe('Transaction');
  return async (owner: string) =>
    Number(BigInt((await sui.core.getBalance({ owner, coinType })).balance.balance) / unit);
}

/** The rule approves nothing before the books of a new site were checked, which takes a busy machine longer than a visit. */
async function booksChecked(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await expect
    .poll(async () => (await client.query('SELECT differences FROM invariant_runs')).rows, { timeout: 120_000 })
    .toEqual([{ differences: 0 }]);
  await client.end();
}

const key = new Ed25519Keypair();

export const test = onOwnSite(
  {
    PAYOUT_AUTO_MAX_SNAPS: String(MAX_SNAPS),
    PAYOUT_PRIVATE_KEY: key.getSecretKey(),
    E2E_PAYER: key.toSuiAddress(),
  },
  async (stack) => {
    const snapsOf = await fillWallet(stack, key.toSuiAddress());
    await booksChecked(stack.databaseUrl);
    return { snapsOf };
  },
);
