import { Name } from '../../components/values/name.tsx';
import { Link } from 'wouter';
import {
  heldMist,
  LASTING_WEEKS,
  walletsToFallBelowHalf,
  walletsToPass,
  walletsToReachHalf,
} from '#shared/figures/cost-to-change.ts';
import { intervalText, nowText } from '#shared/numbers/interval.ts';
import type { LeadingShare } from '#shared/figures/leading-share.ts';
import { formatSui, parseMist } from '#shared/money/money.ts';
import { asOfText } from '#shared/text/as-of-text.ts';
import { plural } from '#shared/numbers/plural.ts';
import { STANDING_NEEDED_DAYS, STANDING_WINDOW_DAYS } from '#shared/states/votes.ts';
import { paths } from '../../lib/paths.ts';
import type { ProjectView } from './project-view.ts';

const LINK = 'text-link underline underline-offset-4';

function Shares({ project, lead }: { project: ProjectView; lead: LeadingShare }) {
  const { bullishCount: bullish, bearishCount: bearish, figuresOn } = project;
  const now = nowText({ bullish, bearish }, project.now);
  return (
    <>
      <p>
        {lead.percentage}% bullish {lead.sample}, {lead.beside}. Likely: the range of the true share, 19 times in 20.
        Verified: of wallets that hold SUI, not excluded, {asOfText(figuresOn)}.
      </p>
      {now && project.now ? (
        <p>
          Given, changed or confirmed in the {now}, likely {intervalText(project.now)}.
        </p>
      ) : null}
    </>
  );
}

function Cost({ project }: { project: ProjectView }) {
  const { verified, verifiedSince = verified, nextAbove, standingMinMist } = project;
  const held = (wallets: number) => `${formatSui(heldMist(wallets, parseMist(standingMinMist)))} SUI`;
  const toFlip = walletsToFallBelowHalf(verified) || walletsToReachHalf(verified);
  // Both bounds have to pass while the lower one ranks (R60); no project without a rank passes one with a rank (R27).
  const toPass = ({ verified: above, votesToRank }: NonNullable<ProjectView['nextAbove']>) =>
    Math.max(walletsToPass(verified, above), walletsToPass(verifiedSince, above), votesToRank);
  return (
    <>
      {verified.bullish + verified.bearish === 0 ? null : (
        <p>
          To flip it: {plural(toFlip, 'more verified wallet')}, {held(toFlip)} held for weeks (not spent).
        </p>
      )}
      {nextAbove ? (
        <p>
          To pass{' '}
          <Link href={paths.project(nextAbove)} className={LINK}>
            <Name>{nextAbove.name}</Name>
          </Link>
          , the next in{' '}
          <Link href={`${paths.leaderboard}?sort=verified`} className={LINK}>
            Verified
          </Link>
          : {plural(toPass(nextAbove), 'more verified wallet')}, {held(toPass(nextAbove))} held.
        </p>
      ) : null}
      <p>
        Each wallet holds its SUI on {STANDING_NEEDED_DAYS} days of each of {LASTING_WEEKS} weeks to verify a vote for
        good. One coin serves one wallet at a time, or {STANDING_NEEDED_DAYS} coins {STANDING_WINDOW_DAYS} wallets.{' '}
        <Link href={paths.trust} className={LINK}>
          How votes are checked
        </Link>
      </p>
    </>
  );
}

/** Everything about the share that the four numbers beside it leave out: one press away. */
export function HowWeKnow({ project, lead }: { project: ProjectView; lead: LeadingShare }) {
  return (
    <details className="text-sm text-muted @min-[22rem]:-mt-13 @min-[22rem]:text-end">
      <summary className={`inline-flex min-h-11 items-center font-semibold ${LINK}`}>How we know</summary>
      <div className="grid gap-2 text-start">
        <Shares project={project} lead={lead} />
        <Cost project={project} />
      </div>
    </details>
  );
}
