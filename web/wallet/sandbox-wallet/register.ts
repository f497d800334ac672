import { getWallets } from '@mysten/wallet-standard';
import { createSuiClient } from '#chain/client.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import { askInPage } from './ask-in-page.tsx';
import { inOrder } from './approvals.ts';
import { createBalances, createFunding, fetchDemoAccounts } from './chain-access.ts';
import { createKeyring } from './keyring.ts';
import { SandboxWallet } from './sandbox-wallet.ts';

const STORAGE_KEY = 'snapswipe_sandbox_wallet';

export function registerSandboxWallet({
  rpcUrl,
  faucetUrl,
}: {
  rpcUrl: string;
  faucetUrl: string | null;
}): SandboxWallet {
  const client = createSuiClient({ network: 'localnet', url: rpcUrl });
  const keyring = createKeyring({
    read: () => readStored(STORAGE_KEY),
    write: (text) => writeStored(STORAGE_KEY, text),
  });
  const fund = createFunding(client, faucetUrl);
  const demoAccounts = () => fetchDemoAccounts(faucetUrl);
  const wallet = new SandboxWallet({
    keyring,
    client,
    ask: inOrder(askInPage),
    fund,
    demoAccounts,
    balances: createBalances(client),
  });
  getWallets().register(wallet);
  return wallet;
}
