import { DAppKitProvider } from '@mysten/dapp-kit-react';
import { createElement } from 'react';
import type { SiteConfig } from '#shared/contract/site.ts';
import { connectDialogClosed, connectDialogOpen, connectedWallet, type WalletModule } from '../lib/wallet-state.ts';
import { ConnectDialog } from './connect-dialog.tsx';
import { createConnection } from './connection.ts';
import { isUnknownOutcome, isUnsupported } from './errors.ts';
import { createKit } from './kit.ts';
import { createSigning } from './signing.ts';
import { RpcError, type SuiGrpcClient } from '@mysten/sui/grpc';

/** Reverse look-ups of the name service, each address asked once per page (S7.25). Null without a name, or when it cannot be asked. */
function createAddressNames(client: SuiGrpcClient): (address: string) => Promise<string | null> {
  const known = new Map<string, Promise<string | null>>();
  async function lookUp(address: string): Promise<string | null> {
    try {
      return (await client.core.defaultNameServiceName({ address })).data.name;
    } catch (error) {
      if (!(error instanceof RpcError && error.code === 'NOT_FOUND')) console.warn('The name lookup failed', error);
      return null;
    }
  }
  return (address) => {
    const asked = known.get(address) ?? lookUp(address);
    known.set(address, asked);
    return asked;
  };
}

export async function createWalletModule(site: SiteConfig): Promise<WalletModule> {
  let makeOwnCoin: WalletModule['makeOwnCoin'];
  if (site.network === 'localnet') {
    const { registerSandboxWallet } = await import('./sandbox-wallet/register.ts');
    const wallet = registerSandboxWallet({ rpcUrl: site.rpcUrl, faucetUrl: site.faucetUrl });
    makeOwnCoin = () => wallet.makeCoin(connectedWallet.get()?.address ?? '');
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
    ...(makeOwnCoin && { makeOwnCoin }),
    disconnect: connection.disconnect,
    beginConnect: connection.begin,
    signInAgain: connection.signInAgain,
    ConnectDialog: () => {
      const dialog = createElement(ConnectDialog, { flow: connection.flow, network: site.network });
      return createElement(DAppKitProvider, { dAppKit: kit }, dialog);
    },
  };
}
