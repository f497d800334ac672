import { useEffect, useState, type RefObject } from 'react';

/** Turns true when the place comes within half a screen. */
export function useIsNear(placeRef: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const place = placeRef.current;
    if (!place || isNear) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: '50% 0px' },
    );
    observer.observe(place);
    return () => observer.disconnect();
  }, [placeRef, isNear]);
  return isNear;
}
