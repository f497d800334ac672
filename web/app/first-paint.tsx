import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server';
import { Router } from 'wouter';
import type { FirstPaint, FirstPaintHtml } from '#shared/site/first-paint.ts';
import { drawnScreens, SCREENS } from '#shared/site/screens.ts';
import { App, footer } from './app.tsx';
import { pages } from './pages.ts';
import { PageSkeleton } from '../components/states/page-skeleton.tsx';
import { openDeck, primeDeck } from '../pages/home/deck/vote.ts';
import { LandingPage } from '../pages/landing/landing-page.tsx';
import { dealGuestCards } from '../pages/landing/guest.ts';
import { GuestDeck } from '../pages/landing/guest-deck.tsx';
import { Features, Steps } from '../pages/landing/later.tsx';
import { primeQueries, queryClient } from '../lib/queries.ts';
import { session } from '../lib/session.ts';
import { setSite } from '../lib/site.ts';
import { withQueries } from '../components/session/with-queries.tsx';

const Landing = () => <LandingPage Deck={GuestDeck} Steps={Steps} Features={Features} />;

await footer.load();
const drawn = await Promise.all(
  drawnScreens.map(async (name) => ({
    name,
    Page: withQueries(await pages[name](), 'private' in SCREENS[name]),
  })),
);

function pageOf({ path, data }: FirstPaint): ComponentType | null {
  if (path === SCREENS.home.path && !data.session) return Landing;
  return drawn.find(({ name }) => data[name])?.Page ?? null;
}

/** For the server: the HTML of a page, which the browser hydrates (web/app/main.tsx). Module state is set for this one synchronous call. */
export function renderFirstPaint(firstPaint: FirstPaint): FirstPaintHtml | null {
  const { path, search, site, data } = firstPaint;
  const found = pageOf(firstPaint);
  if (!found && !data.session) return null;
  const Page = found ?? PageSkeleton;
  setSite(site);
  session.drawAs(data.session);
  primeQueries(data);
  primeDeck();
  dealGuestCards(data.guestCards);
  try {
    const html = renderToString(
      <Router ssrPath={path} ssrSearch={search}>
        <App page={<Page />} />
      </Router>,
    );
    return { html, isShell: !found };
  } finally {
    session.drawAs(undefined);
    primeQueries({});
    openDeck(0);
    dealGuestCards(undefined);
    queryClient.clear();
  }
}
