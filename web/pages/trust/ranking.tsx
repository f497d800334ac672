import type { Trust } from '#shared/contract/standing.ts';
import { plural } from '#shared/numbers/plural.ts';
import { RANK_MIN_PROJECTS, RANK_MIN_VOTES } from '#shared/figures/sorts.ts';
import { TREND_DAYS } from '#shared/figures/trending.ts';
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
    `The same bound over the verified votes of the last ${TREND_DAYS} closed days, times log2(1 + w ÷ ${TREND_DAYS}). For w a vote of the last ` +
      `one counts ${TREND_DAYS}, one of the day before ${TREND_DAYS - 1}, and so on down to 1.`,
  ],
] as const;

/** The price of the first place without SUI (R27). */
function FreeWallets({ bullish, verified }: Trust['freeWallets']) {
  if (bullish === 0) return null;
  return (
    <p className="mt-4 text-muted">
      Wallets without SUI are free. In Bullish, <b className="text-text">{plural(bullish ?? 0, 'free wallet')}</b> could
      bring the last project with a rank to the top, by voting for it and against all others. In Verified,{' '}
      {verified === null
        ? 'no number of them can.'
        : `${verified.toLocaleString()} could, because these projects have no verified votes that tell them apart yet.`}
    </p>
  );
}

export function Ranking({ freeWallets }: { freeWallets: Trust['freeWallets'] | undefined }) {
  return (
    <Fold id="ranking" title="How the leaderboard ranks">
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
      {freeWallets ? <FreeWallets {...freeWallets} /> : null}
      <p className="mt-4 text-muted">
        Paying never raises a rank; a test in the source pays, renews and updates in every order, and no place gets
        better. Names cannot change in secret: after a new name, picture, X account or website, Verified and Trending
        use the votes given or confirmed since where these rank lower, until as many verified votes exist as before.
      </p>
    </Fold>
  );
}
