import type { DailyDeck } from '#shared/contract/daily-deck.ts';
import { Button } from '../../../ui/button.tsx';
import { Countdown } from '../../../voting/countdown.tsx';
import { streakText } from '../../../voting/reward.ts';
import type { VoteAllowance } from '../../../voting/use-voting-status.ts';
import { DAY_MS, streakLine, summarize } from './daily.ts';
import { DoneCard } from './done-card.tsx';

function WhatNext({ daily, allowance: { status, phase } }: { daily: DailyDeck; allowance: VoteAllowance }) {
  const streak = streakLine(daily.day, daily.streak, true);
  const returnAt = phase === 'open' ? null : (status?.periodEndsAt ?? null);
  return (
    <p className="grid min-w-0 flex-[1_1_10rem] text-sm leading-5 text-muted">
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
  /** No card is left after it. */
  isLast: boolean;
  onClose: () => void;
}

export function SummaryCard({ userId, daily, allowance, isLast, onClose }: SummaryCardProps) {
  const { bullish, bearish } = summarize(daily);
  return (
    <DoneCard
      userId={userId}
      title="Today's deck is done"
      line={`${bullish} bullish, ${bearish} bearish`}
      cards={daily.cards}
      next={
        <>
          <WhatNext daily={daily} allowance={allowance} />
          <Button onClick={onClose}>{isLast ? 'Close' : 'Keep swiping'}</Button>
        </>
      }
    />
  );
}
