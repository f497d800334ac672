import { useEffect, useState, type RefObject } from 'react';

const LONGEST_MS = 4_000;

/** Turns true when the place comes near the screen, or the page has had its time to start. */
export function useIsNear(placeRef: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const place = placeRef.current;
    if (!place || isNear) return undefined;
    const show = () => setNear(true);
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) show();
    });
    observer.observe(place);
    const timer = setTimeout(show, LONGEST_MS);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [placeRef, isNear]);
  return isNear;
}
