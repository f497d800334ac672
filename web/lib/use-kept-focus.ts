import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Keeps the focus near a part that disappears by itself. A layout effect: once the part is gone, nothing has the focus. */
export function useKeptFocus<Part extends HTMLElement>(): RefObject<Part | null> {
  const ref = useRef<Part>(null);
  useLayoutEffect(() => {
    const part = ref.current;
    return () => {
      if (part?.contains(document.activeElement))
        (part.closest<HTMLElement>('section') ?? document.getElementById('main'))?.focus({ preventScroll: true });
    };
  }, []);
  return ref;
}
