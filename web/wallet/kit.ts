import { createDAppKit } from '@mysten/dapp-kit-react';
import type { SuiGrpcClient } from '@mysten/sui/grpc';
import { createSuiClient } from '#chain/client.ts';
import type { SiteConfig } from '#shared/contract/site.ts';
import { type SuiNetwork, WALLET_CONNECTION_KEY } from '#shared/constants.ts';
import { readStored, writeStored } from '../lib/storage.ts';
import { listSendOnlyWallets } from './send-only.ts';

/** The kit's storage, which must not fail where local storage does (S8.22). */
const storage = {
  getItem: readStored,
  setItem: (key: string, value: string) => writeStored(key, value),
  removeItem: (key: string) => writeStored(key, null),
};

/** Extensions register within moments; a payment waits no longer than this for the silent reconnect. */
const AUTO_CONNECT_TIMEOUT_MS = 2_000;

/** The wallet kit for the one network of this deployment (R21, R22), with the wallets that sign only what they send (R17). */
export function createKit(site: Pick<SiteConfig, 'network' | 'rpcUrl' | 'autoConnect'>) {
  listSendOnlyWallets();
  return createDAppKit<SuiNetwork[], SuiGrpcClient>({
    networks: [site.network],
    createClient: (network) => createSuiClient({ network, url: site.rpcUrl }),
    autoConnect: site.autoConnect,
    autoConnectTimeout: AUTO_CONNECT_TIMEOUT_MS,
    storage,
    storageKey: WALLET_CONNECTION_KEY,
    // Slush on the web knows the public networks only.
    slushWalletConfig: site.network === 'localnet' ? null : { appName: 'Snapswipe' },
  });
}

export type Kit = ReturnType<typeof createKit>;

declare module '@mysten/dapp-kit-react' {
  interface Register {
    dAppKit: Kit;
  }
}
