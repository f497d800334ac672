import type { Waits } from '#shared/contract/supply.ts';
import { plural } from '#shared/numbers/plural.ts';

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

export function spanText(seconds: number): string {
  const largest = UNITS.findIndex(([size]) => seconds >= size);
  if (largest === -1) return 'less than a minute';
  let rest = seconds;
  const parts = UNITS.slice(largest, largest + 2).flatMap(([size, name]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? [plural(count, name)] : [];
  });
  return parts.join(' ');
}

export function waitsText({ paid, medianSeconds, longestSeconds }: Waits): string {
  if (medianSeconds === null || longestSeconds === null) return 'No payouts in the last 30 days.';
  if (paid === 1) return `Last 30 days: 1 withdrawal paid, in ${spanText(medianSeconds)}.`;
  return `Last 30 days: ${plural(paid, 'withdrawal')} paid, half of them in ${spanText(medianSeconds)} or less, the slowest in ${spanText(longestSeconds)}.`;
}

export const openText = ({ open, oldestOpenSeconds }: Waits): string | null =>
  oldestOpenSeconds === null
    ? null
    : `${plural(open, 'withdrawal')} open now, the oldest for ${spanText(oldestOpenSeconds)}.`;
