import { useEffect, useState } from 'react';
import { nextFrame } from '../../lib/next-frame.ts';

/**
 * Whether the browser knows how tall the element is that is drawn here. From then on it may skip an element that is far from the screen
 * and takes the height that it remembers: thousands of rows cost no more than those in sight, none of them moves, and Back finds its place.
 */
export function useIsMeasured(): boolean {
  const [isMeasured, setIsMeasured] = useState(false);
  useEffect(() => {
    let isGone = false;
    const measure = async () => {
      // Another font has other lines.
      await document.fonts?.ready;
      // The height is remembered at the end of a frame.
      await nextFrame();
      await nextFrame();
      if (!isGone) setIsMeasured(true);
    };
    void measure();
    return () => {
      isGone = true;
    };
  }, []);
  return isMeasured;
}
