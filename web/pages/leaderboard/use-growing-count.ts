import { startTransition, useCallback, useEffect, useState } from 'react';
import { LEADERBOARD_FIRST_ROWS } from '#shared/constants.ts';
import { useEntryNumber } from '../../lib/entry-state.ts';

/** After the first screenful come two, then as many as the user scrolls through: few enough that a phone draws them at once. */
const SECOND = 20;
const STEP = 60;
/** Rows are added this far below the screen, so that the end of the list stays out of sight. */
const AHEAD = '1200px';

/**
 * How many of `total` rows to make: more whenever the element that gets `endRef` comes near the screen, and on Back as many as there
 * were. While some of them are not `read` yet, the end of the list stays near the screen and says nothing: the number waits for them.
 */
export function useGrowingCount(total: number, read: number): { count: number; endRef: (end: Element | null) => void } {
  const [count, setCount] = useEntryNumber('rows', LEADERBOARD_FIRST_ROWS);
  const [end, setEnd] = useState<Element | null>(null);
  useEffect(() => {
    if (end === null || count >= total || count > read) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        startTransition(() => setCount(count < SECOND ? SECOND : count + STEP));
      },
      { rootMargin: AHEAD },
    );
    observer.observe(end);
    return () => observer.disconnect();
  }, [end, count, total, read, setCount]);
  return { count: Math.min(count, total), endRef: useCallback((element) => setEnd(element), []) };
}
