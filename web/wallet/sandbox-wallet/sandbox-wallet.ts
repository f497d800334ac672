import type { SuiGrpcClient } from '@mysten/sui/grpc';
import { Transaction } from '@mysten/sui/transactions';
import { toBase64 } from '@mysten/sui/utils';
import {
  type IdentifierArray,
  ReadonlyWalletAccount,
  type StandardConnectMethod,
  type StandardEventsListeners,
  type StandardEventsOnMethod,
  type SuiSignAndExecuteTransactionMethod,
  type SuiSignPersonalMessageMethod,
  type SuiSignTransactionInput,
  type SuiSignTransactionMethod,
  type SuiWalletFeatures,
  type Wallet,
  WALLET_STANDARD_ERROR__USER__REQUEST_REJECTED,
  WalletStandardError,
} from '@mysten/wallet-standard';
import type { Ask } from './approvals.ts';
import { type DemoAccount, summarize } from './chain-access.ts';
import { SANDBOX_ICON } from './icon.ts';
import type { Keyring } from './keyring.ts';
import { coinIn, publishOwnCoin } from './own-coin.ts';

const CHAINS: IdentifierArray = ['sui:localnet'];
const SIGNING = ['sui:signPersonalMessage', 'sui:signTransaction', 'sui:signAndExecuteTransaction'] as const;

interface SandboxWalletParts {
  keyring: Keyring;
  client: SuiGrpcClient;
  ask: Ask;
  fund: (address: string) => Promise<void>;
  demoAccounts: () => Promise<DemoAccount[]>;
  balances: (address: string) => Promise<string>;
}

const rejected = () => new WalletStandardError(WALLET_STANDARD_ERROR__USER__REQUEST_REJECTED);

/** A wallet of the page itself, for the local network: everything can be tried without an extension. Speaks Wallet Standard like any other. */
export class SandboxWallet implements Wallet {
  readonly version = '1.0.0';
  readonly name = 'Sandbox Wallet';
  readonly icon = SANDBOX_ICON;
  readonly chains = CHAINS;
  readonly #parts: SandboxWalletParts;
  readonly #listeners = new Set<StandardEventsListeners['change']>();
  #accounts: ReadonlyWalletAccount[] = [];

  constructor(parts: SandboxWalletParts) {
    this.#parts = parts;
    this.#readAccounts();
  }

  get accounts(): readonly ReadonlyWalletAccount[] {
    return this.#accounts;
  }

  get features(): SuiWalletFeatures {
    return {
      'standard:connect': { version: '1.0.0', connect: this.#connect },
      'standard:disconnect': { version: '1.0.0', disconnect: this.#disconnect },
      'standard:events': { version: '1.0.0', on: this.#on },
      'sui:signPersonalMessage': { version: '1.1.0', signPersonalMessage: this.#signPersonalMessage },
      'sui:signTransaction': { version: '2.0.0', signTransaction: this.#signTransaction },
      'sui:signAndExecuteTransaction': { version: '2.0.0', signAndExecuteTransaction: this.#signAndExecute },
    };
  }

  #readAccounts(): void {
    const { keyring } = this.#parts;
    this.#accounts = keyring.authorized().flatMap(({ address, label }) => {
      const publicKey = keyring.keypair(address)?.getPublicKey().toRawBytes();
      return publicKey
        ? [new ReadonlyWalletAccount({ address, label, publicKey, chains: CHAINS, features: SIGNING })]
        : [];
    });
  }

  #changed(): void {
    this.#readAccounts();
    for (const listener of this.#listeners) listener({ accounts: this.#accounts });
  }

  #on: StandardEventsOnMethod = (_event, listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #connect: StandardConnectMethod = async (input) => {
    const { keyring, ask, fund, demoAccounts, balances } = this.#parts;
    if (input?.silent) return { accounts: this.#accounts };
    const offered = await demoAccounts();
    const [admin = null, ...people] = offered;
    if (keyring.list().length === 0) keyring.add(undefined, people.length > 0 ? 'New' : undefined);
    const kept = keyring.list();
    const others = people.filter((one) => !kept.some(({ address }) => address === one.address));
    const approval = await ask({
      kind: 'connect',
      balances,
      accounts: [...kept, ...others],
      chosen: keyring.authorized()[0]?.address ?? kept[0]?.address ?? '',
      admin,
      addAccount: keyring.add,
    });
    if (!approval) throw rejected();
    const chosen = offered.find(({ address }) => address === approval.address);
    if (chosen) keyring.add(chosen.secretKey, chosen.label);
    keyring.authorize(approval.address);
    this.#changed();
    void fund(approval.address);
    return { accounts: this.#accounts };
  };

  #disconnect = async (): Promise<void> => {
    this.#parts.keyring.clearChoice();
    this.#changed();
  };

  #signer(address: string) {
    const keypair = this.#parts.keyring.keypair(address);
    const account = this.#parts.keyring.authorized().find((one) => one.address === address);
    if (!keypair || !account) throw new Error('This account is not connected.');
    return { keypair, account };
  }

  #signPersonalMessage: SuiSignPersonalMessageMethod = async ({ message, account: { address } }) => {
    const { keypair, account } = this.#signer(address);
    const text = new TextDecoder().decode(message);
    const { ask, balances } = this.#parts;
    if (!(await ask({ kind: 'message', account, text, balances }))) throw rejected();
    return keypair.signPersonalMessage(message);
  };

  async #approve({ transaction, account: { address }, signal }: SuiSignTransactionInput, sends: boolean) {
    signal?.throwIfAborted();
    const { client, ask, fund, balances } = this.#parts;
    const { keypair, account } = this.#signer(address);
    await fund(address);
    const bytes = await Transaction.from(await transaction.toJSON()).build({ client });
    const summary = await summarize(client, bytes, address);
    if (!(await ask({ kind: 'transaction', account, summary, sends, balances }))) throw rejected();
    return { bytes, signed: await keypair.signTransaction(bytes) };
  }

  async makeCoin(address: string): Promise<string> {
    const { client } = this.#parts;
    const account = this.#accounts.find((one) => one.address === address);
    if (!account) throw new Error('This account is not connected.');
    const transaction = publishOwnCoin(address);
    const { bytes, signed } = await this.#approve({ transaction, account, chain: 'sui:localnet' }, true);
    const result = await client.executeTransaction({
      transaction: bytes,
      signatures: [signed.signature],
      include: { objectTypes: true },
    });
    const coinType = result.Transaction && coinIn(result.Transaction.objectTypes);
    if (!coinType) throw new Error('The chain did not publish the coin.');
    return coinType;
  }

  #signTransaction: SuiSignTransactionMethod = async (input) => (await this.#approve(input, false)).signed;

  #signAndExecute: SuiSignAndExecuteTransactionMethod = async (input) => {
    const { bytes, signed } = await this.#approve(input, true);
    const result = await this.#parts.client.executeTransaction({
      transaction: bytes,
      signatures: [signed.signature],
      include: { effects: true },
    });
    const { digest, effects } = result.Transaction ?? result.FailedTransaction;
    if (effects.bcs === null) throw new Error('The chain responded without effects.');
    return { ...signed, digest, effects: toBase64(effects.bcs) };
  };
}
