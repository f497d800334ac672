import type { ComponentType } from 'react';
import { loadable, type Loadable } from '../lib/loadable.tsx';

interface Screen extends Loadable {
  /** Pattern of the address (S2.1–S2.9); the last one takes everything else. */
  path: string;
  /** Start of the document's title; null where the page sets its own. */
  title: string | null;
}

/** A screen without reads: it shows before the query library is there. */
function plainScreen<M extends Record<K, ComponentType>, K extends string>(
  path: string,
  title: string | null,
  load: () => Promise<M>,
  name: K,
): Screen {
  return { path, title, ...loadable(async () => (await load())[name]) };
}

/**
 * A screen that may use `useQuery`; page and query library are fetched side by side, and neither is in the first chunk.
 * `isPrivate` where it shows own data only.
 */
function screen<M extends Record<K, ComponentType>, K extends string>(
  path: string,
  title: string | null,
  load: () => Promise<M>,
  name: K,
  isPrivate = false,
): Screen {
  const loadBoth = async () => {
    const [module, { withQueries }] = await Promise.all([load(), import('../components/session/with-queries.tsx')]);
    return withQueries(module[name], isPrivate);
  };
  return { path, title, ...loadable(loadBoth) };
}

const notFound = plainScreen(
  '*',
  '404 Page Not Found',
  () => import('../pages/not-found/not-found-page.tsx'),
  'NotFoundPage',
);

/** Landing page of visitors at / (S2.1). */
export const landing = plainScreen('/', '', () => import('../pages/landing/landing-page.tsx'), 'LandingPage');

/** Every screen, first match wins. At / signed-out visitors get `landing` instead. */
export const screens: readonly Screen[] = [
  screen('/', '', () => import('../pages/home/home-page.tsx'), 'HomePage'),
  screen('/subscription', 'Plans', () => import('../pages/subscription/subscription-page.tsx'), 'SubscriptionPage'),
  screen(
    '/submit-project',
    'Submit a project',
    () => import('../pages/submit-project/submit-project-page.tsx'),
    'SubmitProjectPage',
  ),
  screen('/profile', 'Profile', () => import('../pages/profile/profile-page.tsx'), 'ProfilePage', true),
  screen('/portfolio', 'Portfolio', () => import('../pages/portfolio/portfolio-page.tsx'), 'PortfolioPage', true),
  screen('/projects/:ref', null, () => import('../pages/project/project-page.tsx'), 'ProjectPage'),
  screen(
    '/leaderboard',
    'Project Leaderboard',
    () => import('../pages/leaderboard/leaderboard-page.tsx'),
    'LeaderboardPage',
  ),
  screen('/supply', 'Token supply', () => import('../pages/supply/supply-page.tsx'), 'SupplyPage'),
  screen('/admin', 'Admin', () => import('../pages/admin/admin-page.tsx'), 'AdminPage', true),
  notFound,
];

/** The screen of a path without query; case counts as little as in the router. */
export function screenOf(path: string): Screen {
  const parts = path
    .toLowerCase()
    .replace(/(?<=.)\/+$/, '')
    .split('/');
  const found = screens.find(({ path: pattern }) => {
    const wanted = pattern.split('/');
    return (
      wanted.length === parts.length &&
      wanted.every((part, i) => part === parts[i] || (part.startsWith(':') && parts[i]))
    );
  });
  return found ?? notFound;
}
