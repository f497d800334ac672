import type { ReasonFigures } from '#shared/contract/types.ts';
import { ReasonShares } from '../../components/values/reason-shares.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';

const GROUPS = ['verified', 'others'] as const;
const DIRECTIONS = ['bullish', 'bearish'] as const;

/** Newest figures of each group and direction, and earlier ones when asked for (R89). */
export function Reasons({ weeks }: { weeks: readonly ReasonFigures[] }) {
  if (weeks.length === 0) return null;
  const newest = GROUPS.flatMap((group) =>
    DIRECTIONS.flatMap(
      (direction) => weeks.findLast((week) => week.group === group && week.direction === direction) ?? [],
    ),
  );
  const earlier = weeks.filter((week) => !newest.includes(week)).toReversed();
  return (
    <Card aria-labelledby="reasons" className="grid content-start gap-4">
      <CardTitle id="reasons">Why</CardTitle>
      {newest.map((week) => (
        <ReasonShares key={`${week.group} ${week.direction}`} figures={week} />
      ))}
      {earlier.length === 0 ? null : (
        <details>
          <summary className="inline-flex min-h-11 items-center text-sm font-semibold text-link underline underline-offset-4">
            Earlier weeks
          </summary>
          <div className="grid gap-4">
            {earlier.map((week) => (
              <ReasonShares key={`${week.day} ${week.group} ${week.direction}`} figures={week} />
            ))}
          </div>
        </details>
      )}
    </Card>
  );
}
