/** The screens, one chunk each. wouter takes 2 KB gzip; react-router in data mode 27 of the 86 KB of the first JavaScript. */
import type { ComponentType } from 'react';
import { NOT_FOUND_TITLE, screenAt, screenNames, SCREENS, type ScreenName } from '#shared/screens.ts';
import { loadable, type Loadable } from '../lib/loadable.tsx';

interface Screen extends Loadable {
  path: string;
  title: string | null;
}

export const pages: Record<ScreenName, () => Promise<ComponentType>> = {
  home: async () => (await import('../pages/home/home-page.tsx')).HomePage,
  subscription: async () => (await import('../pages/subscription/subscription-page.tsx')).SubscriptionPage,
  'submit-project': async () => (await import('../pages/submit-project/submit-project-page.tsx')).SubmitProjectPage,
  profile: async () => (await import('../pages/profile/profile-page.tsx')).ProfilePage,
  portfolio: async () => (await import('../pages/portfolio/portfolio-page.tsx')).PortfolioPage,
  project: async () => (await import('../pages/project/project-page.tsx')).ProjectPage,
  insights: async () => (await import('../pages/insights/insights-page.tsx')).InsightsPage,
  leaderboard: async () => (await import('../pages/leaderboard/leaderboard-page.tsx')).LeaderboardPage,
  trust: async () => (await import('../pages/trust/trust-page.tsx')).TrustPage,
  supply: async () => (await import('../pages/supply/supply-page.tsx')).SupplyPage,
  developers: async () => (await import('../pages/developers/developers-page.tsx')).DevelopersPage,
  admin: async () => (await import('../pages/admin/admin-page.tsx')).AdminPage,
};

const known = screenNames.map((name): Screen => {
  const loadBoth = async () => {
    const [Page, { withQueries }] = await Promise.all([
      pages[name](),
      import('../components/session/with-queries.tsx'),
    ]);
    return withQueries(Page, 'private' in SCREENS[name]);
  };
  return { ...SCREENS[name], ...loadable(loadBoth) };
});

const notFound: Screen = {
  path: '*',
  title: NOT_FOUND_TITLE,
  ...loadable(async () => (await import('../pages/not-found/not-found-page.tsx')).NotFoundPage),
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
