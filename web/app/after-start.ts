import { tolerateMovedNodes } from './moved-nodes.ts';
import { preloadPages } from './preload-pages.ts';
import { keepPlaces } from './scroll-place.ts';

/** What a page needs soon, but not for its first draw: one file, fetched beside the first page. */
export function startSoon(): void {
  tolerateMovedNodes();
  keepPlaces();
  preloadPages();
}
