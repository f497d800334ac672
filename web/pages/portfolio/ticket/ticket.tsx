import { ChevronDown, Share2, TrendingDown, TrendingUp } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { CallSummary } from '#shared/contract/users.ts';
import { dayText } from '#shared/text/day-text.ts';
import { OnDemand } from '../../../components/states/on-demand.tsx';
import { Read } from '../../../components/states/read.tsx';
import { TicketCard } from '../../../components/ticket/ticket-card.tsx';
import { useStats } from '../../../components/user/use-stats.ts';
import { loadable } from '../../../lib/loadable.tsx';
import { paths } from '../../../lib/paths.ts';
import { queries } from '../../../lib/queries.ts';
import { useServerNow } from '../../../lib/use-server-now.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { cn } from '../../../ui/class-names.ts';
import { streakText } from '../../../voting/reward.ts';
import * as styles from './ticket.module.css';
import { type TicketDay, type Week, weeksOf } from './weeks.ts';

const share = loadable(async () => (await import('./share-ticket.tsx')).ShareTicket);

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
/** Cards of a day: one pile, or two beside each other where there is room. */
const SHOWN = 10;
const HALF = 5;

function Day({ day: { day, count, faces }, today }: { day: TicketDay; today: string | undefined }) {
  const isSmall = today === undefined;
  const shown = faces.slice(-SHOWN);
  const weekday = WEEKDAYS[new Date(day).getUTCDay()] ?? '';
  return (
    <li className={cn(styles.day, 'grid content-start justify-items-center gap-1.5')}>
      <span data-punched={count > 0 || undefined} className={styles.hole} />
      <span className={cn('text-xs', day === today ? 'font-bold text-text' : 'text-muted')}>
        {weekday.slice(0, 1)}
        <span className={styles.rest}>{weekday.slice(1)}</span>
        <span className="sr-only">, {count} cards</span>
      </span>
      <div aria-hidden className={cn(styles.piles, isSmall ? '[--size:3rem]' : '[--size:4rem]')}>
        {shown.length === 0 ? (
          <span
            className={cn(styles.pile, 'aspect-3/4 rounded-[14%/10.5%] border border-dashed border-line-strong/60')}
          />
        ) : (
          [shown.slice(0, HALF), shown.slice(HALF)].map((half, from) => (
            // oxlint-disable-next-line react/no-array-index-key -- a place of the day
            <div key={from} className={cn(styles.pile, 'empty:hidden')}>
              {half.map((face, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- a place of the pile
                <TicketCard key={at} face={face} width={64} className={`${styles.piled} shadow-card`} />
              ))}
            </div>
          ))
        )}
      </div>
      {count > shown.length && shown.length > 0 ? (
        <span aria-hidden className="text-xs text-muted">
          +{(count - shown.length).toLocaleString()}
        </span>
      ) : null}
    </li>
  );
}

function Days({ days, today }: { days: TicketDay[]; today?: string }) {
  return (
    <ol className="grid grid-cols-7 gap-1.5 sm:gap-4">
      {days.map((day) => (
        <Day key={day.day} day={day} today={today} />
      ))}
    </ol>
  );
}

const rangeText = ({ days }: Week): string =>
  `${dayText(days[0]?.day ?? '').slice(0, -5)} – ${dayText(days[6]?.day ?? '').slice(0, -5)}`;

function Directions({ bullish, bearish, children }: Week & { children?: ReactNode }) {
  return (
    <p className="flex flex-wrap gap-x-4 text-sm font-semibold">
      <span className="inline-flex items-center gap-1 text-bull">
        <TrendingUp aria-hidden size={16} />
        {bullish.toLocaleString()} bullish
      </span>
      <span className="inline-flex items-center gap-1 text-bear">
        <TrendingDown aria-hidden size={16} />
        {bearish.toLocaleString()} bearish
      </span>
      {children}
    </p>
  );
}

function ShareButton({ week, calls, streak }: { week: Week; calls: CallSummary; streak: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        <Share2 aria-hidden size={18} />
        Share
      </Button>
      {isOpen ? (
        <OnDemand name="The picture" onRetry={share.retry}>
          <share.Part week={week} calls={calls} streak={streak} onClose={() => setOpen(false)} />
        </OnDemand>
      ) : null}
    </>
  );
}

/** The weeks of a voter as tickets (R98): a hole for each day with a vote, its cards below. */
export function Ticket({ userId }: { userId: number }) {
  return (
    <Read of={queries.calls(userId)} skeleton="h-72 w-full rounded-xl">
      {(calls) => <Weeks userId={userId} calls={calls} />}
    </Read>
  );
}

function Weeks({ userId, calls }: { userId: number; calls: CallSummary }) {
  const { data: votes = [] } = useQuery(queries.votes(userId));
  const streak = useStats(userId).stats?.streak ?? 0;
  const nowMs = useServerNow();
  const [week, ...earlier] = weeksOf(calls.days, votes, nowMs);
  if (!week) return null;
  const count = week.bullish + week.bearish;
  return (
    <section aria-labelledby="week" data-ticket className="panel min-h-72 overflow-hidden">
      <div className="grid md:grid-cols-[17rem_1fr]">
        <div className="grid content-start gap-1 p-5 pb-4 md:gap-2 md:p-7">
          <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
            <h2 id="week" className="text-lg">
              This week
            </h2>
            {count === 0 ? (
              <ButtonLink href={paths.home}>Swipe</ButtonLink>
            ) : (
              <ShareButton week={week} calls={calls} streak={streak} />
            )}
          </div>
          <p className="flex items-baseline gap-2">
            <b className="display text-6xl leading-none">{count.toLocaleString()}</b>
            <span className="font-semibold text-muted">{count === 1 ? 'card' : 'cards'}</span>
          </p>
          <Directions {...week}>
            {streak > 0 ? <span className="text-muted">{streakText(streak)}</span> : null}
          </Directions>
        </div>
        <div className={cn(styles.perforation, 'px-4 pt-5 pb-5 sm:px-6 md:p-7')}>
          <Days days={week.days} today={new Date(nowMs).toISOString().slice(0, 10)} />
        </div>
      </div>
      {earlier.length === 0 ? null : (
        <details className="group border-t border-line">
          <summary className="flex min-h-12 list-none items-center justify-between px-5 font-semibold md:px-7 [&::-webkit-details-marker]:hidden">
            Earlier weeks
            <ChevronDown aria-hidden size={20} className="text-faint transition-transform group-open:rotate-180" />
          </summary>
          <ul className="grid gap-6 px-4 pb-6 sm:px-6 md:px-7">
            {earlier.map((one) => (
              <li key={one.days[0]?.day} className="grid gap-3 border-t border-line pt-4 md:grid-cols-[15.25rem_1fr]">
                <div>
                  <h3 className="text-base">{rangeText(one)}</h3>
                  <Directions {...one} />
                </div>
                <Days days={one.days} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
