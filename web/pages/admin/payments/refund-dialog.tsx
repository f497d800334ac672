import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { formatSui } from '#shared/money.ts';
import { shortenAddress } from '#shared/text.ts';
import { api } from '../../../lib/api.ts';
import { needed } from '../../../lib/chunks.ts';
import { queryClient } from '../../../lib/queries.ts';
import { session } from '../../../lib/session.ts';
import { toast } from '../../../lib/toast.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { loadWallet } from '../../../wallet-gate.ts';
import { adminLists } from '../admin-queries.ts';
import { adminRequest, showFailure } from '../admin-session.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { whenSeen } from '../withdrawals/payout.ts';

/** A payment to be sent back. */
export interface Refund {
  paymentId: string;
  amountMist: bigint;
  /** The wallet that paid. */
  recipient: string;
  /** Whether the server verifies the transaction on chain, and so needs its digest. */
  isVerified: boolean;
}

/** Both lists that offer refunds. */
async function refreshRefunds(): Promise<void> {
  const keys = [adminLists.unclaimed().queryKey, ['/api/admin', 'appeals']];
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** Sends the money from the wallet of the session; resolves to the digest. */
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

/** Sends a refund from the admin's wallet, or takes the digest of one that was sent by hand, and records it. */
export function RefundDialog({ refund, onClose, send = sendBack }: RefundDialogProps) {
  const { paymentId, amountMist, recipient, isVerified } = refund;
  const [digest, setDigest] = useState('');
  const [error, setError] = useState<string | null>(null);
  const sui = `${formatSui(amountMist)} SUI`;
  const sending = useMutation({
    mutationFn: () => send(refund),
    onSuccess: (sent) => {
      setDigest(sent);
      setError(null);
    },
    onError: (failure) => showFailure('Refund not sent', failure, 'Look into your wallet before you send it again'),
  });
  const { mutate, isPending } = useMutation({
    mutationFn: (note: string) => {
      const transactionHash = digest.trim();
      const body = { resolution: 'refunded' as const, note, ...(transactionHash ? { transactionHash } : {}) };
      return whenSeen(() =>
        adminRequest((headers) => api.resolvePayment({ params: { id: paymentId }, body, headers })),
      );
    },
    onSuccess: () => {
      onClose();
      toast({ title: 'Marked as refunded', variant: 'success' });
    },
    onError: (failure) => showFailure('Error', failure, 'Failed to settle the payment'),
    onSettled: refreshRefunds,
  });
  // Nothing closes the dialog before the digest is known.
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
