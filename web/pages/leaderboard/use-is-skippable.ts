import { type RefObject, useEffect, useState } from 'react';
import { nextFrame } from '../../lib/next-frame.ts';

const isOnScreen = (element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
};

/** Lets the browser skip rows far from the screen. Rows on it are never skipped: browsers count that as a layout shift. */
export function useIsSkippable(ref: RefObject<Element | null>): boolean {
  const [isSkippable, setIsSkippable] = useState(false);
  useEffect(() => {
    let isGone = false;
    const measure = async () => {
      // Another font has other lines.
      await document.fonts?.ready;
      await nextFrame();
      await nextFrame();
      if (!isGone && ref.current && !isOnScreen(ref.current)) setIsSkippable(true);
    };
    void measure();
    return () => {
      isGone = true;
    };
  }, [ref]);
  return isSkippable;
}
