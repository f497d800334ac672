import { DAppKitProvider } from '@mysten/dapp-kit-react';
import { createElement } from 'react';
import type { SiteConfig } from '#shared/contract/site.ts';
import { connectDialogClosed, connectDialogOpen, type WalletModule } from '../lib/wallet-state.ts';
import { createAddressNames } from './address-name.ts';
import { ConnectDialog } from './connect-dialog.tsx';
import { createConnection } from './connection.ts';
import { isUnknownOutcome, isUnsupported } from './errors.ts';
import { createKit } from './kit.ts';
import { createSigning } from './signing.ts';

/** Builds everything behind the gate for this deployment. Call once. */
export async function createWalletModule(site: SiteConfig): Promise<WalletModule> {
  if (site.network === 'localnet') {
    const { registerSandboxWallet } = await import('./sandbox-wallet/register.ts');
    registerSandboxWallet({ rpcUrl: site.rpcUrl, faucetUrl: site.faucetUrl });
  }
  const kit = createKit(site);
  const connection = createConnection(kit, site.network);
  const signing = createSigning(kit, () => {
    connectDialogOpen.set(true);
    connection.begin();
    return connectDialogClosed();
  });
  return {
    ...signing,
    isUnsupported,
    isUnknownOutcome,
    addressName: createAddressNames(kit.getClient()),
    disconnect: connection.disconnect,
    beginConnect: connection.begin,
    signInAgain: connection.signInAgain,
    ConnectDialog: () => {
      const dialog = createElement(ConnectDialog, { flow: connection.flow, network: site.network });
      return createElement(DAppKitProvider, { dAppKit: kit }, dialog);
    },
  };
}
