import { ArrowUpRight, TrendingDown, TrendingUp, Vote } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { MIN_WITHDRAWAL_TOKENS } from '#shared/constants.ts';
import { OnDemand } from '../../components/states/on-demand.tsx';
import { SnapCoin } from '../../components/values/snap-coin.tsx';
import { ReadNote } from '../../components/states/read-note.tsx';
import { useStats } from '../../components/user/use-stats.ts';
import { loadable } from '../../lib/loadable.tsx';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';

const withdrawal = loadable(async () => (await import('./withdraw-dialog.tsx')).WithdrawDialog);

interface FigureProps {
  label: string;
  value: number | undefined;
  icon: ReactNode;
  className?: string;
  children?: ReactNode;
}

function Figure({ label, value, icon, className, children }: FigureProps) {
  return (
    <div className={cn('panel grid content-between gap-3 p-5', className)}>
      <div className="flex items-center justify-between gap-2">
        <h2 className="font-sans text-base font-semibold text-muted">{label}</h2>
        {icon}
      </div>
      <p className="display text-4xl tabular-nums">{value?.toLocaleString() ?? '–'}</p>
      {children}
    </div>
  );
}

export function TokenCards({ userId }: { userId: number }) {
  const [isOpen, setOpen] = useState(false);
  const hintId = useId();
  const { stats, failure } = useStats(userId);
  const tokenBalance = stats?.tokenBalance ?? 0;
  const canWithdraw = tokenBalance >= MIN_WITHDRAWAL_TOKENS;
  return (
    <div className="grid grid-cols-2 gap-4 lg:grid-cols-[1.4fr_1fr_1fr_1fr]">
      <Figure
        label="Total Tokens"
        value={stats?.tokenBalance}
        icon={<SnapCoin className="size-7" />}
        className="col-span-2 lg:col-span-1"
      >
        <Button
          disabled={!canWithdraw}
          onClick={() => setOpen(true)}
          aria-describedby={canWithdraw ? undefined : hintId}
          className="justify-self-start"
        >
          Withdraw Tokens
          <ArrowUpRight aria-hidden size={18} />
        </Button>
        {canWithdraw ? null : (
          <p id={hintId} className="text-sm text-muted">
            From {MIN_WITHDRAWAL_TOKENS} Snaps
          </p>
        )}
      </Figure>
      <Figure
        label="Total Votes"
        value={stats?.totalVotes}
        icon={<Vote aria-hidden size={22} className="text-link" />}
        className="col-span-2 lg:col-span-1"
      />
      <Figure
        label="Bullish Votes"
        value={stats?.bullishVotes}
        icon={<TrendingUp aria-hidden size={22} className="text-bull" />}
      />
      <Figure
        label="Bearish Votes"
        value={stats?.bearishVotes}
        icon={<TrendingDown aria-hidden size={22} className="text-bear" />}
      />
      {failure ? <ReadNote failure={failure} isStale={stats !== undefined} className="col-span-full" /> : null}
      {isOpen ? (
        <OnDemand name="The withdrawal form" onRetry={withdrawal.retry} className="col-span-full">
          <withdrawal.Part open onOpenChange={setOpen} balance={tokenBalance} />
        </OnDemand>
      ) : null}
    </div>
  );
}
