import { startTransition, useCallback, useEffect, useState } from 'react';
import { LEADERBOARD_FIRST_ROWS } from '#shared/constants.ts';
import { useEntryNumber } from '../../lib/entry-state.ts';

/** After the first screenful come two, then as many as the user scrolls through: few enough that a phone draws them at once. */
const SECOND = 20;
const STEP = 60;
const AHEAD = '600px';

/** Draws more rows when `endRef`'s element comes near the screen, and as many as before after Back. */
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
