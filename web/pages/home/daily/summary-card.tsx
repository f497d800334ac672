import { useEffect } from 'react';
import type { DailyDeck } from '#shared/contract/daily-deck.ts';
import { plural } from '#shared/numbers/plural.ts';
import { useStore } from '../../../lib/external-store.ts';
import { Button } from '../../../ui/button.tsx';
import { Countdown } from '../../../voting/countdown.tsx';
import { reward } from '../../../voting/reward.ts';
import type { VoteAllowance } from '../../../voting/use-voting-status.ts';
import { DAY_MS, streakLine, summarize } from './daily.ts';
import { DayResults } from './day-results.tsx';
import { DoneCard } from './done-card.tsx';

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div className="grid rounded-lg bg-raised px-3 py-1.5">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="display">{value}</dd>
    </div>
  );
}

function WhatNext({ daily, allowance: { status, phase } }: { daily: DailyDeck; allowance: VoteAllowance }) {
  const streak = streakLine(daily.day, daily.streak, true);
  const returnAt = phase === 'open' ? null : (status?.periodEndsAt ?? null);
  return (
    <>
      <p className="flex flex-wrap justify-center gap-x-3 text-sm text-muted">
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
        ) : status ? (
          <span>{plural(status.votesRemaining, 'vote')} left</span>
        ) : null}
        {streak === null ? null : <span>{streak}</span>}
      </p>
    </>
  );
}

interface SummaryCardProps {
  userId: number;
  daily: DailyDeck;
  skipped: number;
  allowance: VoteAllowance;
  onClose: () => void;
}

export function SummaryCard({ userId, daily, skipped, allowance, onClose }: SummaryCardProps) {
  const { bullish, bearish } = summarize(daily);
  // No pop-up over the results.
  const newest = useStore(reward);
  useEffect(() => {
    if (newest) reward.set(null);
  }, [newest]);
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
      <dl className="grid grid-cols-3 gap-2">
        <Figure label="Votes" value={(bullish + bearish).toLocaleString()} />
        <Figure label="Skipped" value={skipped.toLocaleString()} />
        <Figure label="Streak" value={plural(daily.streak, 'day')} />
      </dl>
      <DayResults cards={daily.cards} label="Today's results" className="text-sm" />
    </DoneCard>
  );
}
