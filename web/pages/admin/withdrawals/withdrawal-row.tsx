import { useMutation } from '@tanstack/react-query';
import { Ban, Check } from 'lucide-react';
import { useState } from 'react';
import type { AdminWithdrawal } from '#shared/contract/admin.ts';
import { isAllowed } from '#shared/states/move.ts';
import { WITHDRAWAL_MOVES } from '#shared/states/withdrawal.ts';
import { shortenAddress } from '#shared/text.ts';
import { api } from '../../../lib/api.ts';
import { Digest } from '../../../components/values/digest.tsx';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { SnapCoin } from '../../../components/values/snap-coin.tsx';
import { WithdrawalStateBadge } from '../../../components/values/withdrawal-state.tsx';
import { toast } from '../../../lib/toast.ts';
import { Button } from '../../../ui/button.tsx';
import { refreshQueue } from '../admin-queries.ts';
import { adminRequest, showFailure } from '../admin-session.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { Risk } from './risk.tsx';

const approve = (id: number) => adminRequest((headers) => api.approveWithdrawal({ params: { id }, headers }));
const reject = (id: number, reason: string) =>
  adminRequest((headers) => api.rejectWithdrawal({ params: { id }, body: { reason }, headers }));

function Facts({ withdrawal }: { withdrawal: AdminWithdrawal }) {
  const { id, tokenAmount, walletAddress, username, createdAt, digest, reason, state, risk } = withdrawal;
  return (
    <div className="grid min-w-0 flex-1 basis-64 gap-1">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="inline-flex items-center gap-1.5 text-lg font-semibold">
          <SnapCoin className="size-5" />
          {tokenAmount.toLocaleString()}
        </span>
        <WithdrawalStateBadge state={state} />
        {digest ? <Digest digest={digest} /> : null}
      </p>
      <p className="flex flex-wrap gap-x-3 text-sm text-muted">
        <span>#{id}</span>
        {username ? <span className="font-semibold text-text">{username}</span> : null}
        <span className="font-mono" title={walletAddress}>
          {shortenAddress(walletAddress)}
        </span>
        <RelativeTime iso={createdAt} />
      </p>
      <Risk risk={risk} />
      {reason ? <p className="text-sm text-warn">{reason}</p> : null}
    </div>
  );
}

/** One withdrawal of the queue, with what can be done about it. */
export function WithdrawalRow({ withdrawal }: { withdrawal: AdminWithdrawal }) {
  const { id, state } = withdrawal;
  const [isRejecting, setRejecting] = useState(false);
  const approval = useMutation({
    mutationFn: () => approve(id),
    onSuccess: () =>
      toast({ title: 'Withdrawal approved', description: `#${id} can be paid now.`, variant: 'success' }),
    onError: (error) => showFailure('Error', error, 'Failed to approve the withdrawal'),
    onSettled: refreshQueue,
  });
  const rejection = useMutation({
    mutationFn: (reason: string) => reject(id, reason),
    onSuccess: () => {
      setRejecting(false);
      toast({ title: 'Withdrawal rejected', description: 'The Snaps are back in the balance.', variant: 'success' });
    },
    onError: (error) => showFailure('Error', error, 'Failed to reject the withdrawal'),
    onSettled: refreshQueue,
  });
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 py-4 first:pt-1 last:pb-1">
      <Facts withdrawal={withdrawal} />
      <div className="flex flex-wrap gap-2">
        {isAllowed(WITHDRAWAL_MOVES.approve, state) ? (
          <Button
            aria-label={`Approve withdrawal ${id}`}
            busy={approval.isPending ? 'Approving...' : false}
            onClick={() => approval.mutate()}
          >
            <Check aria-hidden size={18} />
            Approve
          </Button>
        ) : null}
        {isAllowed(WITHDRAWAL_MOVES.reject, state) ? (
          <Button variant="secondary" aria-label={`Reject withdrawal ${id}`} onClick={() => setRejecting(true)}>
            <Ban aria-hidden size={18} />
            Reject
          </Button>
        ) : null}
      </div>
      {isRejecting ? (
        <ReasonDialog
          title={`Reject withdrawal #${id}`}
          description="The Snaps return to the balance, and the user can read your reason."
          action="Reject"
          busy={rejection.isPending ? 'Rejecting...' : false}
          onClose={() => setRejecting(false)}
          onSubmit={(reason) => rejection.mutate(reason)}
        />
      ) : null}
    </li>
  );
}
