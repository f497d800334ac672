import { shortType } from '#shared/listings/ownership.ts';
import { paths } from '../../lib/paths.ts';
import { ButtonLink } from '../../ui/button.tsx';

/** The address of a coin that no listing names leads here (server/open/lookup/routes.ts). */
const unlistedCoin = (): string | null =>
  location.pathname === '/coins' ? new URLSearchParams(location.search).get('type') : null;

export function NotFoundPage() {
  const coin = unlistedCoin();
  return (
    <div className="page grid min-h-[60dvh] content-center justify-items-center gap-6 py-12 text-center">
      <div aria-hidden className="relative h-48 w-72">
        {['-rotate-12 -translate-x-20 translate-y-3', 'rotate-3 z-1', 'rotate-14 translate-x-20 translate-y-4'].map(
          (place, index) => (
            <span
              key={place}
              className={`absolute inset-x-0 top-4 mx-auto grid h-40 w-28 place-items-center rounded-xl border-4 border-overlay bg-raised font-display text-6xl font-extrabold shadow-card ${place} ${
                index === 1 ? 'text-link' : 'text-faint'
              }`}
            >
              {[4, 0, 4][index]}
            </span>
          ),
        )}
      </div>
      <h1 className="text-2xl md:text-4xl">{coin ? 'Not Listed Yet' : '404 Page Not Found'}</h1>
      <p className="max-w-prose text-lg wrap-anywhere text-muted">
        {coin
          ? `No listing names ${shortType(coin)}.`
          : 'This card is not in the deck. The link may have lost a letter on its way.'}
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        {coin ? (
          <ButtonLink href={`${paths['submit-project']}?coin=${encodeURIComponent(coin)}`}>This is mine</ButtonLink>
        ) : (
          <ButtonLink href={paths.home}>Back to Home</ButtonLink>
        )}
        <ButtonLink href={paths.leaderboard} variant="secondary">
          See the leaderboard
        </ButtonLink>
      </div>
    </div>
  );
}
