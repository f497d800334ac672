import { Name } from '../../components/values/name.tsx';
import { TrendingDown, TrendingUp } from 'lucide-react';
import { memo, useRef } from 'react';
import { Link } from 'wouter';
import type { ListedProject as Row } from '#shared/contract/projects.ts';
import { lookAlikeText } from '#shared/listings/listing-source.ts';
import { percentTone } from '#shared/rules.ts';
import { plural } from '#shared/numbers/plural.ts';
import { changedLine } from '../../components/project/changed-line.ts';
import { FollowStar } from '../../components/follow/follow-star.tsx';
import { EvidenceLook } from '../../components/values/evidence.tsx';
import { PercentBadge } from '../../components/values/percent-badge.tsx';
import { ProjectImage } from '../../components/project/project-image.tsx';
import { RankBadge } from '../../components/values/rank-badge.tsx';
import { VoteBar } from '../../components/values/vote-bar.tsx';
import { paths } from '../../lib/paths.ts';
import { WHOLE_LINK } from '../../ui/whole-link.ts';
import { Badge } from '../../ui/badge.tsx';
import { cn } from '../../ui/class-names.ts';
import type { VoteType } from '../../voting/vote-type.ts';
import { useIsSkippable } from './use-is-skippable.ts';
import { hasRanks, type Sort } from '#shared/listings/sort-names.ts';
import { RANK_MIN_VOTES, rankingVotes, verifiedBound, votesForRank } from '#shared/figures/sorts.ts';
import { RelativeTime } from '../../components/values/relative-time.tsx';

const PODIUM = ['border-gold/60', 'border-silver/60', 'border-bronze/60'];

function Counts({ project, own }: { project: Row; own: VoteType | undefined }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-muted">
      <span>{plural(project.totalVotes, 'vote')}</span>
      <span className="inline-flex items-center gap-1">
        <TrendingUp aria-hidden size={15} className="text-bull" />
        {project.bullishVotes.toLocaleString()}
        <span className="sr-only">bullish</span>
      </span>
      <span className="inline-flex items-center gap-1">
        <TrendingDown aria-hidden size={15} className="text-bear" />
        {project.bearishVotes.toLocaleString()}
        <span className="sr-only">bearish</span>
      </span>
      {own ? <b className={own === 'bullish' ? 'text-bull' : 'text-bear'}>You: {own}</b> : null}
    </p>
  );
}

const atLeast = (bound: number): string => `at least ${Math.floor(bound * 100)}%`;

/** The figure that the sort ranks by, in words, or what a rank needs; nothing for the share, which is shown anyway. */
function Reason({ project, sort }: { project: Row; sort: Sort }) {
  const { trend, createdAt, rank } = project;
  if (hasRanks(sort) && rank === null) return `${votesForRank(project)} of ${plural(RANK_MIN_VOTES, 'verified vote')}`;
  if (sort === 'new')
    return (
      <>
        listed <RelativeTime iso={createdAt} />
      </>
    );
  if (sort === 'trending') return `${plural(trend.bullish + trend.bearish, 'verified vote')} in 7 days`;
  const { bullish, bearish } = rankingVotes(project);
  const since = project.verifiedSince ? ' since the change' : '';
  return bullish + bearish === 0
    ? `no verified votes${since}`
    : `${atLeast(verifiedBound(project))} of verified votes${since}`;
}

interface LeaderboardRowProps {
  project: Row;
  sort: Sort;
  isEager: boolean;
  /** The direction of the user's own vote (R91). */
  own: VoteType | undefined;
}

export const LeaderboardRow = memo(function LeaderboardRow({ project, sort, isEager, own }: LeaderboardRowProps) {
  const { rank } = project;
  const { lookAlike } = project.listing;
  const changed = changedLine(project);
  const podium = rank === null ? undefined : PODIUM[rank - 1];
  const ref = useRef<HTMLLIElement>(null);
  const isSkippable = useIsSkippable(ref);
  return (
    // Reaches a little over the row: what is skipped clips its outline and its lift, too.
    <li
      ref={ref}
      className={cn('-m-1.5 p-1.5 [contain-intrinsic-size:auto_8.25rem]', isSkippable && '[content-visibility:auto]')}
    >
      <div
        className={cn(
          'panel group relative grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-2 rounded-xl p-3 transition-[transform,border-color] duration-150 hover:-translate-y-0.5 hover:border-line-strong sm:gap-x-5 sm:p-4',
          rank === null ? 'sm:grid-cols-[auto_1fr_auto]' : 'sm:grid-cols-[auto_auto_1fr_auto]',
          podium,
        )}
      >
        {rank === null ? null : (
          <span className="grid w-11 place-items-center max-sm:absolute max-sm:top-1.5 max-sm:start-1.5 sm:w-12">
            <RankBadge rank={rank} ordinals className={podium ? 'h-9 min-w-9' : 'max-sm:border max-sm:border-line'} />
          </span>
        )}
        <ProjectImage
          src={project.imageUrl}
          name={project.name}
          alt=""
          width={72}
          height={96}
          eager={isEager}
          className={cn('aspect-3/4 w-18 rounded-lg max-sm:-order-1', project.expired && 'grayscale-75')}
        />
        <span className="grid min-w-0 gap-1">
          <span className="flex min-w-0 items-center gap-2">
            <Link
              href={paths.project(project)}
              title={project.name}
              className={cn(WHOLE_LINK, 'display truncate text-lg group-hover:text-link after:rounded-xl')}
            >
              <Name>{project.name}</Name>
            </Link>
            {project.expired ? <Badge>Expired</Badge> : null}
            <FollowStar project={project} className="relative z-1 -my-2 -me-2 ms-auto" />
          </span>
          {lookAlike ? (
            <span className="text-sm font-semibold wrap-anywhere text-warn">{lookAlikeText(lookAlike)}</span>
          ) : null}
          <span
            title={changed ?? project.description}
            className={cn('line-clamp-2 text-sm wrap-anywhere sm:text-base', changed ? 'text-warn' : 'text-muted')}
          >
            {changed ?? project.description}
          </span>
          <Counts project={project} own={own} />
        </span>
        <span className="grid gap-2 max-sm:col-span-2 max-sm:grid-cols-[1fr_auto] max-sm:items-center sm:w-[min(13rem,30vw)] sm:gap-1.5">
          <span className="flex items-center gap-2 max-sm:order-2 sm:flex-wrap sm:justify-end">
            <PercentBadge
              percent={project.bullishPercentage}
              tone={percentTone(project.bullishPercentage)}
              totalVotes={project.totalVotes}
              className="sm:text-base"
            />
            <EvidenceLook project={project} place="end-0 max-sm:bottom-full sm:top-full" />
          </span>
          <VoteBar bullish={project.bullishVotes} bearish={project.bearishVotes} hasInterval className="w-full" />
          {sort === 'bullish' && rank !== null ? null : (
            <span className="text-sm font-semibold max-sm:order-4 max-sm:col-span-2 sm:text-end">
              <Reason project={project} sort={sort} />
            </span>
          )}
        </span>
      </div>
    </li>
  );
});
