import { navigate } from 'wouter/use-browser-location';
import { screenAt } from '#shared/site/screens.ts';
import { keepInstallOffer } from '../lib/install-offer.ts';
import { toast } from '../lib/toast.ts';
import { growPictures } from './grow.ts';
import { tolerateMovedNodes } from './moved-nodes.ts';
import { keepPlaces } from './scroll-place.ts';
import { landing, screenOf, screens } from './routes.tsx';

/** Paths of the screens whose code exists. */
const loaded = new Set<string>();

function preload(event: Event): void {
  const link = event.target instanceof Element ? event.target.closest('a[href^="/"]') : null;
  const path = link?.getAttribute('href')?.split(/[?#]/)[0];
  if (!path) return;
  const known = path === '/' ? [landing, screens[0]] : [screenOf(path)];
  for (const screen of known)
    screen?.load().then(
      () => loaded.add(screen.path),
      () => undefined,
    );
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

/** A link's votes leave the address at once (R76), and return to it where they could not be read, for the next load. */
function readCarried(): void {
  const { hash, pathname, search } = location;
  if (!hash.startsWith('#votes=')) return;
  const setHash = (next: string) => {
    if (location.pathname + location.search === pathname + search)
      history.replaceState(history.state, '', pathname + search + next);
  };
  setHash('');
  const putBack = () => {
    setHash(hash);
    toast({
      title: 'The votes of this link were not loaded',
      description: 'Nothing was sent. Reload the page to try again.',
    });
  };
  import('../offline/carried-votes.ts').then(({ takeCarried }) => takeCarried(hash)).catch(putBack);
}

export function startSoon(): void {
  import('./pages.ts').catch(() => undefined);
  addEventListener('click', followKeptLink);
  readCarried();
  addEventListener('hashchange', readCarried);
  tolerateMovedNodes();
  keepPlaces();
  growPictures((path) => path.startsWith('/projects/') && loaded.has(screenOf(path).path));
  preloadPages();
  keepInstallOffer();
}
