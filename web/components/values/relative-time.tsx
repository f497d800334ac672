import { formatDistance } from 'date-fns/formatDistance';
import { useEffect, useState } from 'react';
import { useIsLive } from '../../lib/external-store.ts';
import { momentText } from '../../lib/moment-text.ts';
import { serverNow } from '../../lib/server-clock.ts';

const REFRESH_MS = 30_000;

/** '5 minutes ago' (S9.16). A time of this moment must not read 'in less than a minute' because two clocks differ by a second. */
export function distanceToNow(timeMs: number, nowMs: number): string {
  return formatDistance(Math.min(timeMs, nowMs), nowMs, { addSuffix: true });
}

export function RelativeTime({ iso, className }: { iso: string; className?: string }) {
  const [nowMs, setNowMs] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverNow()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const title = useIsLive() ? momentText(iso) : undefined;
  return (
    <time dateTime={iso} title={title} className={className} suppressHydrationWarning>
      {distanceToNow(Date.parse(iso), nowMs)}
    </time>
  );
}
