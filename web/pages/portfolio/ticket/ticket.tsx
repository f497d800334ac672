import { ChevronDown, Share2, TrendingDown, TrendingUp } from 'lucide-react';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { CallSummary } from '#shared/contract/users.ts';
import { plural } from '#shared/numbers/plural.ts';
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
import * as styles from './ticket.module.css';
import { type Week, weeksOf } from './weeks.ts';

const share = loadable(async () => (await import('./share-ticket.tsx')).ShareTicket);

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
/** Pictures of a day: two rows. */
const SHOWN = 10;

const weekdayOf = (day: string): string => WEEKDAYS[new Date(day).getUTCDay()] ?? '';

/** A hole for each day, punched by a vote. */
function Holes({ days, children }: Pick<Week, 'days'> & { children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <ol className="flex gap-2">
        {days.map(({ day, count }) => (
          <li
            key={day}
            data-punched={count > 0 || undefined}
            className={cn(styles.hole, 'grid size-7 place-items-center rounded-full text-xs font-semibold')}
          >
            <span>
              {weekdayOf(day).slice(0, 1)}
              <span className="sr-only">
                {weekdayOf(day).slice(1)}, {plural(count, 'card')}
              </span>
            </span>
          </li>
        ))}
      </ol>
      {children}
    </div>
  );
}

/** The cards of the days that have any. */
function Days({ days }: Pick<Week, 'days'>) {
  return (
    <ul aria-hidden className="flex flex-wrap gap-x-6 gap-y-4">
      {days
        .filter(({ count }) => count > 0)
        .map(({ day, count, faces }) => (
          <li key={day} className="grid content-start gap-1.5">
            <p className="text-sm text-muted">
              <b className="text-text">{weekdayOf(day)}</b> {count.toLocaleString()}
            </p>
            <div className={styles.cards} style={{ '--count': faces.length } as CSSProperties}>
              {faces.slice(-SHOWN).map((face, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- a place of the day
                <TicketCard key={at} face={face} width={72} />
              ))}
            </div>
          </li>
        ))}
    </ul>
  );
}

const rangeText = ({ days }: Week): string =>
  `${dayText(days[0]?.day ?? '').slice(0, -5)} – ${dayText(days[6]?.day ?? '').slice(0, -5)}`;

function Directions({ bullish, bearish }: Week) {
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
        <div className="grid content-start gap-2 p-5 md:p-7">
          <h2 id="week" className="text-lg">
            This week
          </h2>
          <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-5">
            <div className="grid gap-2">
              <p className="flex items-baseline gap-2">
                <b className="display text-6xl leading-none">{count.toLocaleString()}</b>
                <span className="font-semibold text-muted">{count === 1 ? 'card' : 'cards'}</span>
              </p>
              <Directions {...week} />
            </div>
            {count === 0 ? (
              <ButtonLink href={paths.home}>Swipe</ButtonLink>
            ) : (
              <ShareButton week={week} calls={calls} streak={streak} />
            )}
          </div>
        </div>
        <div className={cn(styles.perforation, 'grid content-start gap-5 p-5 md:p-7')}>
          <Holes days={week.days}>
            {streak > 0 ? <p className="text-sm font-semibold">{plural(streak, 'day')} in a row</p> : null}
          </Holes>
          <Days days={week.days} />
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
