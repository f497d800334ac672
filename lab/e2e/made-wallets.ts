import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';
import { fromBase64, toBase64 } from '@mysten/sui/utils';
import type { Page } from '@playwright/test';
import { sandboxChain } from './chain.ts';

interface MadeWallet {
  name: string;
  features: readonly ('sui:signPersonalMessage' | 'sui:signTransaction' | 'sui:signAndExecuteTransaction')[];
  icon?: string;
}

const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA4IDgiPjxwYXRoIGZpbGw9IiMxYWEzYjgiIGQ9Ik0wIDBoOHY4SDB6Ii8+PC9zdmc+';

/** Behavior of a wallet that signs and sends in one step; `ownGas`: the wallet chooses its gas, so that the page cannot know the digest. */
export interface Behavior {
  does?: 'tells' | 'closes after sending';
  ownGas?: boolean;
}

interface Globals {
  madeWalletCalls: string[];
  signMadeMessage: (message: string) => Promise<{ bytes: string; signature: string }>;
  signMadeTransaction: (json: string, sends: boolean) => Promise<Record<string, string>>;
}

/** Registers Wallet Standard wallets by a script of the page, all with one real key, which stays outside of the page. */
export async function installWallets(
  page: Page,
  wallets: readonly MadeWallet[],
  { keypair = new Ed25519Keypair(), does = 'tells', ownGas = false }: Behavior & { keypair?: Ed25519Keypair } = {},
): Promise<{ keypair: Ed25519Keypair; sent: string[] }> {
  const sent: string[] = [];
  const client = sandboxChain();
  await page.exposeFunction('signMadeMessage', (message: string) => keypair.signPersonalMessage(fromBase64(message)));
  await page.exposeFunction('signMadeTransaction', async (json: string, sends: boolean) => {
    const transaction = Transaction.from(json);
    if (ownGas) transaction.setGasBudget(BigInt(transaction.getData().gasData.budget ?? 0) + 1_000n);
    const bytes = await transaction.build({ client });
    const signed = await keypair.signTransaction(bytes);
    if (!sends) return signed;
    const result = await client.executeTransaction({
      transaction: bytes,
      signatures: [signed.signature],
      include: { effects: true },
    });
    const { digest, effects } = result.Transaction ?? result.FailedTransaction;
    sent.push(digest);
    if (does === 'closes after sending') throw new Error('The popup was closed by user');
    return { ...signed, digest, effects: toBase64(effects.bcs ?? new Uint8Array()) };
  });
  const made = wallets.map(({ icon = ICON, ...wallet }) => ({ ...wallet, icon }));
  const publicKey = [...keypair.getPublicKey().toRawBytes()];
  await page.addInitScript(registerMadeWallets, { made, address: keypair.toSuiAddress(), publicKey });
  return { keypair, sent };
}

interface Made {
  made: { name: string; icon: string; features: readonly string[] }[];
  address: string;
  publicKey: number[];
}

function registerMadeWallets({ made, address, publicKey }: Made): void {
  const page = globalThis as unknown as Globals;
  page.madeWalletCalls = [];
  const textOf = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
  for (const { name, icon, features: names } of made) {
    const account = { address, publicKey: Uint8Array.from(publicKey), chains: ['sui:localnet'], features: names };
    let accounts: object[] = [];
    const listeners = new Set<(change: object) => void>();
    const methods: Record<string, object> = {
      'sui:signPersonalMessage': {
        version: '1.1.0',
        signPersonalMessage: ({ message }: { message: Uint8Array }) => page.signMadeMessage(textOf(message)),
      },
    };
    for (const [method, sends] of [
      ['signTransaction', false],
      ['signAndExecuteTransaction', true],
    ] as const) {
      methods[`sui:${method}`] = {
        version: '2.0.0',
        [method]: async (input: { transaction: { toJSON: () => Promise<string> }; account: object }) => {
          page.madeWalletCalls.push(method);
          if (input.account !== account) throw new Error('This is not an account of this wallet');
          return page.signMadeTransaction(await input.transaction.toJSON(), sends);
        },
      };
    }
    const features: Record<string, object> = {
      'standard:connect': {
        version: '1.0.0',
        connect: () => {
          accounts = [account];
          for (const listener of listeners) listener({ accounts });
          return Promise.resolve({ accounts });
        },
      },
      'standard:events': {
        version: '1.0.0',
        on: (_event: string, listener: (change: object) => void) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
    };
    for (const feature of names) features[feature] = methods[feature] ?? {};
    const wallet = {
      version: '1.0.0',
      name,
      icon,
      chains: ['sui:localnet'],
      features,
      get accounts() {
        return accounts;
      },
    };
    const register = ({ register: add }: { register: (wallet: object) => void }) => add(wallet);
    dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
    addEventListener('wallet-standard:app-ready', (event) =>
      register((event as CustomEvent<{ register: (wallet: object) => void }>).detail),
    );
  }
}
