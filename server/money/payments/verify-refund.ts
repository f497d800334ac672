import { isSameAddress } from '#chain/address.ts';
import { isComplete, type PaymentRejection, verifyPayment } from '#chain/payment-outcome.ts';
import { formatSui } from '#shared/money/money.ts';
import { payingWallets } from '#server/panel/admin/roles.ts';
import { conflict, invalidField, unavailable } from '#server/kit/http/errors.ts';
import { lookUp } from '#server/chain/our-chain.ts';
import type { Services } from '#server/kit/services.ts';

const REJECTIONS: Record<Exclude<PaymentRejection, 'amount_too_small'>, string> = {
  failed_on_chain: 'This transaction failed on chain',
  wrong_sender: 'This transaction is not from a wallet that pays for this site',
  payer_is_recipient: 'This transaction pays its own sender',
  recipient_sponsored_gas: 'The recipient paid the gas of this transaction',
  not_from_payer: 'The money of this transaction did not come from its sender',
  too_old: 'This transaction is older than the payment',
};

interface Refund {
  digest: string;
  recipient: string;
  amountMist: bigint;
  /** Earlier transactions sent something else. */
  since: Date;
}

/** @throws 400 not sent, 409 not visible on chain yet, 503 */
export async function verifyRefund(services: Services, refund: Refund): Promise<void> {
  const { digest, recipient, amountMist, since } = refund;
  const seen = await lookUp(services, digest);
  if (seen.state === 'invalid') throw invalidField('transactionHash', 'This is not the digest of a transaction');
  if (seen.state === 'unreachable') throw unavailable('chain_unreachable', 'The chain cannot be reached right now');
  const isIndexed = seen.state === 'found' && isComplete(seen.transaction);
  if (!isIndexed) throw conflict('not_found_yet', 'The transaction is not on the chain yet. Try again in a moment.');
  const wallets = await payingWallets(services.db, services.config);
  const from = seen.transaction.transaction.sender ?? '';
  const sender = wallets.find((wallet) => isSameAddress(wallet, from)) ?? services.config.adminWallet;
  const terms = { sender, recipient, amountMist };
  const result = verifyPayment(seen.transaction, terms, { notBeforeMs: since.getTime() });
  if (result.paid) return;
  const message =
    result.rejection === 'amount_too_small'
      ? `This transaction does not send ${formatSui(amountMist)} SUI to the wallet that paid`
      : REJECTIONS[result.rejection];
  throw invalidField('transactionHash', message);
}
