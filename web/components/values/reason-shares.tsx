import type { ReasonFigures } from '#shared/contract/types.ts';
import { dayText } from '#shared/text/day-text.ts';
import { plural } from '#shared/numbers/plural.ts';
import { REASON_LABELS, sharesOfReasons } from '#shared/voting/reasons.ts';

const SIDES: Record<ReasonFigures['direction'], { label: string; bar: string }> = {
  bullish: { label: 'Bullish', bar: 'bg-bull' },
  bearish: { label: 'Bearish', bar: 'bg-bear' },
};
const GROUPS: Record<ReasonFigures['group'], string> = { verified: 'verified voter', others: 'other voter' };

/** 'Of 41 verified voters, 29 Mar 2026'. */
const reasonsSample = ({ voters, group, day }: ReasonFigures): string =>
  `Of ${plural(voters, GROUPS[group])}, ${dayText(day)}`;

/** Why the voters of one group and direction voted as they did (R89). */
export function ReasonShares({ figures }: { figures: ReasonFigures }) {
  const { label, bar } = SIDES[figures.direction];
  return (
    <div className="grid min-w-0 content-start gap-2">
      <p className="font-semibold">{label}</p>
      <ul className="grid gap-1 text-sm">
        {sharesOfReasons(figures).map(({ reason, percentage }) => (
          <li key={reason} className="grid grid-cols-[minmax(0,6rem)_minmax(0,1fr)_auto] items-center gap-2">
            <span title={REASON_LABELS[reason]} className="truncate">
              {REASON_LABELS[reason]}
            </span>
            <span aria-hidden className="h-2.5 overflow-hidden rounded-full bg-raised">
              <span className={`block h-full rounded-full ${bar}`} style={{ width: `${percentage}%` }} />
            </span>
            <span className="min-w-10 text-end tabular-nums">{`${percentage}%`}</span>
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted">{reasonsSample(figures)}</p>
    </div>
  );
}
