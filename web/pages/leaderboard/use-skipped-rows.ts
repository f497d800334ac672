import { type RefObject, useEffect } from 'react';

/** A shorter list costs less to draw than to measure. */
const MANY = 30;

/**
 * Lets the browser skip the rows of a long list that are off the screen. Rows on it are never skipped: browsers count that as a layout
 * shift.
 */
export function useSkippedRows(listRef: RefObject<Element | null>, count: number): void {
  useEffect(() => {
    if (count < MANY) return undefined;
    const observer = new IntersectionObserver((rows) => {
      observer.disconnect();
      for (const { target, isIntersecting } of rows) target.toggleAttribute('data-far', !isIntersecting);
    });
    const observe = () => {
      for (const row of listRef.current?.children ?? []) observer.observe(row);
    };
    // Another font has other lines.
    void document.fonts.ready.then(observe);
    return () => observer.disconnect();
  }, [listRef, count]);
}
