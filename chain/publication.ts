import { Transaction } from '@mysten/sui/transactions';
import { normalizeSuiAddress } from '@mysten/sui/utils';
import { decodeTransaction } from './transaction-bytes.ts';

/** The transaction that publishes a coin (R83) and the package of the Book (R97), or one of them. */

/** The framework's packages, the only ones that the modules use. */
const DEPENDENCIES = ['0x1', '0x2'].map((id) => normalizeSuiAddress(id));

export interface Modules {
  /** The coin's module: its `init` makes the coin, and the capability to upgrade it goes to the sender. */
  coin?: Uint8Array | undefined;
  /** The Book's module, which cannot be upgraded. */
  book?: Uint8Array | undefined;
}

export function buildPublication(sender: string, { coin, book }: Modules): Transaction {
  const transaction = new Transaction();
  transaction.setSender(sender);
  const publish = (module: Uint8Array) => transaction.publish({ modules: [[...module]], dependencies: DEPENDENCIES });
  if (coin) transaction.transferObjects([publish(coin)], sender);
  if (book) transaction.moveCall({ target: '0x2::package::make_immutable', arguments: [publish(book)] });
  return transaction;
}

/** The modules that a transaction publishes, each alone in its package, in their order. */
export function publishedModules(bytes: Uint8Array): Uint8Array[] {
  const commands = decodeTransaction(bytes)?.kind.ProgrammableTransaction?.commands ?? [];
  return commands.flatMap(({ Publish }) =>
    (Publish?.modules ?? []).map((module) => Uint8Array.from(atob(module), (char) => char.charCodeAt(0))),
  );
}
