import { useServerNow } from '../lib/use-server-now.ts';
import { countdown } from './vote-response.ts';

export function Countdown({ iso }: { iso: string }) {
  const endsAtMs = Date.parse(iso);
  const nowMs = useServerNow(1_000);
  // A timer to assistive technology, which must not read out every second.
  return (
    <span role="timer" aria-live="off" suppressHydrationWarning>
      {countdown(endsAtMs, nowMs)}
    </span>
  );
}
