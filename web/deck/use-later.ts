import { startTransition, useEffect, useState } from 'react';
import { nextFrame } from '../lib/next-frame.ts';

/** The value as it was some frames ago: a slow phone draws one swipe over several frames. The first value shows at once. */
export function useLater<T>(value: T, frames: number): T {
  const [shown, setShown] = useState(value);
  useEffect(() => {
    const newer = new AbortController();
    const { signal } = newer;
    const follow = async () => {
      for (let frame = 0; frame < frames && !signal.aborted; frame += 1) await nextFrame();
      if (!signal.aborted) startTransition(() => setShown(value));
    };
    void follow();
    return () => newer.abort();
  }, [value, frames]);
  return shown;
}
