import { useLayoutEffect, type RefObject } from 'react';
import { isNoticeShown } from '../../../offline/offline-notice.tsx';

/** Measures how far down the page the deck begins, so that cards and buttons fit the screen whatever is above them. */
export function useDeckTop(regionRef: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const region = regionRef.current;
    const above = document.getElementById('main');
    if (!region || !above) return undefined;
    const measure = () => {
      const notice = above.querySelector<HTMLElement>('[data-offline-notice]')?.offsetHeight ?? 0;
      const top = Math.round(above.getBoundingClientRect().top + scrollY) + notice;
      region.style.setProperty('--deck-top', `${top}px`);
    };
    measure();
    // Header and banner change their height with the width of the window and when the fonts arrive.
    const observer = new ResizeObserver(measure);
    for (const element of above.parentElement?.children ?? []) if (element !== above) observer.observe(element);
    const stop = isNoticeShown.subscribe(measure);
    return () => {
      stop();
      observer.disconnect();
    };
  }, [regionRef]);
}
