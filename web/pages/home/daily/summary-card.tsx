import type { DailyDeck } from '#shared/contract/daily-deck.ts';
import { OnDemand } from '../../../components/states/on-demand.tsx';
import { loadable } from '../../../lib/loadable.tsx';
import { Button } from '../../../ui/button.tsx';
import { Countdown } from '../../../voting/countdown.tsx';
import { streakText } from '../../../voting/reward.ts';
import type { VoteAllowance } from '../../../voting/use-voting-status.ts';
import { DAY_MS, streakLine, summarize } from './daily.ts';
import { DoneCard } from './done-card.tsx';

const why = loadable(async () => (await import('./ask-why.tsx')).AskWhy);

function WhatNext({ daily, allowance: { status, phase } }: { daily: DailyDeck; allowance: VoteAllowance }) {
  const streak = streakLine(daily.day, daily.streak, true);
  const returnAt = phase === 'open' ? null : (status?.periodEndsAt ?? null);
  return (
    <p className="flex flex-wrap justify-center gap-x-3 text-sm text-muted max-[22rem]:text-xs">
      <span>
        Next deck in{' '}
        <b className="text-text">
          <Countdown iso={new Date(Date.parse(daily.day) + DAY_MS).toISOString()} />
        </b>
      </span>
      {returnAt ? (
        <span>
          Votes return in{' '}
          <b className="text-text">
            <Countdown iso={returnAt} />
          </b>
        </span>
      ) : null}
      {streak === null ? null : <span>{streak.replace('Streak', streakText(daily.streak))}</span>}
    </p>
  );
}

interface SummaryCardProps {
  userId: number;
  daily: DailyDeck;
  allowance: VoteAllowance;
  onClose: () => void;
}

export function SummaryCard({ userId, daily, allowance, onClose }: SummaryCardProps) {
  const { bullish, bearish } = summarize(daily);
  return (
    <DoneCard
      userId={userId}
      title="Today's deck is done"
      line={`${bullish} bullish, ${bearish} bearish`}
      next={
        <>
          <WhatNext daily={daily} allowance={allowance} />
          <Button onClick={onClose}>Keep swiping</Button>
        </>
      }
    >
      <div className="grid gap-3 text-sm">
        <OnDemand name="Your votes of today" onRetry={why.retry}>
          <why.Part userId={userId} cards={daily.cards} />
        </OnDemand>
      </div>
    </DoneCard>
  );
}
