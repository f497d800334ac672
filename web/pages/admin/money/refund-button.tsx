import { HandCoins } from 'lucide-react';
import { useState } from 'react';
import type { ListingFee } from '#shared/contract/standing.ts';
import { formatSui, parseMist } from '#shared/money/money.ts';
import { Button } from '../../../ui/button.tsx';
import { type Refund, RefundDialog } from './refund-dialog.tsx';

export function RefundButton({ refund, word, label }: { refund: Refund; word: string; label?: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" aria-label={label} onClick={() => setOpen(true)}>
        <HandCoins aria-hidden size={18} />
        {word}
      </Button>
      {isOpen ? <RefundDialog refund={refund} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** Sends the fee of a hidden listing back, once. */
export function FeeRefund({ fee, name }: { fee: ListingFee | null; name: string }) {
  if (!fee || fee.refundedMist !== null) return null;
  const amountMist = parseMist(fee.amountMist);
  const refund = { paymentId: fee.paymentId, amountMist, recipient: fee.paidBy, isVerified: true };
  return (
    <RefundButton refund={refund} word={`Refund ${formatSui(amountMist)} SUI`} label={`Refund the fee of ${name}`} />
  );
}
