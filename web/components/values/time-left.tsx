import { useEffect, useState } from 'react';
import type { Project } from '#shared/contract/types.ts';
import { timeLeft } from '#shared/rules.ts';
import { useIsLive } from '../../lib/external-store.ts';
import { momentText } from '../../lib/moment-text.ts';
import { serverNow } from '../../lib/server-clock.ts';

/** Listings of the catalogue are extended every day (R72), so that a clock would never end; the end of one is shown. */
export const hasClock = ({ listing, expiresAt }: Pick<Project, 'listing' | 'expiresAt'>): boolean =>
  listing.source !== 'catalogue' || Date.parse(expiresAt) <= serverNow();

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
