import { navigate } from 'wouter/use-browser-location';
import { screenAt } from '#shared/screens.ts';
import { tolerateMovedNodes } from './moved-nodes.ts';
import { keepPlaces } from './scroll-place.ts';
import { landing, screenOf, screens } from './routes.tsx';

function preload(event: Event): void {
  const link = event.target instanceof Element ? event.target.closest('a[href^="/"]') : null;
  const path = link?.getAttribute('href')?.split(/[?#]/)[0];
  if (!path) return;
  const known = path === '/' ? [landing, screens[0]] : [screenOf(path)];
  for (const screen of known) screen?.load().catch(() => undefined);
}

function preloadPages(): void {
  addEventListener('pointerover', preload, { passive: true });
  addEventListener('focusin', preload);
}

/** Links in kept HTML have no handlers of their own (components/states/kept.tsx). */
function followKeptLink(event: MouseEvent): void {
  const { target, button, altKey, ctrlKey, metaKey, shiftKey } = event;
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('[data-kept] a[href^="/"]') : null;
  if (!link || event.defaultPrevented || button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return;
  if (screenAt(link.pathname) === null) return;
  event.preventDefault();
  navigate(link.pathname);
}

export function startSoon(): void {
  addEventListener('click', followKeptLink);
  tolerateMovedNodes();
  keepPlaces();
  preloadPages();
}
