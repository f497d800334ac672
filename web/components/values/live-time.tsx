import { useIsLive } from '../../lib/external-store.ts';
import { momentText } from '../../lib/moment-text.ts';
import { useServerNow } from '../../lib/use-server-now.ts';

export interface LiveTimeProps {
  iso: string;
  className?: string;
}

/** A time in words that stay true while the page is open. */
export function LiveTime({
  iso,
  textOf,
  className,
}: LiveTimeProps & { textOf: (timeMs: number, nowMs: number) => string }) {
  const nowMs = useServerNow();
  const title = useIsLive() ? momentText(iso) : undefined;
  return (
    <time dateTime={iso} title={title} className={className} suppressHydrationWarning>
      {textOf(Date.parse(iso), nowMs)}
    </time>
  );
}
