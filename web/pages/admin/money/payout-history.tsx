import { useQuery } from '@tanstack/react-query';
import { RefreshCw, ScanSearch } from 'lucide-react';
import type { PayoutHistory as History, ScanState } from '#shared/contract/payout-history.ts';
import { mayCall } from '#shared/roles.ts';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { api } from '../../../lib/api.ts';
import { queryClient } from '../../../lib/queries.ts';
import { useSession } from '../../../lib/session.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Act } from '../act.tsx';
import { adminQueries, TOUCHED } from '../admin-queries.ts';
import { Address } from '../row.tsx';
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

function Confirm({ wallet: { walletAddress, checkpoint, lowest } }: { wallet: WalletHistory }) {
  return (
    <Act
      word="Go on without it"
      className="justify-self-start"
      ask={{
        title: 'Go on without the missing history',
        description: `Checkpoints ${(checkpoint + 1).toLocaleString()} to ${(lowest - 1).toLocaleString()} will not be read. A payout in them that the books do not know can be paid twice. Say how you made sure.`,
        action: 'Confirm',
      }}
      call={(headers, reason) => api.confirmPayoutHistory({ body: { wallet: walletAddress, reason }, headers })}
      done={{ title: 'Confirmed', description: 'Payouts go on without the missing part.' }}
      failed="Failed to confirm the missing history"
      refresh={TOUCHED.payouts}
    />
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
        <span className="text-sm">
          <Address of={wallet.walletAddress} />
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

export function PayoutHistory() {
  const { data } = useQuery(adminQueries.payoutHistory());
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
      <Act
        word="Read now"
        Icon={RefreshCw}
        className="mt-4 justify-self-start"
        busy="Reading..."
        call={(headers) => api.readPayoutHistory({ headers })}
        done={(history) => {
          queryClient.setWritten(adminQueries.payoutHistory().queryKey, history);
        }}
        failed="Failed to read the history"
        refresh={TOUCHED.payouts}
      />
      {data.waiting > 0 ? <Transfers /> : null}
    </Card>
  );
}
