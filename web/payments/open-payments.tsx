import { isolated } from '#shared/text/isolated.ts';
import { CircleAlert, CircleHelp, LoaderCircle, type LucideIcon, Send } from 'lucide-react';
import { useState } from 'react';
import { formatSui, parseMist } from '#shared/money/money.ts';
import { Digest } from '../components/values/digest.tsx';
import { toast } from '../lib/toast.ts';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/class-names.ts';
import { DigestField, useRecordDigest } from './record-digest.tsx';
import { ORDER_FACTS, type OrderPhase, type OrderView } from './open-phases.ts';
import { PURPOSE_TITLES } from './order-toasts.ts';
import { cancelPayment, resumePayments } from './pay.ts';
import { refreshAfterOrder } from './refresh.ts';
import { useOrderWatch } from './use-open-orders.ts';
import { toastError } from '../lib/toast-error.ts';

interface Look {
  Icon: LucideIcon;
  box: string;
  icon: string;
}

const WAITING: Look = { Icon: LoaderCircle, box: 'bg-raised', icon: 'text-muted motion-safe:animate-spin' };
const LOOKS: Partial<Record<OrderPhase, Look>> = {
  unknown: { Icon: CircleHelp, box: 'bg-raised', icon: 'text-text' },
  unsent: { Icon: Send, box: 'bg-raised', icon: 'text-text' },
  looking: WAITING,
  received: WAITING,
  review: { Icon: CircleAlert, box: 'bg-raised', icon: 'text-text' },
};

function useAction(): { busy: string | null; run: (name: string, work: () => Promise<unknown>) => void } {
  const [busy, setBusy] = useState<string | null>(null);
  function run(name: string, work: () => Promise<unknown>): void {
    setBusy(name);
    work()
      .catch((error: unknown) => toastError('Error', error, 'That did not work. Please try again.'))
      .finally(() => {
        setBusy(null);
        refreshAfterOrder();
      });
  }
  return { busy, run };
}

function RecordDigest({ paymentId }: { paymentId: string }) {
  const recording = useRecordDigest();
  return (
    <form
      className="mt-2 grid max-w-xl gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void recording.submit(paymentId);
      }}
    >
      <DigestField {...recording} />
      <Button type="submit" busy={recording.busy ? 'Looking it up…' : null} className="justify-self-start">
        Find my payment
      </Button>
    </form>
  );
}

function Actions({ view, userId }: { view: OrderView; userId: number }) {
  const { busy, run } = useAction();
  const { actions, paymentId } = view;
  return (
    <>
      {actions.includes('name') ? <RecordDigest paymentId={paymentId} /> : null}
      <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
        {actions.includes('send') ? (
          <Button
            disabled={busy !== null}
            busy={busy === 'send' ? 'Sending…' : null}
            onClick={() => run('send', () => resumePayments(userId))}
          >
            Send again
          </Button>
        ) : null}
        {actions.includes('cancel') ? (
          <Button
            variant="secondary"
            disabled={busy !== null}
            busy={busy === 'cancel' ? 'Cancelling…' : null}
            onClick={() =>
              run('cancel', async () => {
                await cancelPayment(paymentId);
                toast({ title: 'Payment cancelled', description: 'Nothing was paid, and nothing will be.' });
              })
            }
          >
            {view.phase === 'unknown' ? 'It was not sent' : 'Cancel payment'}
          </Button>
        ) : null}
      </div>
    </>
  );
}

function OpenPayment({ view, look, userId }: { view: OrderView; look: Look; userId: number }) {
  const { title, text } = ORDER_FACTS[view.phase];
  const what = view.purpose === null ? 'Payment' : PURPOSE_TITLES[view.purpose];
  return (
    <li className={cn('grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-xl border border-line p-4 sm:p-5', look.box)}>
      <look.Icon aria-hidden size={22} className={cn('mt-0.5', look.icon)} />
      <div className="grid min-w-0 gap-1">
        <p className="font-semibold">{title}</p>
        <p className="break-words text-muted">
          {what}
          {view.name ? ` of ${isolated(view.name)}` : ''}, {formatSui(parseMist(view.amountMist))} SUI.{' '}
          {view.note ?? text}
        </p>
        {view.transactionHash ? <Digest digest={view.transactionHash} className="justify-self-start" /> : null}
        <Actions view={view} userId={userId} />
      </div>
    </li>
  );
}

/** Unfinished payments (R16). `always` adds those that only the server knows, and those that wait for a review. */
export function OpenPayments({
  userId,
  always = false,
  className,
}: {
  userId: number;
  always?: boolean;
  className?: string;
}) {
  const views = useOrderWatch(userId, always);
  const open = views.flatMap((view) => {
    const look = LOOKS[view.phase];
    return look ? [{ view, look }] : [];
  });
  if (open.length === 0) return null;
  return (
    <section aria-label="Open payments" aria-live="polite" className={className}>
      <ul className="grid gap-3">
        {open.map(({ view, look }) => (
          <OpenPayment key={view.paymentId} view={view} look={look} userId={userId} />
        ))}
      </ul>
    </section>
  );
}
