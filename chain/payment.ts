import { Transaction, TransactionDataBuilder } from '@mysten/sui/transactions';
import { isSameAddress } from './address.ts';
import { type Delivery, readFlow, SUI } from './money-flow.ts';
import { decodeTransaction, type Life, lifeOf } from './transaction-bytes.ts';

export interface PaymentTerms {
  sender: string;
  recipient: string;
  amountMist: bigint;
}

/** The SDK takes the amount from the address balance or, where that is too small, from the gas coin. */
export function buildPayment({ sender, recipient, amountMist }: PaymentTerms): Transaction {
  const transaction = new Transaction();
  transaction.setSender(sender);
  transaction.transferObjects([transaction.coin({ balance: amountMist })], recipient);
  return transaction;
}

type PaymentReading = { digest: string; terms: PaymentTerms } | { error: string };

/**
 * Accepts only SUI from the sender to one recipient, from coins and from the address balance, to either, possibly in
 * several parts, with gas paid by the sender.
 */
export function readPayment(bytes: Uint8Array): PaymentReading {
  const data = decodeTransaction(bytes);
  if (!data) return { error: 'This is not a Sui transaction' };
  const kind = data.kind.ProgrammableTransaction;
  if (!kind) return { error: 'This is not a payment' };
  if (!isSameAddress(data.gasData.owner, data.sender))
    return { error: 'Another wallet pays the gas of this transaction' };
  const flow = readFlow(kind, data.sender);
  if (typeof flow === 'string') return { error: flow };
  if (flow.unnamedCoinIds.length > 0) return { error: 'The transaction uses other objects' };
  const transfer = toOneWallet(flow.deliveries);
  if (typeof transfer === 'string') return { error: transfer };
  const endless = endlessness(lifeOf(data));
  if (endless !== null) return { error: endless };
  return { digest: TransactionDataBuilder.getDigestFromBytes(bytes), terms: { sender: data.sender, ...transfer } };
}

function toOneWallet(deliveries: readonly Delivery[]): Omit<PaymentTerms, 'sender'> | string {
  const [first] = deliveries;
  if (!first) return 'This is not a payment';
  if (deliveries.some(({ coinType }) => coinType !== SUI)) return 'The transaction does not pay in SUI';
  if (deliveries.some(({ address }) => !isSameAddress(address, first.address)))
    return 'The transaction pays more than one wallet';
  return { recipient: first.address, amountMist: deliveries.reduce((sum, { amountUnits }) => sum + amountUnits, 0n) };
}

/** Nodes reject it, because it could be executed again and again. */
export function endlessness({ spends, lastEpoch, chainId }: Life): string | null {
  if (spends.length > 0 || (lastEpoch !== null && chainId !== null)) return null;
  return 'The transaction spends no coin, so it has to name its chain and its last epoch';
}

export function validatePayment(terms: PaymentTerms, agreed: PaymentTerms): string | null {
  if (!isSameAddress(terms.sender, agreed.sender)) return 'The transaction is from another wallet';
  if (!isSameAddress(terms.recipient, agreed.recipient)) return 'The transaction pays another wallet';
  if (terms.amountMist !== agreed.amountMist) return 'The transaction pays another amount';
  return null;
}
