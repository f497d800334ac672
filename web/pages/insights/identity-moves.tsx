import type { Insights } from '#shared/contract/insights.ts';
import { dayText } from '#shared/text/day-text.ts';
import { bullishPercentage } from '#shared/rules.ts';
import { changeText } from '#shared/listings/change-text.ts';
import { type DayFigures, shareMoves } from '#shared/figures/insights.ts';
import { intervalText, type VoteCounts } from '#shared/numbers/interval.ts';
import { Card, CardTitle } from '../../ui/card.tsx';

/** '71% of 240'. */
const shareText = ({ bullish, bearish }: VoteCounts): string =>
  `${bullishPercentage(bullish, bearish)}% of ${(bullish + bearish).toLocaleString('en')}`;

export function IdentityMoves({ days, changes }: { days: readonly DayFigures[]; changes: Insights['changes'] }) {
  const moves = shareMoves(days, changes);
  if (moves.length === 0) return null;
  return (
    <Card aria-labelledby="moves">
      <CardTitle id="moves">Share after each change</CardTitle>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-x-8 gap-y-3">
        {moves.map(({ change, before, after }) => (
          <li key={change.at} className="grid">
            <span dir="auto" className="text-sm wrap-anywhere text-muted">
              {dayText(change.at)}: {changeText(change)}
            </span>
            <span className="font-semibold">
              {shareText(before)} before · {shareText(after)} after
            </span>
            <span className="text-sm text-muted">
              likely {intervalText(before)} before, {intervalText(after)} after
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
