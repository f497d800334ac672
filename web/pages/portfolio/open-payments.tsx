import { useQuery } from '@tanstack/react-query';
import { CircleAlert, LoaderCircle } from 'lucide-react';
import { useEffect } from 'react';
import { formatSui, parseMist } from '#shared/money.ts';
import type { Payment } from '#shared/contract/payments.ts';
import { Digest } from '../../components/digest.tsx';
import { resumePayments } from '../../payments/pay.ts';
import { refreshAfterOrder } from '../../payments/use-order.ts';
import { queries } from '../../queries.ts';
import { cn } from '../../ui/class-names.ts';

const POLL_MS = 3_000;
const isOnItsWay = ({ state }: Payment) => state === 'signed' || state === 'paid';
const needsPerson = ({ state }: Payment) => state === 'unclaimed';

const WHAT: Record<Payment['purpose'], string> = { submit: 'New listing', update: 'Update', renew: 'Renewal' };

function OpenPayment({ payment }: { payment: Payment }) {
  const waits = needsPerson(payment);
  const Icon = waits ? CircleAlert : LoaderCircle;
  const amountMist = parseMist(payment.receivedMist ?? payment.amountMist);
  return (
    <li
      className={cn(
        'grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-xl border border-line p-4 sm:p-5',
        waits ? 'bg-warn-soft' : 'bg-accent-soft',
      )}
    >
      <Icon
        aria-hidden
        size={22}
        className={cn('mt-0.5', waits ? 'text-warn' : 'text-link motion-safe:animate-spin')}
      />
      <div className="grid min-w-0 gap-1">
        <p className="font-semibold">
          {waits ? 'This payment needs a review by our team' : 'Payment received, finishing…'}
        </p>
        <p className="text-muted">
          {WHAT[payment.purpose]}
          {payment.projectName ? ` of ${payment.projectName}` : ''}, {formatSui(amountMist)} SUI.{' '}
          {waits ? payment.note : 'You do not have to pay again.'}
        </p>
        {payment.transactionHash ? <Digest digest={payment.transactionHash} className="justify-self-start" /> : null}
      </div>
    </li>
  );
}

/** Payments that are not at their end yet (R16): those on their way are watched, those that need a person are named. */
export function OpenPayments({ userId }: { userId: number }) {
  const { data = [] } = useQuery({
    ...queries.payments(userId),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.some(isOnItsWay) ? POLL_MS : false),
  });
  const onTheirWay = data.filter(isOnItsWay).length;
  useEffect(() => {
    void resumePayments(userId).then((resumed) => (resumed ? refreshAfterOrder() : undefined));
  }, [userId]);
  // What a payment was for has appeared when there is one less on its way.
  useEffect(() => {
    if (onTheirWay > 0) return refreshAfterOrder;
    return undefined;
  }, [onTheirWay]);
  const open = data.filter((payment) => isOnItsWay(payment) || needsPerson(payment));
  if (open.length === 0) return null;
  return (
    <section aria-label="Open payments" aria-live="polite">
      <ul className="grid gap-3">
        {open.map((payment) => (
          <OpenPayment key={payment.paymentId} payment={payment} />
        ))}
      </ul>
    </section>
  );
}
