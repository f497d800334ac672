import { Send } from 'lucide-react';
import { useState } from 'react';
import { formatSui } from '#shared/money/money.ts';
import { shortenAddress } from '#shared/text/text.ts';
import { api } from '../../../lib/api.ts';
import { needed } from '../../../lib/chunks.ts';
import { session } from '../../../lib/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { loadWallet } from '../../../wallet-gate.ts';
import { useAct } from '../act.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { whenSeen } from './when-seen.ts';

export interface Refund {
  paymentId: string;
  amountMist: bigint;
  recipient: string;
  /** Whether the server verifies the transaction on chain, and so needs its digest. */
  isVerified: boolean;
}

async function sendBack({ recipient, amountMist }: Refund): Promise<string> {
  const sender = session.get().user?.walletAddress ?? '';
  const [{ buildPayment }, wallet] = await Promise.all([needed(import('#chain/payment.ts')), loadWallet()]);
  const { digest } = await wallet.signAndExecute(buildPayment({ sender, recipient, amountMist }));
  return digest;
}

interface RefundDialogProps {
  refund: Refund;
  onClose: () => void;
  send?: (refund: Refund) => Promise<string>;
}

export function RefundDialog({ refund, onClose, send = sendBack }: RefundDialogProps) {
  const { paymentId, amountMist, recipient, isVerified } = refund;
  const [digest, setDigest] = useState('');
  const [error, setError] = useState<string | null>(null);
  const sui = `${formatSui(amountMist)} SUI`;
  const sending = useAct({
    call: () => send(refund),
    done: (sent) => {
      setDigest(sent);
      setError(null);
    },
    failedTitle: 'Refund not sent',
    failed: 'Check your wallet before sending again',
  });
  const { mutate, isPending } = useAct({
    call: (headers, note: string) => {
      const transactionHash = digest.trim();
      const amount = isVerified ? { amountMist: amountMist.toString() } : {};
      const body = {
        resolution: 'refunded' as const,
        note,
        ...amount,
        ...(transactionHash ? { transactionHash } : {}),
      };
      return whenSeen(() => api.resolvePayment({ params: { id: paymentId }, body, headers }));
    },
    done: () => {
      onClose();
      return { title: 'Marked as refunded' };
    },
    failed: 'Failed to settle the payment',
  });
  const busy = isPending ? 'Saving...' : sending.isPending && 'Sending...';
  function submit(note: string): void {
    if (isVerified && digest.trim() === '') setError('Send the refund first, or enter its digest');
    else mutate(note);
  }
  return (
    <ReasonDialog
      title="Mark as refunded"
      description="Send the money back, then record it here. The payer can read your note."
      action="Mark as refunded"
      busy={busy}
      onClose={onClose}
      onSubmit={submit}
    >
      <Field
        label={isVerified ? 'Digest of the refund' : 'Digest of the refund (optional)'}
        hint={`The payer sees ${sui} refunded.`}
        error={error}
      >
        {(control) => (
          <Input
            {...control}
            value={digest}
            onChange={(event) => {
              setDigest(event.target.value);
              setError(null);
            }}
            maxLength={44}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
      {digest.trim() === '' ? (
        <Button
          variant="secondary"
          className="justify-self-start"
          busy={sending.isPending ? 'Sending...' : false}
          onClick={() => sending.mutate()}
        >
          <Send aria-hidden size={18} />
          Send {sui} to {shortenAddress(recipient)}
        </Button>
      ) : null}
    </ReasonDialog>
  );
}
