import { useEffect, useState } from 'react';
import { timeLeft } from '#shared/rules.ts';
import { serverNow } from '../server-clock.ts';

const REFRESH_MS = 30_000;

/** '12d 3h remaining' or 'Expired 1d 2h ago' by the server's clock (S4.6, R28); the exact time in the tooltip. */
export function TimeLeft({ iso, className }: { iso: string; className?: string }) {
  const [nowMs, setNowMs] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverNow()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const expiresAt = new Date(iso);
  return (
    <time dateTime={iso} title={expiresAt.toLocaleString()} className={className}>
      {timeLeft(expiresAt.getTime(), nowMs)}
    </time>
  );
}
