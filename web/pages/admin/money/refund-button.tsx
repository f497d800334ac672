import { HandCoins } from 'lucide-react';
import { useState } from 'react';
import type { ListingFee } from '#shared/contract/standing.ts';
import { formatSui, parseMist } from '#shared/money/money.ts';
import { Button } from '../../../ui/button.tsx';
import { RefundDialog } from './refund-dialog.tsx';

/** Sends the fee of a hidden listing back, once. */
export function RefundButton({ fee, name }: { fee: ListingFee | null; name: string }) {
  const [isOpen, setOpen] = useState(false);
  if (!fee || fee.refundedMist !== null) return null;
  const amountMist = parseMist(fee.amountMist);
  const refund = { paymentId: fee.paymentId, amountMist, recipient: fee.paidBy, isVerified: true };
  return (
    <>
      <Button variant="secondary" aria-label={`Refund the fee of ${name}`} onClick={() => setOpen(true)}>
        <HandCoins aria-hidden size={18} />
        Refund {formatSui(amountMist)} SUI
      </Button>
      {isOpen ? <RefundDialog refund={refund} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
