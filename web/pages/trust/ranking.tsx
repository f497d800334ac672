import { ListOrdered } from 'lucide-react';
import { RANK_MIN_PROJECTS, RANK_MIN_VOTES } from '#shared/sorts.ts';
import { TREND_DAYS } from '#shared/trending.ts';
import { Fold } from '../../ui/fold.tsx';

const SORTS = [
  ['Bullish', 'The share of bullish votes, then how many votes there are, then age.'],
  [
    'Verified',
    'The lowest share that is likely: the lower bound of the 95% Wilson interval, over verified votes only.',
  ],
  ['New', 'The day of the listing; a renewal changes nothing.'],
  [
    'Trending',
    `The same bound over the verified votes of the last ${TREND_DAYS} days, times log2(1 + w ÷ ${TREND_DAYS}). For w a vote of today ` +
      `counts ${TREND_DAYS}, one of yesterday ${TREND_DAYS - 1}, and so on down to 1.`,
  ],
] as const;

export function Ranking() {
  return (
    <Fold
      id="ranking"
      title="How the leaderboard ranks"
      icon={<ListOrdered aria-hidden size={20} className="text-link" />}
    >
      <dl className="grid gap-3">
        {SORTS.map(([name, formula]) => (
          <div key={name}>
            <dt className="font-semibold">{name}</dt>
            <dd className="text-muted">{formula}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-muted">
        In the first two, a rank takes {RANK_MIN_VOTES} verified votes, given or confirmed since the last new name,
        picture, X account or website. Projects with fewer follow without one. While fewer than {RANK_MIN_PROJECTS}{' '}
        projects have so many, all of them have a rank.
      </p>
      <p className="mt-4 text-muted">
        Paying never raises a rank; a test in the source pays, renews and updates in every order, and no place gets
        better. Votes can change. Names cannot, silently: after a new name, picture, X account or website, Verified and
        Trending use the votes given or confirmed since where these rank lower, until as many verified votes exist as
        before.
      </p>
    </Fold>
  );
}
