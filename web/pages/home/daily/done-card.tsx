import { type ReactNode, useEffect, useId } from 'react';
import type { DailyCard } from '#shared/contract/daily-deck.ts';
import { OnDemand } from '../../../components/states/on-demand.tsx';
import { announce } from '../../../lib/announce.ts';
import { useStore } from '../../../lib/external-store.ts';
import { loadable } from '../../../lib/loadable.tsx';
import { reward } from '../../../voting/reward.ts';
import * as styles from './daily.module.css';

const calls = loadable(async () => (await import('./calls-link.tsx')).CallsLink);
const why = loadable(async () => (await import('./ask-why.tsx')).AskWhy);

const ANNOUNCE_AFTER_MS = 1_500;

interface DoneCardProps {
  userId: number;
  title: string;
  line: string;
  /** Cards of the day. */
  cards: readonly DailyCard[];
  next: ReactNode;
  children?: ReactNode;
}

/** Takes the place of deck and buttons at the end of a day or of a window of votes. */
export function DoneCard({ userId, title, line, cards, next, children }: DoneCardProps) {
  const titleId = useId();
  // No pop-up over what was done.
  const newest = useStore(reward);
  useEffect(() => {
    if (newest) reward.set(null);
  }, [newest]);
  useEffect(() => {
    const timer = setTimeout(() => announce(title), ANNOUNCE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [title]);
  return (
    <section
      aria-labelledby={titleId}
      data-done
      className={`${styles.summary} panel relative z-10 flex min-h-0 w-full flex-col overflow-hidden rounded-2xl shadow-float @max-[15rem]:overflow-y-auto`}
    >
      <div className="grid min-h-0 flex-1 content-start gap-3 overflow-y-auto @max-[15rem]:flex-none @max-[15rem]:overflow-visible p-4 pb-2 sm:px-5">
        <div className="flex flex-wrap items-baseline justify-center gap-x-4 text-center">
          <h2
            id={titleId}
            className="basis-full font-sans [@media(height<30rem)]:basis-auto text-base font-semibold tracking-normal text-muted"
          >
            {title}
          </h2>
          <p className="display text-2xl leading-tight">{line}</p>
        </div>
        <div className="grid gap-3 text-sm">
          <OnDemand name="Your votes of today" onRetry={why.retry}>
            <why.Part userId={userId} cards={cards} />
          </OnDemand>
        </div>
        {children}
        <div className="min-h-11 text-center">
          <OnDemand name="Your calls" onRetry={calls.retry}>
            <calls.Part userId={userId} />
          </OnDemand>
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-center gap-2 border-t border-line px-4 py-3">{next}</div>
    </section>
  );
}
