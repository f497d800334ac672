import { useEffect, useRef } from 'react';
import { documentTitle } from '#shared/screens.ts';
import { announce } from '../lib/announce.ts';
import { screenOf } from './routes.tsx';

/** Does what a full page load would do. After Back, scroll-place.ts restores the scroll position. */
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
