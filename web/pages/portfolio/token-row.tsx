import { ArrowUpRight } from 'lucide-react';
import { useId, useState } from 'react';
import { MIN_WITHDRAWAL_TOKENS } from '#shared/constants.ts';
import { OnDemand } from '../../components/states/on-demand.tsx';
import { SnapCoin } from '../../components/values/snap-coin.tsx';
import { ReadNote } from '../../components/states/read-note.tsx';
import { useStats } from '../../components/user/use-stats.ts';
import { loadable } from '../../lib/loadable.tsx';
import { Button } from '../../ui/button.tsx';

const withdrawal = loadable(async () => (await import('./withdraw-dialog.tsx')).WithdrawDialog);

export function TokenRow({ userId }: { userId: number }) {
  const [isOpen, setOpen] = useState(false);
  const hintId = useId();
  const { stats, failure } = useStats(userId);
  const tokenBalance = stats?.tokenBalance ?? 0;
  const canWithdraw = tokenBalance >= MIN_WITHDRAWAL_TOKENS;
  const figures: Array<[label: string, value: number | undefined]> = [
    ['Total Tokens', stats?.tokenBalance],
    ['Total Votes', stats?.totalVotes],
    ['Bullish Votes', stats?.bullishVotes],
    ['Bearish Votes', stats?.bearishVotes],
  ];
  return (
    <div className="@container flex flex-wrap items-center justify-between gap-x-8 gap-y-3 px-1">
      <dl className="grid max-w-3xl flex-[1_1_18rem] grid-cols-4 gap-x-3 @max-[16rem]:grid-cols-2">
        {figures.map(([label, value], at) => (
          <div key={label} className="grid content-between">
            <dt className="text-xs text-muted sm:text-sm">{label}</dt>
            <dd className="display flex items-center gap-1.5 text-lg">
              {at === 0 ? <SnapCoin className="size-5 shrink-0" /> : null}
              {value?.toLocaleString() ?? '–'}
            </dd>
          </div>
        ))}
      </dl>
      <div className="flex items-center gap-3">
        <Button
          disabled={!canWithdraw}
          onClick={() => setOpen(true)}
          aria-describedby={canWithdraw ? undefined : hintId}
        >
          Withdraw Tokens
          <ArrowUpRight aria-hidden size={18} />
        </Button>
        {canWithdraw ? null : (
          <p id={hintId} className="text-sm text-muted">
            From {MIN_WITHDRAWAL_TOKENS} Snaps
          </p>
        )}
      </div>
      {failure ? <ReadNote failure={failure} isStale={stats !== undefined} className="basis-full" /> : null}
      {isOpen ? (
        <OnDemand name="The withdrawal form" onRetry={withdrawal.retry} className="basis-full">
          <withdrawal.Part open onOpenChange={setOpen} balance={tokenBalance} />
        </OnDemand>
      ) : null}
    </div>
  );
}
