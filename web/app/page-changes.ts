import { useEffect, useRef } from 'react';
import { documentTitle } from '#shared/screens.ts';
import { announce } from '../lib/announce.ts';
import { landing, screenOf, screens } from './routes.tsx';

/**
 * What a full page load would do by itself: new title, top of the page, focus at the start of the content, and a word to
 * screen readers. After Back and Forward scroll-place.ts brings the page to where it stood, before the next frame.
 */
export function usePageChanges(path: string): void {
  const first = useRef(true);
  useEffect(() => {
    addEventListener('pointerover', preload, { passive: true });
    addEventListener('focusin', preload);
    return () => {
      removeEventListener('pointerover', preload);
      removeEventListener('focusin', preload);
    };
  }, []);
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

/** Fetches a page's chunk when the pointer or the focus reaches a link to it. */
function preload(event: Event): void {
  const link = event.target instanceof Element ? event.target.closest('a[href^="/"]') : null;
  const path = link?.getAttribute('href')?.split(/[?#]/)[0];
  if (!path) return;
  const known = path === '/' ? [landing, screens[0]] : [screenOf(path)];
  // A failed load shows when the page is visited.
  for (const screen of known) screen?.load().catch(() => undefined);
}
