import { Suspense, type ReactNode } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { Boundary } from '../components/states/boundary.tsx';
import { Footer } from '../components/layout/footer.tsx';
import { Header } from '../components/layout/header.tsx';
import { LiveRegion } from '../components/layout/live-region.tsx';
import { NetworkBanner } from '../components/layout/network-banner.tsx';
import { PageBoundary } from '../components/states/page-boundary.tsx';
import { PageSkeleton } from '../components/states/page-skeleton.tsx';
import { Toaster } from '../components/layout/toaster.tsx';
import { usePageChanges } from './page-changes.ts';
import { landing, screens } from './routes.tsx';
import { useSessionStatus } from '../lib/session.ts';
import { ConnectDialogHost } from '../wallet-gate.ts';

function Pages() {
  const signedOut = useSessionStatus() === 'none';
  return (
    <Switch>
      {screens.map((screen) => {
        const { Part: Page } = screen.path === '/' && signedOut ? landing : screen;
        return (
          <Route key={screen.path} path={screen.path}>
            <Page />
          </Route>
        );
      })}
    </Switch>
  );
}

/** `page` replaces the page of the address where its code cannot be loaded on demand: on the server. */
export function App({ page }: { page?: ReactNode }) {
  const [path] = useLocation();
  usePageChanges(path);
  return (
    <>
      <div className="flex min-h-dvh flex-col">
        <a
          href="#main"
          className="sr-only z-50 rounded-full bg-accent px-5 py-3 font-semibold text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
        >
          Skip to content
        </a>
        <NetworkBanner />
        <Header />
        <main id="main" tabIndex={-1} className="flex-1 overflow-x-clip">
          <PageBoundary key={path}>
            <Suspense fallback={<PageSkeleton />}>{page ?? <Pages />}</Suspense>
          </PageBoundary>
        </main>
        <Footer />
      </div>
      <Boundary renderFailure={() => null}>
        <ConnectDialogHost />
      </Boundary>
      <Toaster />
      <LiveRegion />
    </>
  );
}
