import { Suspense, type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { Boundary } from '../components/states/boundary.tsx';
import { Header } from '../components/layout/header.tsx';
import { Kept } from '../components/states/kept.tsx';
import { LiveRegion } from '../components/layout/live-region.tsx';
import { PageBoundary } from '../components/states/page-boundary.tsx';
import { PageSkeleton } from '../components/states/page-skeleton.tsx';
import { Toaster } from '../components/layout/toaster.tsx';
import { loadable } from '../lib/loadable.tsx';
import { landing, screenOf } from './routes.tsx';
import { useSessionStatus } from '../lib/session.ts';
import { ConnectDialogHost } from '../wallet-gate.ts';
import { documentTitle } from '#shared/site/screens.ts';
import { announce } from '../lib/announce.ts';
import { pressEarlyButton } from '../lib/early-press.ts';
import { FlaskConical } from 'lucide-react';
import { useSiteConfig } from '../lib/site.ts';

function NetworkBanner() {
  const site = useSiteConfig();
  if (!site || site.network === 'mainnet') return null;
  return (
    <aside
      aria-label="Network"
      data-network
      className="flex min-h-9 items-center justify-center gap-2 bg-raised px-4 py-1.5 text-center text-sm font-semibold text-text"
    >
      <FlaskConical aria-hidden size={16} className="shrink-0" />
      <span>Sui {site.network}: test network, no real value</span>
    </aside>
  );
}

function Pages({ path }: { path: string }) {
  const signedOut = useSessionStatus() === 'none';
  const screen = screenOf(path);
  const { Part: Page } = screen.path === '/' && signedOut ? landing : screen;
  return <Page key={screen.path} />;
}

export const menu = loadable(async () => (await import('./pages.ts')).loadAccountMenu());

/** Plain words replace what cannot be loaded: a reload would end what the toast is about. */
export const toasts = loadable(
  async () => (await import('./pages.ts')).loadToastViewport(),
  (chunk) => chunk,
);

/** The server draws it before the browser needs its code. */
export const footer = loadable(async () => (await import('./pages.ts')).loadFooter());

/** Does what a full page load would do. After Back, scroll-place.ts restores the scroll position. */
function usePageChanges(path: string): void {
  const first = useRef(true);
  useEffect(() => {
    const { title } = screenOf(path);
    if (title !== null) document.title = documentTitle(title);
    if (first.current) {
      first.current = false;
      return;
    }
    scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
    if (title) announce(title);
  }, [path]);
}

/** `page` replaces the page of the address where its code cannot be loaded on demand: on the server. */
export function App({ page }: { page?: ReactNode }) {
  const [path] = useLocation();
  usePageChanges(path);
  useEffect(pressEarlyButton, []);
  return (
    <>
      <div className="flex min-h-dvh flex-col">
        <a
          href="#main"
          className="sr-only z-50 rounded-full bg-accent px-5 py-3 font-semibold text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:start-3"
        >
          Skip to content
        </a>
        <NetworkBanner />
        <Header menu={menu} />
        <main id="main" tabIndex={-1} className="flex-1 overflow-x-clip">
          <PageBoundary key={path}>
            <Suspense fallback={<PageSkeleton />}>{page ?? <Pages path={path} />}</Suspense>
          </PageBoundary>
        </main>
        <Kept>
          <Boundary renderFailure={() => null}>
            <Suspense>
              <footer.Part />
            </Suspense>
          </Boundary>
        </Kept>
        <Toaster viewport={toasts} />
      </div>
      <Boundary renderFailure={() => null}>
        <ConnectDialogHost />
      </Boundary>
      <LiveRegion />
    </>
  );
}
