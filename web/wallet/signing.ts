import type { UiWalletAccount } from '@mysten/dapp-kit-react';
import { Transaction } from '@mysten/sui/transactions';
import { isSameAddress } from '#chain/address.ts';
import { session } from '../session.ts';
import type { SignedTransaction } from '../wallet-state.ts';
import { accountNotFound, declined, isRefusal, noAccount, noWallet, unsupported, WalletError } from './errors.ts';
import type { Kit } from './kit.ts';

type Connection = ReturnType<Kit['stores']['$connection']['get']>;

interface Holder<A> {
  name: string;
  features: readonly string[];
  accounts: readonly A[];
}

/** Names of a feature and of the older one that does the same. */
const FEATURES = {
  signTransaction: ['sui:signTransaction', 'sui:signTransactionBlock'],
  signAndExecuteTransaction: ['sui:signAndExecuteTransaction', 'sui:signAndExecuteTransactionBlock'],
  signPersonalMessage: ['sui:signPersonalMessage'],
} as const;

/**
 * The account that has to sign: the given address, or the selected account where none is asked for. Throws the errors of
 * S8.4 when there is no wallet, no account, no such feature, or when the address is not one of the wallet's (S5.1).
 */
export function signerFor<A extends { address: string }>(
  connection: { wallet: Holder<A> | null; account: A | null },
  feature: keyof typeof FEATURES,
  address: string | null,
): A {
  const { wallet, account } = connection;
  if (!wallet) throw noWallet();
  if (!account) throw noAccount();
  if (!FEATURES[feature].some((name) => wallet.features.includes(name))) throw unsupported(feature);
  if (address === null || isSameAddress(account.address, address)) return account;
  const other = wallet.accounts.find((candidate) => isSameAddress(candidate.address, address));
  if (!other) throw accountNotFound(address, wallet.name);
  return other;
}

/** `connect` shows the dialog and resolves when it is closed, whatever the visitor did there. */
export function createSigning(kit: Kit, connect: () => Promise<void>) {
  const connection = (): Connection => kit.stores.$connection.get();

  /** A silent reconnect that is under way comes first; the kit gives it up by itself. */
  function restored(): Promise<void> {
    return new Promise((resolve) => {
      if (!connection().isReconnecting) return resolve();
      const unlisten = kit.stores.$connection.listen(({ isReconnecting }) => {
        if (isReconnecting) return;
        unlisten();
        resolve();
      });
    });
  }

  async function requireSigner(feature: keyof typeof FEATURES): Promise<UiWalletAccount> {
    // The session's wallet signs, also when the visitor connects another one meanwhile.
    const address = session.get().user?.walletAddress ?? null;
    await restored();
    if (!connection().wallet) await connect();
    const signer = signerFor(connection(), feature, address);
    if (signer.address !== connection().account?.address) kit.switchAccount({ account: signer });
    return signer;
  }

  /** Resolves gas and coins here, so that a payment that cannot work fails before the wallet opens. */
  async function build(transaction: Transaction, sender: string): Promise<Transaction> {
    transaction.setSenderIfNotSet(sender);
    try {
      return Transaction.from(await transaction.build({ client: kit.getClient() }));
    } catch (cause) {
      if (!(cause instanceof Error) || !/insufficient/i.test(cause.message)) throw cause;
      throw new WalletError('There is not enough SUI in this wallet for the payment and the network fee.', { cause });
    }
  }

  /** One message for a refusal, whatever the wallet calls it. */
  function answered<T>(answer: Promise<T>): Promise<T> {
    return answer.catch((error: unknown) => {
      throw isRefusal(error) ? declined(error) : error;
    });
  }

  return {
    async signTransaction(transaction: Transaction): Promise<SignedTransaction> {
      const account = await requireSigner('signTransaction');
      const built = await build(transaction, account.address);
      const { bytes, signature } = await answered(kit.signTransaction({ transaction: built, account }));
      return { bytes, signature, address: account.address };
    },

    async signAndExecute(transaction: Transaction): Promise<{ digest: string; address: string }> {
      const account = await requireSigner('signAndExecuteTransaction');
      const built = await build(transaction, account.address);
      const result = await answered(kit.signAndExecuteTransaction({ transaction: built, account }));
      if (result.FailedTransaction) {
        throw new WalletError(result.FailedTransaction.status.error?.message ?? 'The transaction failed on chain.');
      }
      return { digest: result.Transaction.digest, address: account.address };
    },

    async signPersonalMessage(text: string): Promise<{ signature: string; address: string }> {
      const account = await requireSigner('signPersonalMessage');
      const message = new TextEncoder().encode(text);
      const { signature } = await answered(kit.signPersonalMessage({ message, account }));
      return { signature, address: account.address };
    },
  };
}
