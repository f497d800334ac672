import { useEffect, useState } from 'react';
import { serverNow } from './server-clock.ts';

/** The server's time in milliseconds since 1970, read again every `everyMs`. */
export function useServerNow(everyMs = 30_000): number {
  const [nowMs, setNowMs] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
