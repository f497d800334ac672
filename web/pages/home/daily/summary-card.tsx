import { useEffect, useId } from 'react';
import type { DailyDeck } from '#shared/contract/daily-deck.ts';
import { plural } from '#shared/plural.ts';
import { OnDemand } from '../../../components/states/on-demand.tsx';
import { announce } from '../../../lib/announce.ts';
import { useStore } from '../../../lib/external-store.ts';
import { loadable } from '../../../lib/loadable.tsx';
import { Button } from '../../../ui/button.tsx';
import { Countdown } from '../../../voting/countdown.tsx';
import { reward } from '../../../voting/reward.ts';
import type { VoteAllowance } from '../../../voting/use-voting-status.ts';
import * as styles from './daily.module.css';
import { DAY_MS, streakLine, summarize } from './daily.ts';
import { DayResults } from './day-results.tsx';

const calls = loadable(async () => (await import('./calls-link.tsx')).CallsLink);

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

const ANNOUNCE_AFTER_MS = 1_500;

interface SummaryCardProps {
  userId: number;
  daily: DailyDeck;
  skipped: number;
  allowance: VoteAllowance;
  onClose: () => void;
}

export function SummaryCard({ userId, daily, skipped, allowance, onClose }: SummaryCardProps) {
  const titleId = useId();
  const { bullish, bearish } = summarize(daily);
  // No pop-up over the results.
  const newest = useStore(reward);
  useEffect(() => {
    if (newest) reward.set(null);
  }, [newest]);
  useEffect(() => {
    const timer = setTimeout(() => announce("Today's deck is done"), ANNOUNCE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <section
      aria-labelledby={titleId}
      data-daily-summary
      className={`${styles.summary} panel absolute inset-0 z-10 flex flex-col overflow-hidden rounded-2xl shadow-float`}
    >
      <div className="grid min-h-0 flex-1 content-start gap-3 overflow-y-auto p-4 pb-2 sm:px-5">
        <div className="grid justify-items-center text-center">
          <h2 id={titleId} className="text-xl">
            Today's deck is done
          </h2>
          <p className="display text-2xl leading-tight text-link">
            {bullish} bullish, {bearish} bearish
          </p>
          <div className="min-h-11">
            <OnDemand name="Your calls" onRetry={calls.retry}>
              <calls.Part userId={userId} />
            </OnDemand>
          </div>
        </div>
        <dl className="grid grid-cols-3 gap-2">
          <Figure label="Votes" value={(bullish + bearish).toLocaleString()} />
          <Figure label="Skipped" value={skipped.toLocaleString()} />
          <Figure label="Streak" value={plural(daily.streak, 'day')} />
        </dl>
        <DayResults cards={daily.cards} label="Today's results" className="text-sm" />
      </div>
      <div className="flex flex-wrap items-center justify-center gap-x-3 gap-y-2 border-t border-line px-4 py-3">
        <WhatNext daily={daily} allowance={allowance} />
        <Button onClick={onClose}>Keep swiping</Button>
      </div>
    </section>
  );
}
