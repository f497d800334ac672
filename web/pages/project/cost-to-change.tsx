import { Scale } from 'lucide-react';
import { Link } from 'wouter';
import {
  heldMist,
  LASTING_DAYS,
  MOMENT_DAYS,
  walletsToFallBelowHalf,
  walletsToPass,
  walletsToReachHalf,
} from '#shared/cost-to-change.ts';
import type { VoteCounts } from '#shared/interval.ts';
import { formatSui, parseMist } from '#shared/money.ts';
import { plural } from '#shared/plural.ts';
import { paths } from '../../lib/paths.ts';
import type { ProjectView } from './project-view.ts';

const LINK = 'text-link underline underline-offset-4';

/** What another majority among the verified votes would take. */
function majority(verified: VoteCounts, cost: (wallets: number) => string): string {
  if (verified.bullish + verified.bearish === 0)
    return `no vote is verified yet; ${cost(1)} would decide the verified share`;
  const toFall = walletsToFallBelowHalf(verified);
  return toFall > 0
    ? `${cost(toFall)} would bring the verified share below 50%`
    : `${cost(walletsToReachHalf(verified))} would lift the verified share to 50%`;
}

/** How many wallets with standing more would change the verified share or rank, and how much SUI they would hold for how long (R44). */
export function CostToChange({ project: { verified, nextAbove, standingMinMist } }: { project: ProjectView }) {
  const cost = (wallets: number) => {
    const sui = formatSui(heldMist(wallets, parseMist(standingMinMist)));
    return `${plural(wallets, 'more wallet')} with standing (${sui} SUI × ${LASTING_DAYS} days)`;
  };
  return (
    <p className="flex gap-2 text-sm text-muted">
      <Scale aria-hidden size={18} className="mt-0.5 shrink-0 text-link" />
      <span>
        <span className="font-semibold text-text">Cost to change: </span>
        {majority(verified, cost)}
        {nextAbove ? (
          <>
            ; {cost(walletsToPass(verified, nextAbove.verified))} would move it past{' '}
            <Link href={paths.project(nextAbove)} className={LINK}>
              {nextAbove.name}
            </Link>
            , the next in the order{' '}
            <Link href={`${paths.leaderboard}?order=verified`} className={LINK}>
              Verified
            </Link>
          </>
        ) : null}
        . Until votes are decided, {MOMENT_DAYS} days are enough.{' '}
        <Link href={paths.trust} className={LINK}>
          How votes are checked
        </Link>
      </span>
    </p>
  );
}
