import { BadgeCheck, CalendarDays } from 'lucide-react';
import { LISTING_DAYS } from '#shared/constants.ts';
import { FEE_SUI } from '../../payments/order-toasts.ts';

export function FeeCard({ isAdmin }: { isAdmin: boolean }) {
  return (
    <aside
      aria-labelledby="listing-fee"
      className="relative flex flex-wrap items-center gap-4 overflow-hidden rounded-xl border border-line bg-overlay p-4 sm:gap-5 sm:p-5"
    >
      <span
        aria-hidden
        className="absolute top-1/2 -start-3 size-6 -translate-y-1/2 rounded-full border border-line bg-surface"
      />
      <span
        aria-hidden
        className="absolute top-1/2 -end-3 size-6 -translate-y-1/2 rounded-full border border-line bg-surface"
      />
      <span className="ms-3 grid size-12 place-items-center rounded-lg bg-raised text-text">
        {isAdmin ? <BadgeCheck aria-hidden size={24} /> : <CalendarDays aria-hidden size={24} />}
      </span>
      <div className="grid min-w-0 flex-[1_1_10rem] gap-0.5 border-s border-dashed border-line-strong/60 ps-4 sm:ps-5">
        <h2 id="listing-fee" className="text-lg">
          {isAdmin ? 'Admin Submission (FREE)' : 'Monthly Listing Fee'}
        </h2>
        <p className="text-muted">
          {isAdmin ? null : <strong className="font-semibold text-text">{FEE_SUI.submit} SUI per month, </strong>}
          displayed for {LISTING_DAYS} days
        </p>
      </div>
    </aside>
  );
}
