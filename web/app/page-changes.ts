import { useEffect, useRef } from 'react';
import { documentTitle } from '#shared/screens.ts';
import { announce } from '../lib/announce.ts';
import { screenOf } from './routes.tsx';

/**
 * Does what a full page load would do: new title, top of the page, focus at the start of the content, and a word to screen readers. After
 * Back and Forward scroll-place.ts restores the scroll position, before the next frame.
 */
export function usePageChanges(path: string): void {
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
