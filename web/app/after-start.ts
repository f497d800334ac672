import { keepInstallOffer } from '../lib/install-offer.ts';
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

export function startSoon(): void {
  tolerateMovedNodes();
  keepPlaces();
  preloadPages();
  keepInstallOffer();
}
