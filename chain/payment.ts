import { bcs } from '@mysten/sui/bcs';
import { Transaction, TransactionDataBuilder } from '@mysten/sui/transactions';
import { isSameAddress } from './address.ts';
import { decodeTransaction, type Programmable, readPure } from './transaction-bytes.ts';

export interface PaymentTerms {
  sender: string;
  recipient: string;
  amountMist: bigint;
}

export function buildPayment({ sender, recipient, amountMist }: PaymentTerms): Transaction {
  const transaction = new Transaction();
  transaction.setSender(sender);
  const coin = transaction.splitCoins(transaction.gas, [amountMist]);
  transaction.transferObjects([coin], recipient);
  return transaction;
}

type PaymentReading = { digest: string; terms: PaymentTerms } | { error: string };

/**
 * Accepts only SUI from the sender's gas coin to one recipient, possibly in several coins, with gas paid by the
 * sender.
 */
export function readPayment(bytes: Uint8Array): PaymentReading {
  const data = decodeTransaction(bytes);
  if (!data) return { error: 'This is not a Sui transaction' };
  const kind = data.kind.ProgrammableTransaction;
  if (!kind) return { error: 'This is not a payment' };
  if (!isSameAddress(data.gasData.owner, data.sender))
    return { error: 'Another wallet pays the gas of this transaction' };
  const transfer = readCommands(kind);
  if (typeof transfer === 'string') return { error: transfer };
  return { digest: TransactionDataBuilder.getDigestFromBytes(bytes), terms: { sender: data.sender, ...transfer } };
}

export function validatePayment(terms: PaymentTerms, agreed: PaymentTerms): string | null {
  if (!isSameAddress(terms.sender, agreed.sender)) return 'The transaction is from another wallet';
  if (!isSameAddress(terms.recipient, agreed.recipient)) return 'The transaction pays another wallet';
  if (terms.amountMist !== agreed.amountMist) return 'The transaction pays another amount';
  return null;
}

function readCommands(kind: Programmable): Omit<PaymentTerms, 'sender'> | string {
  const [split, transfer, ...more] = kind.commands;
  if (!split?.SplitCoins || !transfer?.TransferObjects || more.length > 0) return 'The transaction does more than pay';
  if (!split.SplitCoins.coin.GasCoin) return 'The transaction does not pay in SUI from the gas coin';
  if (kind.inputs.some((input) => !input.Pure)) return 'The transaction uses other objects';
  const amounts = split.SplitCoins.amounts.map((amount) => readPure(kind, amount.Input, bcs.u64()));
  if (!isWholeResult(transfer.TransferObjects.objects, amounts.length))
    return 'The transaction keeps part of the payment';
  const recipient = readPure(kind, transfer.TransferObjects.address.Input, bcs.Address);
  if (recipient === null || amounts.some((amount) => amount === null)) return 'The transaction cannot be read';
  return { recipient, amountMist: amounts.reduce((sum, amount) => sum + BigInt(amount ?? 0), 0n) };
}

type TransferArgument = NonNullable<Programmable['commands'][number]['TransferObjects']>['objects'][number];

function isWholeResult(objects: TransferArgument[], coins: number): boolean {
  if (objects.length !== coins) return false;
  const taken = objects.map((object) => {
    if (object.NestedResult) return object.NestedResult[0] === 0 ? object.NestedResult[1] : -1;
    return object.Result === 0 && coins === 1 ? 0 : -1;
  });
  return new Set(taken).size === coins && taken.every((index) => index >= 0 && index < coins);
}
