import { Scale } from 'lucide-react';
import { Link } from 'wouter';
import {
  heldMist,
  LASTING_DAYS,
  WALLETS_PER_COIN,
  walletsToFallBelowHalf,
  walletsToPass,
  walletsToReachHalf,
} from '#shared/cost-to-change.ts';
import { dayText } from '#shared/day-text.ts';
import { holdersIntervalText } from '#shared/holders.ts';
import type { VoteCounts } from '#shared/interval.ts';
import { formatSui, parseMist } from '#shared/money.ts';
import { plural } from '#shared/plural.ts';
import {
  HOLDER_DAYS,
  HOLDER_NEEDED_DAYS,
  STANDING_NEEDED_DAYS,
  STANDING_VOTER_DAYS,
  STANDING_WINDOW_DAYS,
} from '#shared/states/votes.ts';
import { paths } from '../../lib/paths.ts';
import type { ProjectView } from './project-view.ts';

const LINK = 'text-link underline underline-offset-4';

function flip(verified: VoteCounts): { wallets: number; what: string } {
  if (verified.bullish + verified.bearish === 0) return { wallets: 1, what: 'To decide it' };
  const toFall = walletsToFallBelowHalf(verified);
  return { wallets: toFall > 0 ? toFall : walletsToReachHalf(verified), what: 'To flip it' };
}

export function CostToChange({
  project: { verified, verifiedSince = verified, nextAbove, standingMinMist, holders },
}: {
  project: ProjectView;
}) {
  const cost = (wallets: number) =>
    `${plural(wallets, 'more verified wallet')}, ${formatSui(heldMist(wallets, parseMist(standingMinMist)))} SUI held`;
  const { wallets, what } = flip(verified);
  // Both bounds have to pass while the lower one ranks (R60); no project without a rank passes one with a rank (R27).
  const toPass = ({ verified: above, votesToRank }: NonNullable<ProjectView['nextAbove']>) =>
    Math.max(walletsToPass(verified, above), walletsToPass(verifiedSince, above), votesToRank);
  return (
    <div className="flex gap-2 text-sm text-muted">
      <Scale aria-hidden size={18} className="mt-0.5 shrink-0 text-link" />
      <div className="min-w-0">
        <p>
          <span className="font-semibold text-text">{what}:</span> {cost(wallets)} for weeks (not spent).
        </p>
        <details>
          <summary className={`inline-flex min-h-11 items-center ${LINK}`}>How</summary>
          <p>
            {nextAbove ? (
              <>
                To pass{' '}
                <Link href={paths.project(nextAbove)} className={LINK}>
                  {nextAbove.name}
                </Link>
                , the next in{' '}
                <Link href={`${paths.leaderboard}?order=verified`} className={LINK}>
                  Verified
                </Link>
                : {cost(toPass(nextAbove))}.{' '}
              </>
            ) : null}
            Each wallet holds its SUI on {LASTING_DAYS} of {STANDING_VOTER_DAYS} days to verify a vote for good, and
            until then on {STANDING_NEEDED_DAYS} of the last {STANDING_WINDOW_DAYS}. Shared by turns,{' '}
            {STANDING_NEEDED_DAYS} coins can serve {STANDING_WINDOW_DAYS} wallets at one moment, and one coin{' '}
            {WALLETS_PER_COIN} wallets within {STANDING_VOTER_DAYS} days.{' '}
            {holders ? (
              <>
                By their verified votes on {dayText(holders.day)}, {holdersIntervalText(holders)}. A holder has at least{' '}
                {holders.minimum.toLocaleString()} of the project&rsquo;s coin on {HOLDER_NEEDED_DAYS} of the{' '}
                {HOLDER_DAYS} days read after the vote; later trades change nothing.{' '}
              </>
            ) : null}
            <Link href={paths.trust} className={LINK}>
              How votes are checked
            </Link>
          </p>
        </details>
      </div>
    </div>
  );
}
