import type { UiWalletAccount } from '@mysten/dapp-kit-react';
import { Transaction, TransactionDataBuilder } from '@mysten/sui/transactions';
import { isSameAddress } from '#chain/address.ts';
import { session } from '../lib/session.ts';
import type { SignedTransaction } from '../lib/wallet-state.ts';
import {
  accountNotFound,
  declined,
  isExplicitRejection,
  isUnimplemented,
  isUserRejection,
  noAccount,
  noWallet,
  UnknownOutcomeError,
  UnsupportedFeatureError,
  WalletError,
} from './errors.ts';
import type { Kit } from './kit.ts';
import { SENDS_ONLY } from './send-only.ts';

type Connection = ReturnType<Kit['stores']['$connection']['get']>;

interface Holder<A> {
  name: string;
  features: readonly string[];
  accounts: readonly A[];
}

const FEATURES = {
  signTransaction: ['sui:signTransaction', 'sui:signTransactionBlock'],
  signAndExecuteTransaction: ['sui:signAndExecuteTransaction', 'sui:signAndExecuteTransactionBlock'],
  signPersonalMessage: ['sui:signPersonalMessage'],
} as const;

const LOOK_AFTER_MS = [0, 1_000, 2_000];

/** Some wallets resolve without a signature when their window is closed. */
function requireSignature<T extends { signature: string }>(signed: T | undefined): T {
  if (!signed?.signature) throw new WalletError('The wallet returned no signature. Try again, or use another wallet.');
  return signed;
}

const failedOnChain = (reason: string | undefined) => new WalletError(reason ?? 'The transaction failed on chain.');

/** `address` undefined: the selected account. Throws the errors of S8.4, and when the address is not one of the wallet's (S5.1). */
export function signerFor<A extends { address: string }>(
  connection: { wallet: Holder<A> | null; account: A | null },
  feature: keyof typeof FEATURES,
  address: string | null,
): A {
  const { wallet, account } = connection;
  if (!wallet) throw noWallet();
  if (!account) throw noAccount();
  const isMissing = feature === 'signTransaction' && wallet.features.includes(SENDS_ONLY);
  if (isMissing || !FEATURES[feature].some((name) => wallet.features.includes(name)))
    throw new UnsupportedFeatureError(feature);
  if (address === null || isSameAddress(account.address, address)) return account;
  const other = wallet.accounts.find((candidate) => isSameAddress(candidate.address, address));
  if (!other) throw accountNotFound(address, wallet.name);
  return other;
}

export function createSigning(kit: Kit, connect: () => Promise<void>) {
  const connection = (): Connection => kit.stores.$connection.get();

  /** A running silent reconnect comes first; the kit gives it up after a while. */
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
    // The session's wallet signs, also when the visitor connects another one in between.
    const address = session.get().user?.walletAddress ?? null;
    await restored();
    if (!connection().wallet) await connect();
    const signer = signerFor(connection(), feature, address);
    if (signer.address !== connection().account?.address) kit.switchAccount({ account: signer });
    return signer;
  }

  /** Resolves gas and coins here, so that a payment that cannot work fails before the wallet opens. */
  async function build(transaction: Transaction, sender: string): Promise<{ built: Transaction; digest: string }> {
    transaction.setSenderIfNotSet(sender);
    try {
      const bytes = await transaction.build({ client: kit.getClient() });
      return { built: Transaction.from(bytes), digest: TransactionDataBuilder.getDigestFromBytes(bytes) };
    } catch (cause) {
      if (!(cause instanceof Error) || !/insufficient/i.test(cause.message)) throw cause;
      throw new WalletError('There is not enough SUI in this wallet for the payment and the network fee.', { cause });
    }
  }

  function withClearRejection<T>(feature: keyof typeof FEATURES, response: Promise<T>): Promise<T> {
    return response.catch((error: unknown) => {
      if (isUnimplemented(error)) throw new UnsupportedFeatureError(feature, { cause: error });
      throw isUserRejection(error) ? declined(error) : error;
    });
  }

  /** Wallets that send the transaction unchanged give it this digest; some choose gas themselves, and then the result stays unknown. */
  async function findSent(digest: string, cause: unknown): Promise<string> {
    for (const pauseMs of LOOK_AFTER_MS) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      const found = await kit
        .getClient()
        .core.getTransaction({ digest })
        .catch(() => null);
      if (found?.FailedTransaction) throw failedOnChain(found.FailedTransaction.status.error?.message);
      if (found) return digest;
    }
    throw new UnknownOutcomeError('Your wallet did not report whether it sent the payment.', { cause });
  }

  return {
    async signTransaction(transaction: Transaction): Promise<SignedTransaction> {
      const account = await requireSigner('signTransaction');
      const { built } = await build(transaction, account.address);
      const { bytes, signature } = requireSignature(
        await withClearRejection('signTransaction', kit.signTransaction({ transaction: built, account })),
      );
      return { bytes, signature, address: account.address };
    },

    async signAndExecute(
      transaction: Transaction,
      onAsking: () => void = () => undefined,
    ): Promise<{ digest: string; address: string }> {
      const account = await requireSigner('signAndExecuteTransaction');
      const { address } = account;
      const { built, digest } = await build(transaction, address);
      onAsking();
      const result = await kit.signAndExecuteTransaction({ transaction: built, account }).catch((error: unknown) => {
        if (isUnimplemented(error)) throw new UnsupportedFeatureError('signAndExecuteTransaction', { cause: error });
        if (isExplicitRejection(error)) throw declined(error);
        return error instanceof Error ? error : new Error('The wallet gave no reason', { cause: error });
      });
      if (result instanceof Error) return { digest: await findSent(digest, result), address };
      if (result.FailedTransaction) throw failedOnChain(result.FailedTransaction.status.error?.message);
      return { digest: result.Transaction.digest, address };
    },

    async signPersonalMessage(text: string): Promise<{ signature: string; address: string }> {
      const account = await requireSigner('signPersonalMessage');
      const message = new TextEncoder().encode(text);
      const { signature } = requireSignature(
        await withClearRejection('signPersonalMessage', kit.signPersonalMessage({ message, account })),
      );
      return { signature, address: account.address };
    },
  };
}
