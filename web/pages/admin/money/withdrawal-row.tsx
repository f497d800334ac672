import { Name } from '../../../components/values/name.tsx';
import { Ban, Check } from 'lucide-react';
import type { AdminWithdrawal } from '#shared/contract/admin.ts';
import { mayCall } from '#shared/people/roles.ts';
import { isAllowed } from '#shared/states/move.ts';
import { WITHDRAWAL_MOVES } from '#shared/states/withdrawal.ts';
import { Digest } from '../../../components/values/digest.tsx';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { SnapCoin } from '../../../components/values/snap-coin.tsx';
import { WithdrawalStateBadge } from '../../../components/values/withdrawal-state.tsx';
import { api } from '../../../lib/api.ts';
import { useSessionUser } from '../../../lib/session.ts';
import { Act } from '../act.tsx';
import { TOUCHED } from '../admin-queries.ts';
import { Address, Row } from '../row.tsx';
import { Risk } from './risk.tsx';

function Acts({ withdrawal: { id, state, waitsForOwner } }: { withdrawal: AdminWithdrawal }) {
  const role = useSessionUser()?.role;
  const mayConfirm = role !== undefined && mayCall(role, 'confirmPaidEarlier');
  return (
    <>
      {isAllowed(WITHDRAWAL_MOVES.approve, state) ? (
        <Act
          word="Approve"
          label={`Approve withdrawal ${id}`}
          Icon={Check}
          variant="primary"
          busy="Approving..."
          call={(headers) => api.approveWithdrawal({ params: { id }, headers })}
          done={{ title: 'Withdrawal approved', description: `#${id} can be paid now.` }}
          failed="Failed to approve the withdrawal"
          refresh={TOUCHED.payouts}
        />
      ) : null}
      {waitsForOwner && mayConfirm ? (
        <Act
          word="Confirm"
          label={`Confirm that withdrawal ${id} was paid earlier`}
          Icon={Check}
          busy="Confirming..."
          ask={{
            title: `Withdrawal #${id} was paid earlier`,
            description:
              'The Book had paid it before it was approved, and the server noticed no restore. Say what explains it.',
            action: 'Confirm',
          }}
          call={(headers, reason) => api.confirmPaidEarlier({ params: { id }, body: { reason }, headers })}
          done={{ title: 'Withdrawal settled', description: 'It counts as paid.' }}
          failed="Failed to settle the withdrawal"
          refresh={TOUCHED.payouts}
        />
      ) : null}
      {isAllowed(WITHDRAWAL_MOVES.reject, state) && !waitsForOwner ? (
        <Act
          word="Reject"
          label={`Reject withdrawal ${id}`}
          Icon={Ban}
          busy="Rejecting..."
          ask={{
            title: `Reject withdrawal #${id}`,
            description: 'The Snaps return to the balance, and the user can read your reason.',
            action: 'Reject',
          }}
          call={(headers, reason) => api.rejectWithdrawal({ params: { id }, body: { reason }, headers })}
          done={{ title: 'Withdrawal rejected', description: 'The Snaps are back in the balance.' }}
          failed="Failed to reject the withdrawal"
          refresh={TOUCHED.payouts}
        />
      ) : null}
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
      {waitsForOwner ? <p className="text-sm text-warn">The Book paid it before it was approved.</p> : null}
      {refusedReason ? <p className="text-sm text-warn">The chain refuses it: {refusedReason}</p> : null}
      {reason ? <p className="text-sm text-warn">{reason}</p> : null}
    </Row>
  );
}
