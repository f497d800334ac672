import { bcs } from '@mysten/sui/bcs';
import { Transaction, TransactionDataBuilder } from '@mysten/sui/transactions';
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils';
import { isSameAddress } from './address.ts';
import type { ExecutedTransaction } from './transactions.ts';
import { decodeTransaction, type Programmable, readPure } from './transaction-bytes.ts';

/** The transaction that makes a coin (R83): it publishes one module, whose `init` makes the coin, and nothing else. */

const COIN = '::snaps::SNAPS';
/** The framework's packages, the only ones that the module may use. */
const DEPENDENCIES = ['0x1', '0x2'].map((id) => normalizeSuiAddress(id));

export function buildPublication({ sender, module }: { sender: string; module: Uint8Array }): Transaction {
  const transaction = new Transaction();
  transaction.setSender(sender);
  const cap = transaction.publish({ modules: [[...module]], dependencies: DEPENDENCIES });
  transaction.transferObjects([cap], sender);
  return transaction;
}

/** The built transaction again, for a wallet to sign: it keeps its gas and its bytes. */
export const rebuild = (bytes: Uint8Array): Transaction => Transaction.from(bytes);

export interface Publication {
  digest: string;
  sender: string;
  module: Uint8Array;
}

/** Accepts only one module on top of the framework, with the capability to upgrade it and the gas at the sender. */
export function readPublication(bytes: Uint8Array): Publication | { error: string } {
  const data = decodeTransaction(bytes);
  const kind = data?.kind.ProgrammableTransaction;
  if (!data || !kind) return { error: 'This is not a Sui transaction' };
  if (!isSameAddress(data.gasData.owner, data.sender))
    return { error: 'Another wallet pays the gas of this transaction' };
  const module = readCommands(kind, data.sender);
  if (typeof module === 'string') return { error: module };
  return { digest: TransactionDataBuilder.getDigestFromBytes(bytes), sender: data.sender, module };
}

function readCommands(kind: Programmable, sender: string): Uint8Array | string {
  const [first, second, ...more] = kind.commands;
  const [publish, transfer] = [first?.Publish, second?.TransferObjects];
  if (!publish || !transfer || more.length > 0) return 'The transaction does more, or less, than publish a coin';
  const [module, ...others] = publish.modules;
  if (module === undefined || others.length > 0) return 'The transaction publishes more than one module';
  if (
    publish.dependencies.length !== DEPENDENCIES.length ||
    !DEPENDENCIES.every((id) => publish.dependencies.includes(id))
  )
    return 'The transaction uses other packages';
  const [object, ...rest] = transfer.objects;
  const isCap = object?.Result === 0 || (object?.NestedResult?.[0] === 0 && object.NestedResult[1] === 0);
  const recipient = readPure(kind, transfer.address.Input, bcs.Address);
  if (!isCap || rest.length > 0 || recipient === null || !isSameAddress(recipient, sender))
    return 'The capability to upgrade does not go to the wallet that publishes';
  if (kind.inputs.some((input) => !input.Pure)) return 'The transaction uses other objects';
  return Uint8Array.from(atob(module), (char) => char.charCodeAt(0));
}

/** The coin that a publication made: the one in which the sender got the first supply. */
export function coinMadeBy({ status, transaction, balanceChanges }: ExecutedTransaction): string | null {
  const made = balanceChanges.filter(
    ({ address, coinType, amount }) =>
      isSameAddress(address, transaction.sender ?? '') && coinType.endsWith(COIN) && BigInt(amount) > 0n,
  );
  const [coin, ...more] = made;
  return status.success && coin && more.length === 0 ? normalizeStructTag(coin.coinType) : null;
}
