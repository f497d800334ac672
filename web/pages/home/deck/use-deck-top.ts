import { useLayoutEffect, type RefObject } from 'react';
import { isNoticeShown } from '../../../offline/offline-notice.tsx';

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
    const observer = new ResizeObserver(measure);
    for (const element of above.parentElement?.children ?? []) if (element !== above) observer.observe(element);
    const stop = isNoticeShown.subscribe(measure);
    return () => {
      stop();
      observer.disconnect();
    };
  }, [regionRef]);
}
