/** Loads the screens, one chunk each. The names of their files would be a fortieth of the first JavaScript, so they are apart from routes.tsx. */
import type { ComponentType } from 'react';
import { SCREENS, type ScreenName } from '#shared/site/screens.ts';

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

export async function loadPage(name: ScreenName): Promise<ComponentType> {
  const [Page, { withQueries }] = await Promise.all([pages[name](), import('../components/session/with-queries.tsx')]);
  return withQueries(Page, 'private' in SCREENS[name]);
}

export const loadNotFound = async (): Promise<ComponentType> =>
  (await import('../pages/not-found/not-found-page.tsx')).NotFoundPage;

export const loadFooter = async () => (await import('../components/layout/footer.tsx')).Footer;

export const loadAccountMenu = async () => (await import('../components/session/account-menu.tsx')).AccountMenu;

export const loadToastViewport = async () => (await import('../components/layout/toast-viewport.tsx')).ToastViewport;
