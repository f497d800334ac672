import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server';
import { Route, Router } from 'wouter';
import type { FirstPaint } from '#shared/first-paint.ts';
import { App } from './app.tsx';
import { LandingPage } from './pages/landing/landing-page.tsx';
import { LeaderboardPage } from './pages/leaderboard/leaderboard-page.tsx';
import { ProjectPage } from './pages/project/project-page.tsx';
import { primeQueries, queryClient } from './queries.ts';
import { setSite } from './site.ts';
import { withQueries } from './with-queries.tsx';

const Leaderboard = withQueries(LeaderboardPage);
const Project = withQueries(ProjectPage);

/** The pattern of web/routes.tsx and the page of a path, where its first data is there; null for any other. */
function pageOf({ path, data }: FirstPaint): [pattern: string, Page: ComponentType] | null {
  if (path === '/') return ['/', LandingPage];
  if (path === '/leaderboard' && data.leaderboard) return [path, Leaderboard];
  return data.project ? ['/projects/:ref', Project] : null;
}

/**
 * For the server: a page's HTML, which the browser takes over once its code is there (web/main.tsx). What the page reads of
 * modules is set for the one call, which nothing can interrupt.
 */
export function renderFirstPaint(firstPaint: FirstPaint): string | null {
  const found = pageOf(firstPaint);
  if (!found) return null;
  const [pattern, Page] = found;
  setSite(firstPaint.site);
  primeQueries(firstPaint.data);
  try {
    const page = (
      <Route path={pattern}>
        <Page />
      </Route>
    );
    return renderToString(
      <Router ssrPath={firstPaint.path} ssrSearch="">
        <App page={page} />
      </Router>,
    );
  } finally {
    primeQueries({});
    queryClient.clear();
  }
}
