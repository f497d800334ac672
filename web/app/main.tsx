import { startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { numberStyle } from '#shared/site/first-paint.ts';
import { App, menu } from './app.tsx';
import { suppressExtensionErrors } from './extension-errors.ts';
import { landing, screenOf } from './routes.tsx';
import { session, startSession } from '../lib/session.ts';
import '../styles/app.css';
import { startTheme } from '../lib/theme.ts';

declare global {
  interface Window {
    drawnUrl?: string;
  }
}

function rootElement(): HTMLElement {
  const root = document.getElementById('root');
  if (!root) throw new Error('No #root');
  return root;
}

suppressExtensionErrors();
startTheme();
startSession();

const first = location.pathname === '/' && session.get().user === null ? landing : screenOf(location.pathname);
const loading = first.load();
loading.catch(() => undefined);
if (session.get().user) menu.load().catch(() => undefined);
// Restores scroll places, preloads pages, and keeps a translated page alive (R81).
import('./after-start.ts').then(({ startSoon }) => startSoon()).catch(() => undefined);

const root = rootElement();
const app = import.meta.env.DEV ? (
  <StrictMode>
    <App />
  </StrictMode>
) : (
  <App />
);
function takeOver(): void {
  // A transition hydrates in short steps, between which the page scrolls. A page that an extension or a translation has changed is drawn
  // again without an error.
  const onRecoverableError = (error: unknown): void => console.warn('Drawn again', error);
  startTransition(() => void hydrateRoot(root, app, { onRecoverableError }));
  if (window.early) window.early.isLive = true;
}
const draw = () => createRoot(root).render(app);
const { numbers, drawnFor, shell } = root.dataset;
/** Whether the server's drawing is of this page: a session can end and Back can be pressed while code loads. */
const isOfPage = () =>
  drawnFor === String(session.get().user?.id ?? '') && window.drawnUrl === location.pathname + location.search;
const isDrawn = () => shell === undefined && isOfPage() && numbers === numberStyle();
// Taken over, or drawn in the reader's numbers, once the whole page has loaded: it shows all the while.
if (isOfPage()) loading.then(() => (isDrawn() ? takeOver() : draw()), draw);
else draw();

function standBy(): void {
  import('./stand-by.ts').then(({ startLater }) => startLater()).catch(() => undefined);
}
const STAND_BY_AFTER_MS = 2_000;
// Safari has no requestIdleCallback.
void loading.finally(() => setTimeout(() => (window.requestIdleCallback ?? setTimeout)(standBy), STAND_BY_AFTER_MS));
