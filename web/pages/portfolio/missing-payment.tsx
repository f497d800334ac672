import { isolated } from '#shared/text/isolated.ts';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { PAYMENT_MAX_AGE_HOURS } from '#shared/constants.ts';
import type { Payment } from '#shared/contract/payments.ts';
import { formatSui, parseMist } from '#shared/money/money.ts';
import { DigestField, useRecordDigest } from '../../payments/record-digest.tsx';
import { PURPOSE_TITLES } from '../../payments/order-toasts.ts';
import { queries } from '../../lib/queries.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';

const isUnpaid = ({ state, createdAt }: Payment) =>
  (state === 'draft' || state === 'expired') && serverNow() - Date.parse(createdAt) < PAYMENT_MAX_AGE_HOURS * 3_600_000;

/** Starts with the time: two orders of one project differ in nothing else. */
const nameOf = ({ purpose, projectName, amountMist, createdAt }: Payment): string => {
  const time = new Date(createdAt).toLocaleTimeString(undefined, { timeStyle: 'short' });
  return `${time}, ${PURPOSE_TITLES[purpose].toLowerCase()}${projectName ? ` of ${isolated(projectName)}` : ''}, ${formatSui(parseMist(amountMist))} SUI`;
};

/** A wallet that signs and sends may be closed before its digest reaches this page: its owner enters it here (R16, R17). */
export function MissingPayment({ userId }: { userId: number }) {
  const { data = [] } = useQuery({ ...queries.payments(userId) });
  const [chosen, setChosen] = useState<string | null>(null);
  const recording = useRecordDigest();
  const unpaid = data.filter(isUnpaid);
  const first = unpaid[0];
  if (!first) return null;
  function submit(event: FormEvent): void {
    event.preventDefault();
    void recording.submit(chosen ?? first?.paymentId ?? '');
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
        <DigestField {...recording} />
        <Button type="submit" busy={recording.busy ? 'Looking it up…' : null} className="justify-self-start">
          Find my payment
        </Button>
      </form>
    </details>
  );
}
