import { ListOrdered } from 'lucide-react';
import { TREND_DAYS } from '#shared/trending.ts';
import { Card, CardTitle } from '../../ui/card.tsx';

const SORTS = [
  ['Bullish', 'The share of bullish votes, then how many votes there are, then age.'],
  ['Confidence', 'The lower bound of the 95% Wilson interval of that share.'],
  ['Verified', 'The same bound, over verified votes alone.'],
  ['New', 'The day of the listing; a renewal changes nothing.'],
  [
    'Trending',
    `The same bound over the verified votes of the last ${TREND_DAYS} days, times log2(1 + w ÷ ${TREND_DAYS}). For w a vote of today ` +
      `counts ${TREND_DAYS}, one of yesterday ${TREND_DAYS - 1}, and so on down to 1.`,
  ],
] as const;

/** The formulas of the leaderboard (R27, R44). */
export function Ranking() {
  return (
    <Card aria-labelledby="ranking">
      <CardTitle id="ranking" icon={<ListOrdered aria-hidden size={20} className="text-link" />}>
        How the leaderboard ranks
      </CardTitle>
      <dl className="grid gap-3">
        {SORTS.map(([name, formula]) => (
          <div key={name}>
            <dt className="font-semibold">{name}</dt>
            <dd className="text-muted">{formula}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-muted">
        No payment is part of any of them: listing and renewing in whatever order and number give the same places, and a
        published test proves it.
      </p>
    </Card>
  );
}
