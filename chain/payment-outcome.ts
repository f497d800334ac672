import { normalizeStructTag } from '@mysten/sui/utils';
import { isSameAddress, normalizeAddress } from './address.ts';
import type { PaymentTerms } from './payment.ts';
import { CLOCK_SKEW_MS, type ExecutedTransaction } from './transactions.ts';

const SUI = normalizeStructTag('0x2::sui::SUI');
export type PaymentRejection =
  | 'failed_on_chain'
  | 'payer_is_recipient'
  | 'wrong_sender'
  | 'recipient_sponsored_gas'
  | 'too_old'
  | 'amount_too_small'
  | 'not_from_payer';

type PaymentResult =
  | { paid: true; receivedMist: bigint }
  | { paid: false; rejection: PaymentRejection; receivedMist: bigint };

export interface VerifyOptions {
  notBeforeMs?: number;
}

/**
 * Verifies that a final transaction moved at least the amount from payer to recipient in SUI, refunds subtracted, gas
 * aside (R17). Reads only the chain's own record.
 */
export function verifyPayment(
  tx: ExecutedTransaction,
  terms: PaymentTerms,
  options: VerifyOptions = {},
): PaymentResult {
  const { sender: payer, recipient, amountMist } = terms;
  if (!tx.status.success) return { paid: false, rejection: 'failed_on_chain', receivedMist: 0n };
  const netMist = (who: string) => sumMist(suiChanges(tx).filter((change) => isSameAddress(change.address, who)));
  const receivedMist = netMist(recipient);
  const no = (rejection: PaymentRejection): PaymentResult => ({ paid: false, rejection, receivedMist });
  if (isSameAddress(payer, recipient)) return no('payer_is_recipient');
  const { sender, gasData } = tx.transaction;
  if (!sender || !isSameAddress(sender, payer)) return no('wrong_sender');
  const gasOwner = gasData.owner ?? sender;
  if (isSameAddress(gasOwner, recipient)) return no('recipient_sponsored_gas');
  if (tx.timestampMs !== null && tx.timestampMs + CLOCK_SKEW_MS < (options.notBeforeMs ?? 0)) return no('too_old');
  if (receivedMist < amountMist) return no('amount_too_small');
  const gasMist = isSameAddress(gasOwner, payer) ? gasOf(tx) : 0n;
  // The money has to come from the payer's wallet: a sponsor's coins must not list another user's project.
  if (-netMist(payer) - gasMist < amountMist) return no('not_from_payer');
  return { paid: true, receivedMist };
}

type BalanceChange = ExecutedTransaction['balanceChanges'][number];

const suiChanges = (tx: ExecutedTransaction): BalanceChange[] =>
  tx.balanceChanges.filter((change) => normalizeStructTag(change.coinType) === SUI);
const sumMist = (changes: BalanceChange[]): bigint => changes.reduce((sum, { amount }) => sum + BigInt(amount), 0n);

/**
 * True if every MIST that one address lost is another's gain or gas. A node that has not indexed a transaction yet
 * returns none or some of its balance changes, which must not count against a payment.
 */
export function isComplete(tx: ExecutedTransaction): boolean {
  if (!tx.status.success) return true;
  return tx.balanceChanges.length > 0 && sumMist(suiChanges(tx)) === -gasOf(tx);
}

export function payerOf(tx: ExecutedTransaction): string | null {
  const lost = new Map<string, bigint>();
  for (const { address, amount } of suiChanges(tx)) {
    const owner = normalizeAddress(address) ?? address;
    lost.set(owner, (lost.get(owner) ?? 0n) - BigInt(amount));
  }
  const [most] = [...lost].filter(([, amount]) => amount > 0n).toSorted(([, a], [, b]) => (a < b ? 1 : -1));
  return most?.[0] ?? null;
}

function gasOf(tx: ExecutedTransaction): bigint {
  const { computationCost, storageCost, storageRebate } = tx.effects.gasUsed;
  return BigInt(computationCost) + BigInt(storageCost) - BigInt(storageRebate);
}
