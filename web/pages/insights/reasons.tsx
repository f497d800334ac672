import { MessageCircleQuestion } from 'lucide-react';
import type { ReasonFigures } from '#shared/contract/types.ts';
import { dayText } from '#shared/day-text.ts';
import { plural } from '#shared/plural.ts';
import { REASON_LABELS, sharesOfReasons } from '#shared/reasons.ts';
import { Card, CardTitle } from '../../ui/card.tsx';
import { cn } from '../../ui/class-names.ts';

const SIDES = { bullish: 'Bullish because', bearish: 'Bearish because' } as const;

function Week({ figures }: { figures: ReasonFigures }) {
  const { day, group, direction, voters } = figures;
  return (
    <li className="grid gap-2">
      <p>
        <b>{SIDES[direction]}</b>{' '}
        <span className="text-sm text-muted">
          {plural(voters, group === 'verified' ? 'verified voter' : 'other voter')}, {dayText(day)}
        </span>
      </p>
      <ul className="grid gap-1.5 text-sm">
        {sharesOfReasons(figures).map(({ reason, percentage }) => (
          <li key={reason} className="grid grid-cols-[6rem_1fr_3rem] items-center gap-2">
            <span>{REASON_LABELS[reason]}</span>
            <span aria-hidden className="h-2.5 overflow-hidden rounded-full bg-raised">
              <span
                className={cn('block h-full rounded-full', direction === 'bullish' ? 'bg-bull' : 'bg-bear')}
                style={{ width: `${percentage}%` }}
              />
            </span>
            <span className="text-right tabular-nums">{percentage}%</span>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** Why voters voted as they did (R89), newest first. */
export function Reasons({ weeks }: { weeks: readonly ReasonFigures[] }) {
  return (
    <Card aria-labelledby="reasons" className="grid content-start gap-4">
      <CardTitle id="reasons" icon={<MessageCircleQuestion aria-hidden size={20} className="text-link" />}>
        Why they voted
      </CardTitle>
      {weeks.length === 0 ? (
        <p className="text-sm text-muted">
          Reasons appear here once ten voters of one direction gave some, at most once a week.
        </p>
      ) : (
        <ul className="grid gap-5">
          {weeks.toReversed().map((figures) => (
            <Week key={`${figures.day} ${figures.group} ${figures.direction}`} figures={figures} />
          ))}
        </ul>
      )}
    </Card>
  );
}
