import { RotateCw } from 'lucide-react';
import { LISTING_DAYS } from '#shared/constants.ts';
import { FEE_SUI } from '../../payments/order-toasts.ts';

/** 'Renew (15 SUI)', on the listing and on the page before the payment. */
export function RenewLabel({ isOver, isFree }: { isOver: boolean; isFree: boolean }) {
  return (
    <>
      <RotateCw aria-hidden size={18} />
      {/* One text: a translator puts spaces between several. */}
      {`Renew${isOver ? ` for ${LISTING_DAYS} Days` : ''} (${isFree ? 'FREE' : `${FEE_SUI.renew} SUI`})`}
    </>
  );
}
