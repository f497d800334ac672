import { Flame, Redo2, Sparkles, Users, Vote, type LucideIcon } from 'lucide-react';
import { useEffect, useId } from 'react';
import type { DailyDeck } from '#shared/contract/daily-deck.ts';
import { plural } from '#shared/plural.ts';
import { announce } from '../../../lib/announce.ts';
import { Button } from '../../../ui/button.tsx';
import { CalendarButton } from '../../../voting/calendar-button.tsx';
import { Countdown } from '../../../voting/countdown.tsx';
import type { VoteAllowance } from '../../../voting/use-voting-status.ts';
import * as styles from './daily.module.css';
import { summarize } from './daily.ts';

function Figure({ label, value, Icon }: { label: string; value: string; Icon: LucideIcon }) {
  return (
    <div className="grid content-start gap-0.5 rounded-lg bg-raised px-3 py-1.5 [@media(height>=44rem)]:py-2.5">
      <dt className="flex items-center gap-1.5 text-xs text-muted">
        <Icon aria-hidden size={14} className="text-link" />
        {label}
      </dt>
      <dd className="display text-lg">{value}</dd>
    </div>
  );
}

/** When votes return, with an appointment for it; how many are left while some are. */
function VotesReturn({ allowance: { status, phase } }: { allowance: VoteAllowance }) {
  const returnAt = status?.periodEndsAt;
  if (!status || phase === 'open' || !returnAt)
    return status ? (
      <p className="text-sm text-muted">{plural(status.votesRemaining, 'vote')} left for more cards</p>
    ) : null;
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-3 text-sm">
      <p className="text-muted">
        Votes return in{' '}
        <b className="text-text">
          <Countdown iso={returnAt} />
        </b>
      </p>
      <CalendarButton returnAt={returnAt} className="px-4! text-sm" />
    </div>
  );
}

/** What the last vote is said to be comes before it. */
const ANNOUNCE_AFTER_MS = 1_500;

interface SummaryCardProps {
  daily: DailyDeck;
  skipped: number;
  allowance: VoteAllowance;
  onClose: () => void;
}

/** The end of the day's deck (R49): what was voted, how often with the majority, the streak, and when votes return. */
export function SummaryCard({ daily, skipped, allowance, onClose }: SummaryCardProps) {
  const titleId = useId();
  const { votes, withMajority } = summarize(daily);
  useEffect(() => {
    const timer = setTimeout(() => announce("Today's deck is done"), ANNOUNCE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <section
      aria-labelledby={titleId}
      data-daily-summary
      className={`${styles.summary} panel absolute inset-0 z-10 grid content-center-safe justify-items-center gap-2 overflow-y-auto rounded-2xl p-3 text-center [@media(height>=44rem)]:gap-4 shadow-float`}
    >
      <span
        aria-hidden
        className="grid size-13 place-items-center rounded-full bg-accent-soft text-link [@media(height<52rem)]:hidden"
      >
        <Sparkles size={26} />
      </span>
      <h2 id={titleId} className="text-xl [@media(height>=44rem)]:text-2xl">
        Today's deck is done
      </h2>
      <dl className="grid w-full max-w-80 grid-cols-2 gap-2 text-left">
        <Figure label="Votes" value={votes.toLocaleString()} Icon={Vote} />
        <Figure label="Matched the crowd" value={`${withMajority} of ${votes}`} Icon={Users} />
        <Figure label="Streak" value={plural(daily.streak, 'day')} Icon={Flame} />
        <Figure label="Skipped" value={skipped.toLocaleString()} Icon={Redo2} />
      </dl>
      <VotesReturn allowance={allowance} />
      <Button onClick={onClose}>Keep swiping</Button>
    </section>
  );
}
