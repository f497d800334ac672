/** A site of its own that pays by rule and by key (R79): a pause there stops no other journey. */
import { requestSuiFromFaucetV2 } from '@mysten/sui/faucet';
import { SuiGrpcClient } from '@mysten/sui/grpc';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { coinWithBalance, Transaction } from '@mysten/sui/transactions';
import pg from 'pg';
import { fetchDemoAccounts } from '#shared/testing/demo-accounts.ts';
import { startStack } from '../stack.ts';
import { expect, test as base } from './door.ts';

export const MAX_SNAPS = 60;
const HELD_SNAPS = 1_000n;

interface PayingSite {
  url: string;
  databaseUrl: string;
  snapsOf: (owner: string) => Promise<number>;
}

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

export const test = base.extend<object, { site: PayingSite }>({
  site: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are wanted from this very pattern
    async ({}, use) => {
      const key = new Ed25519Keypair();
      const stack = await startStack({
        PAYOUT_AUTO_MAX_SNAPS: String(MAX_SNAPS),
        PAYOUT_PRIVATE_KEY: key.getSecretKey(),
        E2E_PAYER: key.toSuiAddress(),
      });
      const snapsOf = await fillWallet(stack, key.toSuiAddress());
      await booksChecked(stack.databaseUrl);
      await use({ url: stack.url, databaseUrl: stack.databaseUrl, snapsOf });
      await stack.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  database: async ({ site }, use) => {
    const pool = new pg.Pool({ connectionString: site.databaseUrl, max: 2 });
    await use(pool);
    await pool.end();
  },
});
