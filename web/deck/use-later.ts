import { startTransition, useEffect, useState } from 'react';
import { nextFrame } from '../lib/next-frame.ts';
import { nextIdle } from '../lib/next-idle.ts';

/**
 * The value as it was some frames ago: a slow phone draws one swipe over several frames. 'idle': what is beside or below the card waits
 * until nothing else is to be done. The first value shows at once.
 */
export function useLater<T>(value: T, frames: number | 'idle'): T {
  const [shown, setShown] = useState(value);
  useEffect(() => {
    const newer = new AbortController();
    const { signal } = newer;
    const follow = async () => {
      if (frames === 'idle') await nextIdle();
      else for (let frame = 0; frame < frames && !signal.aborted; frame += 1) await nextFrame();
      if (!signal.aborted) startTransition(() => setShown(value));
    };
    void follow();
    return () => newer.abort();
  }, [value, frames]);
  return shown;
}
