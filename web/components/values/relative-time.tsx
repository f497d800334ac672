import { formatDistance } from 'date-fns/formatDistance';
import { LiveTime, type LiveTimeProps } from './live-time.tsx';

/** '5 minutes ago' (S9.16). A time of this moment must not read 'in less than a minute' because two clocks differ by a second. */
export function distanceToNow(timeMs: number, nowMs: number): string {
  return formatDistance(Math.min(timeMs, nowMs), nowMs, { addSuffix: true });
}

export const RelativeTime = (props: LiveTimeProps) => <LiveTime {...props} textOf={distanceToNow} />;
