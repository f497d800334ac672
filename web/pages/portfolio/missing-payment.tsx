import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { PAYMENT_MAX_AGE_HOURS } from '#shared/constants.ts';
import type { Payment } from '#shared/contract/payments.ts';
import { formatSui, parseMist } from '#shared/money.ts';
import { api } from '../../api.ts';
import { errorText } from '../../api-error.ts';
import { refreshAfterOrder } from '../../payments/use-order.ts';
import { queries } from '../../queries.ts';
import { serverNow } from '../../server-clock.ts';
import { toast } from '../../toast.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';

const WHAT: Record<Payment['purpose'], string> = { submit: 'New listing', update: 'Update', renew: 'Renewal' };
const isUnpaid = ({ state, createdAt }: Payment) =>
  (state === 'draft' || state === 'expired') && serverNow() - Date.parse(createdAt) < PAYMENT_MAX_AGE_HOURS * 3_600_000;

/** The time first: two orders of one project differ in nothing else, and a phone shows no more than the beginning. */
const nameOf = ({ purpose, projectName, amountMist, createdAt }: Payment): string => {
  const time = new Date(createdAt).toLocaleTimeString(undefined, { timeStyle: 'short' });
  return `${time}, ${WHAT[purpose].toLowerCase()}${projectName ? ` of ${projectName}` : ''}, ${formatSui(parseMist(amountMist))} SUI`;
};

/** Ties a transaction that its payer names to an order of theirs; says in a sentence why not. */
function useClaim(): { claim: (id: string, digest: string) => Promise<void>; busy: boolean; fault: string | null } {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  async function claim(id: string, digest: string): Promise<void> {
    setBusy(true);
    setFault(null);
    try {
      await api.executePayment({ params: { id }, body: { transactionHash: digest } });
      toast({ title: 'Payment received', description: 'What you paid for is being finished.', variant: 'success' });
      refreshAfterOrder();
    } catch (error) {
      setFault(errorText(error, 'The payment could not be looked up. Please try again.'));
    } finally {
      setBusy(false);
    }
  }
  return { claim, busy, fault };
}

/**
 * The last net (R16, R17): a wallet that signs and sends in one step may be closed before its digest reaches this page. Its
 * owner finds the digest in the wallet's history and names it here.
 */
export function MissingPayment({ userId }: { userId: number }) {
  const { data = [] } = useQuery({ ...queries.payments(userId) });
  const [chosen, setChosen] = useState<string | null>(null);
  const [digest, setDigest] = useState('');
  const { claim, busy, fault } = useClaim();
  const unpaid = data.filter(isUnpaid);
  const first = unpaid[0];
  if (!first) return null;
  function submit(event: FormEvent): void {
    event.preventDefault();
    void claim(chosen ?? first?.paymentId ?? '', digest.trim());
  }
  return (
    <details className="panel rounded-xl p-4 sm:p-5">
      <summary className="min-h-11 cursor-pointer content-center font-semibold">Paid, but nothing happened?</summary>
      <form onSubmit={submit} className="mt-4 grid max-w-2xl gap-4">
        <p className="text-muted">
          If your wallet sent a payment that is not shown here, find the transaction in the wallet’s history and paste
          its digest. Nothing is paid again.
        </p>
        <Field label="What the payment was for">
          {(control) => (
            <Select {...control} value={chosen ?? first.paymentId} onChange={(event) => setChosen(event.target.value)}>
              {unpaid.map((payment) => (
                <option key={payment.paymentId} value={payment.paymentId}>
                  {nameOf(payment)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Transaction digest" error={fault}>
          {(control) => (
            <Input
              {...control}
              value={digest}
              onChange={(event) => setDigest(event.target.value)}
              required
              minLength={32}
              maxLength={44}
              pattern="[1-9A-HJ-NP-Za-km-z]+"
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
        <Button type="submit" busy={busy ? 'Looking it up…' : null} className="justify-self-start">
          Find my payment
        </Button>
      </form>
    </details>
  );
}
