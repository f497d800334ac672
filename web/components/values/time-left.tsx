import { useEffect, useState } from 'react';
import type { Project } from '#shared/contract/types.ts';
import { timeLeft } from '#shared/rules.ts';
import { useIsLive } from '../../lib/external-store.ts';
import { momentText } from '../../lib/moment-text.ts';
import { serverNow } from '../../lib/server-clock.ts';

type Listed = Pick<Project, 'listing' | 'expiresAt' | 'period' | 'periodEndsAt'>;

/** Whether a listing of the catalogue is extended every day (R72): until its owner first renews it. */
export const isKeptInCatalogue = ({ listing, expiresAt, period, periodEndsAt }: Listed): boolean =>
  listing.source === 'catalogue' &&
  (listing.ownership === 'unclaimed' || (period === 1 && periodEndsAt === expiresAt)) &&
  Date.parse(expiresAt) > serverNow();

/** The clock of a kept listing would never end. */
export const hasClock = (project: Listed): boolean => !isKeptInCatalogue(project);

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
