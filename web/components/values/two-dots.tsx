import { hasShare } from '#shared/figures/calls.ts';
import type { VoteCounts } from '#shared/numbers/interval.ts';
import { plural } from '#shared/numbers/plural.ts';
import { bullishPercentage } from '#shared/rules.ts';

/** '71%', or '6 votes' where they are fewer than ten. */
export const shareText = (votes: VoteCounts): string =>
  hasShare(votes)
    ? `${bullishPercentage(votes.bullish, votes.bearish)}%`
    : plural(votes.bullish + votes.bearish, 'vote');

const placeOf = (votes: VoteCounts): number | null =>
  hasShare(votes) ? (100 * votes.bullish) / (votes.bullish + votes.bearish) : null;

const DOT = 'size-3 rounded-full border-2 border-text';
const ON_LINE = `absolute top-1/2 -translate-1/2 ${DOT}`;

/** Explains the two in a text. */
export const Dot = ({ isNow = false }: { isNow?: boolean }) => (
  <span aria-hidden className={`inline-block ${DOT} ${isNow ? 'bg-text' : ''}`} />
);

/** A verified share then, a ring, and now, a dot, on a line from 0 to 100%. The words beside it say the same. */
export function TwoDots({ then, now }: { then: VoteCounts; now: VoteCounts }) {
  const [from, to] = [placeOf(then), placeOf(now)];
  if (to === null) return null;
  const start = from ?? to;
  return (
    <span aria-hidden dir="ltr" data-dots className="relative mx-1.5 block h-3 max-w-md">
      <span className="absolute inset-0 m-auto h-1 rounded-full bg-line" />
      <span className="absolute inset-y-0 start-1/2 w-0.5 -translate-x-1/2 bg-line-strong" />
      <span
        className="absolute inset-y-0 my-auto h-1 bg-line-strong"
        style={{ left: `${Math.min(start, to)}%`, width: `${Math.abs(to - start)}%` }}
      />
      {from === null ? null : <span className={`${ON_LINE} bg-surface`} style={{ left: `${from}%` }} />}
      <span className={`${ON_LINE} bg-text`} style={{ left: `${to}%` }} />
    </span>
  );
}
