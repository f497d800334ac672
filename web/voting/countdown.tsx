import { useEffect, useState } from 'react';
import { serverNow } from '../lib/server-clock.ts';
import { countdown } from './vote-response.ts';

export function Countdown({ iso }: { iso: string }) {
  const endsAtMs = Date.parse(iso);
  const [nowMs, setNowMs] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverNow()), 1000);
    return () => clearInterval(timer);
  }, []);
  // A timer to assistive technology, which must not read out every second.
  return (
    <span role="timer" aria-live="off" suppressHydrationWarning>
      {countdown(endsAtMs, nowMs)}
    </span>
  );
}
