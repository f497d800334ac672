import { useMutation, useQuery } from '@tanstack/react-query';
import { RefreshCw, ScanSearch } from 'lucide-react';
import { useState } from 'react';
import type { PayoutHistory as History, ScanState } from '#shared/contract/payout-history.ts';
import { mayCall } from '#shared/roles.ts';
import { shortenAddress } from '#shared/text.ts';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { api } from '../../../lib/api.ts';
import { queryClient } from '../../../lib/queries.ts';
import { useSession } from '../../../lib/session.ts';
import { toast } from '../../../lib/toast.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { adminQueries, refreshQueue } from '../admin-queries.ts';
import { adminRequest, showFailure } from '../admin-session.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { Transfers } from './transfers.tsx';

type WalletHistory = History['wallets'][number];

const LOOKS: Record<ScanState, [label: string, tone: BadgeTone]> = {
  complete: ['Up to date', 'bull'],
  reading: ['Reading the chain…', 'accent'],
  behind: ['Node behind', 'warn'],
  unreachable: ['Node unreachable', 'warn'],
  pruned: ['History missing', 'bear'],
};

const WORDS: Record<Exclude<ScanState, 'complete'>, string> = {
  reading: 'Payouts wait until everything that this wallet has sent is read.',
  behind: 'The node does not show the newest transactions yet. Payouts wait for them.',
  unreachable: 'The node does not respond. Payouts wait until it does.',
  pruned:
    'The node no longer has a part of what this wallet has sent. Look for payouts in it elsewhere, such as in an explorer, or set SUI_RPC_URL to a node with the whole history.',
};

/** Confirms in writing that nothing of what is missing was a payout. */
function Confirm({ wallet }: { wallet: WalletHistory }) {
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: (reason: string) =>
      adminRequest((headers) => api.confirmPayoutHistory({ body: { wallet: wallet.walletAddress, reason }, headers })),
    onSuccess: () => {
      setAsking(false);
      toast({ title: 'Confirmed', description: 'Payouts go on without the missing part.', variant: 'success' });
    },
    onError: (error) => showFailure('Error', error, 'Failed to confirm the missing history'),
    onSettled: refreshQueue,
  });
  return (
    <>
      <Button variant="secondary" className="justify-self-start" onClick={() => setAsking(true)}>
        Go on without it
      </Button>
      {isAsking ? (
        <ReasonDialog
          title="Go on without the missing history"
          description={`Checkpoints ${(wallet.checkpoint + 1).toLocaleString()} to ${(wallet.lowest - 1).toLocaleString()} will not be read. A payout in them that the books do not know can be paid twice. Say how you made sure.`}
          action="Confirm"
          busy={isPending ? 'Saving...' : false}
          onClose={() => setAsking(false)}
          onSubmit={(reason) => mutate(reason)}
        />
      ) : null}
    </>
  );
}

function Wallet({ wallet }: { wallet: WalletHistory }) {
  const { user } = useSession();
  const mayConfirm = user?.role !== undefined && mayCall(user.role, 'confirmPayoutHistory');
  const [label, tone] = LOOKS[wallet.state];
  return (
    <li className="grid grid-cols-1 gap-2 py-3 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone}>{label}</Badge>
        <span className="font-mono text-sm" title={wallet.walletAddress}>
          {shortenAddress(wallet.walletAddress)}
        </span>
        {wallet.completedAt ? (
          <span className="text-sm text-faint">
            complete <RelativeTime iso={wallet.completedAt} />
          </span>
        ) : null}
      </p>
      {wallet.state === 'complete' ? null : <p className="text-sm text-warn">{WORDS[wallet.state]}</p>}
      {wallet.state === 'reading' ? (
        <p className="text-sm text-muted">
          Checkpoint {Math.max(wallet.checkpoint, 0).toLocaleString()} of {wallet.tip.toLocaleString()}
        </p>
      ) : null}
      {wallet.state === 'pruned' && mayConfirm ? <Confirm wallet={wallet} /> : null}
    </li>
  );
}

/** Whether the books know everything that the paying wallets have sent: before that, nothing is paid (R56). */
export function PayoutHistory() {
  const { data } = useQuery(adminQueries.payoutHistory());
  const { mutate, isPending } = useMutation({
    mutationFn: () => adminRequest((headers) => api.readPayoutHistory({ headers })),
    onSuccess: (history) => queryClient.setWritten(adminQueries.payoutHistory().queryKey, history),
    onError: (error) => showFailure('Error', error, 'Failed to read the history'),
    onSettled: refreshQueue,
  });
  if (!data?.isRead) return null;
  return (
    <Card aria-labelledby="history">
      <CardTitle id="history" icon={<ScanSearch aria-hidden size={20} className="text-link" />}>
        Sent by the paying wallets
      </CardTitle>
      <ul className="divide-y divide-line">
        {data.wallets.map((wallet) => (
          <Wallet key={wallet.walletAddress} wallet={wallet} />
        ))}
      </ul>
      {data.unread > 0 ? <p className="text-sm text-warn">Reading the chain… Payouts wait until it is read.</p> : null}
      <Button
        variant="secondary"
        className="mt-4 justify-self-start"
        busy={isPending ? 'Reading...' : false}
        onClick={() => mutate()}
      >
        <RefreshCw aria-hidden size={18} />
        Read now
      </Button>
      {data.waiting > 0 ? <Transfers /> : null}
    </Card>
  );
}
