import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server';
import { Route, Router } from 'wouter';
import type { FirstPaint, FirstPaintHtml } from '#shared/first-paint.ts';
import { drawnScreens, SCREENS } from '#shared/screens.ts';
import { App } from './app.tsx';
import { pages } from './routes.tsx';
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

const drawn = await Promise.all(
  drawnScreens.map(async (name) => ({
    name,
    path: SCREENS[name].path,
    Page: withQueries(await pages[name](), 'private' in SCREENS[name]),
  })),
);

function pageOf({ path, data }: FirstPaint): [pattern: string, Page: ComponentType] | null {
  if (path === SCREENS.home.path && !data.session) return [path, Landing];
  const screen = drawn.find(({ name }) => data[name]);
  return screen ? [screen.path, screen.Page] : null;
}

/** For the server: the HTML of a page, which the browser hydrates (web/app/main.tsx). Module state is set for this one synchronous call. */
export function renderFirstPaint(firstPaint: FirstPaint): FirstPaintHtml | null {
  const { path, search, site, data } = firstPaint;
  const found = pageOf(firstPaint);
  if (!found && !data.session) return null;
  const [pattern, Page] = found ?? ['*', PageSkeleton];
  setSite(site);
  session.drawAs(data.session);
  primeQueries(data);
  primeDeck();
  dealGuestCards(data.guestCards);
  try {
    const page = (
      <Route path={pattern}>
        <Page />
      </Route>
    );
    const html = renderToString(
      <Router ssrPath={path} ssrSearch={search}>
        <App page={page} />
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
