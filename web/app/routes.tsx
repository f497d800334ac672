/** The screens. wouter takes 1 KB gzip; react-router in data mode 27 of the 83 KB of the first JavaScript. */
import { NOT_FOUND_TITLE, screenAt, screenNames, SCREENS } from '#shared/site/screens.ts';
import { loadable, type Loadable } from '../lib/loadable.tsx';

interface Screen extends Loadable {
  path: string;
  title: string | null;
}

const known = screenNames.map((name): Screen => ({
  ...SCREENS[name],
  ...loadable(async () => (await import('./pages.ts')).loadPage(name)),
}));

const notFound: Screen = {
  path: '*',
  title: NOT_FOUND_TITLE,
  ...loadable(async () => (await import('./pages.ts')).loadNotFound()),
};

export const landing: Screen = {
  ...SCREENS.home,
  // With the deck: what the server drew is then hydrated at one go.
  ...loadable(async () => {
    const { LandingPage, loadDeck } = await import('../pages/landing/landing-page.tsx');
    await loadDeck().catch(() => undefined);
    return LandingPage;
  }),
};

export const screens: readonly Screen[] = [...known, notFound];

export function screenOf(path: string): Screen {
  const name = screenAt(path);
  return (name && known[screenNames.indexOf(name)]) ?? notFound;
}
