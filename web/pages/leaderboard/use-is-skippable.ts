import { type RefObject, useEffect, useState } from 'react';
import { nextFrame } from '../../lib/next-frame.ts';

const isOnScreen = (element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
};

/**
 * Whether the browser may skip `ref`'s element while it is far from the screen: it knows then how tall the element is and takes that
 * height, so that thousands of rows cost no more than those in sight, none of them moves, and Back finds its place. What is on the
 * screen when it is measured is never skipped: it would be gone for a frame, and browsers count that as a layout shift.
 */
export function useIsSkippable(ref: RefObject<Element | null>): boolean {
  const [isSkippable, setIsSkippable] = useState(false);
  useEffect(() => {
    let isGone = false;
    const measure = async () => {
      // Another font has other lines.
      await document.fonts?.ready;
      // The height is remembered at the end of a frame.
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
