import { useEffect, useState } from 'react';
import { timeLeft } from '#shared/rules.ts';
import { useIsLive } from '../../lib/external-store.ts';
import { momentText } from '../../lib/moment-text.ts';
import { serverNow } from '../../lib/server-clock.ts';

const REFRESH_MS = 30_000;

export function TimeLeft({ iso, className }: { iso: string; className?: string }) {
  const [nowMs, setNowMs] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverNow()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const title = useIsLive() ? momentText(iso) : undefined;
  return (
    <time dateTime={iso} title={title} className={className} suppressHydrationWarning>
      {timeLeft(Date.parse(iso), nowMs)}
    </time>
  );
}
