import { useState } from 'react';
import { errorText } from '../lib/api-error.ts';
import { toast } from '../lib/toast.ts';
import { Field, Input } from '../ui/field.tsx';
import { phaseToast } from './order-toasts.ts';
import { recordTransaction } from './pay.ts';
import { refreshAfterOrder } from './refresh.ts';

export function useRecordDigest() {
  const [digest, setDigest] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  async function submit(paymentId: string): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      toast(phaseToast(await recordTransaction(paymentId, digest.trim())));
      refreshAfterOrder();
    } catch (cause) {
      setError(errorText(cause, 'The payment could not be looked up. Please try again.'));
    } finally {
      setBusy(false);
    }
  }
  return { digest, setDigest, busy, error, submit };
}

export function DigestField({ digest, setDigest, error }: ReturnType<typeof useRecordDigest>) {
  return (
    <Field label="Transaction digest" error={error}>
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
  );
}
