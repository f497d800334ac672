import { Name } from '../../../components/values/name.tsx';
import { Ban, Check } from 'lucide-react';
import type { AdminWithdrawal } from '#shared/contract/admin.ts';
import { isAllowed } from '#shared/states/move.ts';
import { WITHDRAWAL_MOVES } from '#shared/states/withdrawal.ts';
import { Digest } from '../../../components/values/digest.tsx';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { SnapCoin } from '../../../components/values/snap-coin.tsx';
import { WithdrawalStateBadge } from '../../../components/values/withdrawal-state.tsx';
import { api } from '../../../lib/api.ts';
import { Act } from '../act.tsx';
import { Address, Row } from '../row.tsx';
import { Risk } from './risk.tsx';

function Acts({ withdrawal: { id, state, waitsForOwner } }: { withdrawal: AdminWithdrawal }) {
  return (
    <>
      <Act
        when={isAllowed(WITHDRAWAL_MOVES.approve, state)}
        word="Approve"
        label={`Approve withdrawal ${id}`}
        Icon={Check}
        variant="primary"
        call={(headers) => api.approveWithdrawal({ params: { id }, headers })}
        done={{ title: 'Withdrawal approved', description: `#${id} can be paid now.` }}
        failed="Failed to approve the withdrawal"
      />
      <Act
        when={waitsForOwner}
        needs="confirmPaidEarlier"
        word="Confirm"
        label={`Confirm that withdrawal ${id} was paid earlier`}
        Icon={Check}
        ask={{
          title: `Withdrawal #${id} was paid earlier`,
          description:
            'The Book had paid it before it was approved, and the server noticed no restore. Say what explains it.',
        }}
        call={(headers, reason) => api.confirmPaidEarlier({ params: { id }, body: { reason }, headers })}
        done={{ title: 'Withdrawal settled', description: 'It counts as paid.' }}
        failed="Failed to settle the withdrawal"
      />
      <Act
        when={isAllowed(WITHDRAWAL_MOVES.reject, state) && !waitsForOwner}
        word="Reject"
        label={`Reject withdrawal ${id}`}
        Icon={Ban}
        ask={{
          title: `Reject withdrawal #${id}`,
          description: 'The Snaps return to the balance, and the user can read your reason.',
        }}
        call={(headers, reason) => api.rejectWithdrawal({ params: { id }, body: { reason }, headers })}
        done={{ title: 'Withdrawal rejected', description: 'The Snaps are back in the balance.' }}
        failed="Failed to reject the withdrawal"
      />
    </>
  );
}

export function WithdrawalRow({ withdrawal }: { withdrawal: AdminWithdrawal }) {
  const { id, tokenAmount, walletAddress, username, createdAt, digest, reason, state, risk, refusedReason } =
    withdrawal;
  const { waitsForOwner, paidEarlier } = withdrawal;
  return (
    <Row acts={<Acts withdrawal={withdrawal} />}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="inline-flex items-center gap-1.5 text-lg font-semibold">
          <SnapCoin className="size-5" />
          {tokenAmount.toLocaleString()}
        </span>
        <WithdrawalStateBadge state={state} />
        {digest && paidEarlier ? <span className="text-sm text-muted">Paid earlier, in</span> : null}
        {digest ? <Digest digest={digest} /> : null}
      </p>
      <p className="flex flex-wrap gap-x-3 text-sm text-muted">
        <span>#{id}</span>
        {username ? (
          <span className="font-semibold text-text">
            <Name>{username}</Name>
          </span>
        ) : null}
        <Address of={walletAddress} />
        <RelativeTime iso={createdAt} />
      </p>
      <Risk risk={risk} />
      {waitsForOwner ? <p className="text-sm text-text">The Book paid it before it was approved.</p> : null}
      {refusedReason ? <p className="text-sm text-text">The chain refuses it: {refusedReason}</p> : null}
      {reason ? <p className="text-sm text-text">{reason}</p> : null}
    </Row>
  );
}
