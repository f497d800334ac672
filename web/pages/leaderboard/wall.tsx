import { TrendingDown, TrendingUp } from 'lucide-react';
import { memo, useRef } from 'react';
import { Link } from 'wouter';
import type { ListedProject as Row } from '#shared/contract/projects.ts';
import { RANK_MIN_VOTES, rankingVotes, verifiedBound, votesForRank } from '#shared/figures/sorts.ts';
import { lookAlikeText } from '#shared/listings/listing-source.ts';
import { hasRanks, type Sort } from '#shared/listings/sort-names.ts';
import { numberText } from '#shared/numbers/number-text.ts';
import { plural } from '#shared/numbers/plural.ts';
import { percentTone } from '#shared/rules.ts';
import { FollowStar } from '../../components/follow/follow-star.tsx';
import { changedLine } from '../../components/project/changed-line.ts';
import { ProjectImage } from '../../components/project/project-image.tsx';
import { LINE, LINES, ProjectLine } from '../../components/project/project-line.tsx';
import { EvidenceLook } from '../../components/values/evidence.tsx';
import { Name } from '../../components/values/name.tsx';
import { ordinal, RankBadge } from '../../components/values/rank-badge.tsx';
import { RelativeTime } from '../../components/values/relative-time.tsx';
import { paths } from '../../lib/paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { cn } from '../../ui/class-names.ts';
import { WHOLE_LINK } from '../../ui/whole-link.ts';
import type { VoteType } from '../../voting/vote-type.ts';
import { useSkippedRows } from './use-skipped-rows.ts';

interface RowProps {
  project: Row;
  sort: Sort;
  /** The direction of the user's own vote (R91). */
  own: VoteType | undefined;
}

const TONES = { green: 'text-bull', yellow: 'text-warn', red: 'text-bear' };

/** The bound that 'Verified' ranks by, in percent; null in other orders, and without a rank. */
const boundOf = ({ project, sort }: Omit<RowProps, 'own'>): number | null =>
  sort === 'verified' && project.rank !== null ? Math.floor(verifiedBound(project) * 100) : null;

/** The share that the order ranks by, and of how many votes. */
function Share({ project, sort, className }: Omit<RowProps, 'own'> & { className: string }) {
  const bound = boundOf({ project, sort });
  const share = bound ?? project.bullishPercentage;
  if (project.totalVotes === 0) return <span className="text-sm text-muted">No votes yet</span>;
  return (
    <>
      <span className={cn(TONES[percentTone(share)], className)}>
        {bound === null ? '' : '≥'}
        {share}%<span className="sr-only"> bullish{bound === null ? '' : ', of verified votes'}</span>
      </span>
      <span className="text-xs whitespace-nowrap text-muted">{plural(project.totalVotes, 'vote')}</span>
    </>
  );
}

function Sides({ project: { bullishVotes, bearishVotes } }: Pick<RowProps, 'project'>) {
  return (
    <>
      <span className="inline-flex items-center gap-0.5">
        <TrendingUp aria-hidden size={14} className="text-bull" />
        {numberText(bullishVotes)}
        <span className="sr-only">bullish</span>
      </span>
      <span className="inline-flex items-center gap-0.5">
        <TrendingDown aria-hidden size={14} className="text-bear" />
        {numberText(bearishVotes)}
        <span className="sr-only">bearish</span>
      </span>
    </>
  );
}

/** A change of what was voted on stands in the place of the description. */
function About({ project, className }: { project: Row; className: string }) {
  const changed = changedLine(project);
  return (
    <span title={changed ?? project.description} className={cn(className, changed ? 'text-text' : 'text-muted')}>
      {changed ?? project.description}
    </span>
  );
}

/** What a rank needs, or beside the bound the share of all. */
function Reason({ project, sort }: Omit<RowProps, 'own'>) {
  const { rank, bullishPercentage } = project;
  if (!hasRanks(sort)) return null;
  if (rank === null) return `${votesForRank(project)} of ${plural(RANK_MIN_VOTES, 'verified vote')}`;
  if (sort === 'bullish') return null;
  const { bullish, bearish } = rankingVotes(project);
  const since = project.verifiedSince ? ' since the change' : '';
  return bullish + bearish === 0 ? `no verified votes${since}` : `${bullishPercentage}% of all${since}`;
}

/** What the order goes by, large: no other figure of a row is, or the list would look unordered. */
function Figure({ project, sort }: Omit<RowProps, 'own'>) {
  const { trend, createdAt } = project;
  if (hasRanks(sort))
    return (
      <span className="grid min-w-13 justify-items-end">
        <Share project={project} sort={sort} className="display text-lg" />
      </span>
    );
  return (
    <span className="max-w-22 text-end text-xs text-balance sm:max-w-26 sm:text-sm">
      {sort === 'new' ? (
        <>
          listed <RelativeTime iso={createdAt} />
        </>
      ) : (
        `${plural(trend.bullish + trend.bearish, 'verified vote')} in 7 days`
      )}
    </span>
  );
}

function LookAlike({ project: { listing } }: Pick<RowProps, 'project'>) {
  if (!listing.lookAlike) return null;
  return <span className="basis-full text-xs font-semibold wrap-anywhere">{lookAlikeText(listing.lookAlike)}</span>;
}

/**
 * Where a card of the fan is: the first in the middle and in front; in a column too narrow for three, one under the other. The words of
 * a card stand below it, on a phone in a row of their own.
 */
const PLACES = [
  {
    li: 'z-1 @[17rem]:col-start-2',
    card: 'z-1 border-gold @[17rem]:-mx-[5%] @[17rem]:max-md:col-start-2',
    words: 'justify-items-center px-2.5 text-center text-[length:max(0.75rem,3.9cqi)]',
    share: 'text-[length:2.5em]/none',
    outer: 'end-0',
  },
  {
    li: '@[17rem]:col-start-1',
    card: 'border-silver @[17rem]:max-md:col-start-1 @[17rem]:mt-[20%] @[17rem]:-me-[5%] @[17rem]:-rotate-6 @[17rem]:rtl:rotate-6',
    words: 'justify-items-start ps-2.5 text-[length:max(0.75rem,3.4cqi)] @[17rem]:pe-[13%]',
    share: 'text-[length:2.5em]/none @[17rem]:text-[length:min(2.5em,7.5cqi)]/none',
    outer: 'start-0',
  },
  {
    li: '@[17rem]:col-start-3',
    card: 'border-bronze @[17rem]:max-md:col-start-3 @[17rem]:mt-[20%] @[17rem]:-ms-[5%] @[17rem]:rotate-6 @[17rem]:rtl:-rotate-6',
    words: 'justify-items-end pe-2.5 text-end text-[length:max(0.75rem,3.4cqi)] @[17rem]:ps-[13%]',
    share: 'text-[length:2.5em]/none @[17rem]:text-[length:min(2.5em,7.5cqi)]/none',
    outer: 'end-0',
  },
] as const;

const OWN = { bullish: 'bg-bull text-on-bull', bearish: 'bg-bear text-on-bear' };

function Own({ voteType }: { voteType: VoteType | undefined }) {
  if (!voteType) return null;
  return <b className={cn('rounded-full px-2 text-xs whitespace-nowrap', OWN[voteType])}>You: {voteType}</b>;
}

const WallCard = memo(function WallCard({ project, sort, own }: RowProps) {
  const place = PLACES[(project.rank ?? 1) - 1] ?? PLACES[0];
  return (
    <li
      className={cn(
        'relative grid content-start gap-3 focus-within:z-2 hover:z-2 @[17rem]:row-span-2 @[17rem]:row-start-1 @[17rem]:grid-rows-subgrid @[17rem]:max-md:contents',
        place.li,
      )}
    >
      <div
        className={cn(
          'group relative isolate flex aspect-3/4 flex-col justify-end rounded-xl border-2 bg-raised shadow-float transition-[translate] duration-150 hover:-translate-y-1 @[17rem]:max-md:row-start-1 @[17rem]:max-md:mb-1',
          place.card,
        )}
      >
        <ProjectImage
          src={project.imageUrl}
          name={project.name}
          alt=""
          width={180}
          height={240}
          sizes="(width < 48rem) 40vw, 15rem"
          eager
          className={cn(
            'absolute inset-0 -z-1 size-full rounded-[calc(var(--radius-xl)-2px)]',
            project.expired && 'grayscale-75',
          )}
        />
        {project.rank === null ? null : (
          <span className="absolute inset-x-0 -top-2.5 flex justify-center">
            <RankBadge rank={project.rank} ordinals className="h-9 min-w-9" />
          </span>
        )}
        {project.expired ? (
          <span className="absolute inset-x-0 top-8 flex justify-center">
            <Badge className="bg-surface! text-xs!">Expired</Badge>
          </span>
        ) : null}
        {/* Moves nothing when it comes. */}
        <span className="absolute inset-x-0 -bottom-2.5 flex justify-center">
          <Own voteType={own} />
        </span>
        <span
          className={cn(
            'on-picture grid rounded-b-[calc(var(--radius-xl)-2px)] bg-linear-to-t from-[rgb(3_9_16/.9)] from-40% to-transparent pt-10 pb-2.5',
            place.words,
          )}
        >
          <span className="contents [&>:last-child]:order-last">
            <Share project={project} sort={sort} className={cn('display', place.share)} />
          </span>
          <Link
            href={paths.project(project)}
            title={project.name}
            className={cn(WHOLE_LINK, 'max-w-full truncate leading-tight font-semibold after:rounded-xl')}
          >
            <Name>{project.name}</Name>
          </Link>
        </span>
        <FollowStar
          project={project}
          className={cn('on-picture absolute! top-0 z-1 bg-veil bg-clip-content p-2', place.outer)}
        />
      </div>
      <div className="relative flex flex-wrap items-center gap-x-1.5 text-xs @[17rem]:max-md:col-span-full md:grid md:content-start md:justify-items-center md:gap-y-1 md:px-2.5 md:text-center md:text-sm">
        {project.rank === null ? null : (
          <span aria-hidden className="font-semibold md:hidden">
            {ordinal(project.rank)}
          </span>
        )}
        <span className="flex items-center gap-x-1.5 text-muted">
          <Sides project={project} />
          <EvidenceLook project={project} place={cn('bottom-full max-md:-start-20 max-md:end-auto', place.outer)} />
        </span>
        <About
          project={project}
          className="max-md:flex-1 max-md:truncate md:line-clamp-6 md:leading-tight md:wrap-anywhere"
        />
        <LookAlike project={project} />
      </div>
    </li>
  );
});

const WallLine = memo(function WallLine({ project, sort, own, isEager }: RowProps & { isEager: boolean }) {
  return (
    <li
      className={cn(
        LINE,
        'min-h-21 px-4 [contain-intrinsic-size:auto_5.25rem] has-[[role=tooltip]:not([hidden])]:[content-visibility:visible] data-far:[content-visibility:auto] md:px-0',
        project.rank === null ? 'grid-cols-[auto_minmax(0,1fr)_auto]' : 'grid-cols-[auto_auto_minmax(0,1fr)_auto]',
      )}
    >
      <ProjectLine
        project={project}
        isEager={isEager}
        share={boundOf({ project, sort }) ?? project.bullishPercentage}
        mark={project.expired ? <Badge>Expired</Badge> : null}
      >
        <About project={project} className="line-clamp-2 text-sm/tight wrap-anywhere" />
        <span className="flex flex-wrap items-center gap-x-1.5 text-xs text-muted sm:gap-x-2 sm:text-sm">
          {hasRanks(sort) ? null : <Share project={project} sort={sort} className="font-semibold" />}
          <Sides project={project} />
          <Own voteType={own} />
          <span className="text-text empty:hidden">
            <Reason project={project} sort={sort} />
          </span>
        </span>
        <LookAlike project={project} />
      </ProjectLine>
      <span className="grid justify-items-end gap-1 @max-[17rem]:col-span-full @max-[17rem]:flex @max-[17rem]:items-center @max-[17rem]:justify-between sm:flex sm:items-center sm:gap-3">
        <Figure project={project} sort={sort} />
        <span className="flex items-center gap-2">
          <FollowStar project={project} className="z-1 -m-2" />
          <EvidenceLook project={project} place="end-0 top-full" />
        </span>
      </span>
    </li>
  );
});

interface WallProps {
  rows: readonly Row[];
  sort: Sort;
  isOld: boolean;
  directionOf: (project: Row) => VoteType | undefined;
}

/** The first three of a ranked list as cards, fanned like the deck. */
export const Fan = ({ rows, sort, isOld, directionOf }: WallProps) => (
  <div className="mx-auto w-full max-w-xl">
    <div className="@container xl:sticky xl:top-[clamp(1rem,50svh-14rem,7rem)]">
      {/* The turned corners stay inside the page's edge. */}
      <ol
        aria-busy={isOld}
        className="grid gap-y-3 px-[2.5cqi] pt-3 max-md:gap-y-0 @[17rem]:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)_minmax(0,1fr)]"
      >
        {rows.map((project) => (
          <WallCard key={project.id} project={project} sort={sort} own={directionOf(project)} />
        ))}
      </ol>
    </div>
  </div>
);

interface LinesProps extends WallProps {
  /** How many stand before these. */
  before: number;
  /** Over the whole page, where a laptop has room for two columns. */
  isWide: boolean;
  labelId?: string;
}

/** As many as a phone shows at first; pictures of more would only compete with the code. */
const EAGER_ROWS = 3;

export function Lines({ rows, sort, isOld, directionOf, before, isWide, labelId }: LinesProps) {
  const listRef = useRef<HTMLOListElement>(null);
  useSkippedRows(listRef, rows.length);
  return (
    <ol
      ref={listRef}
      aria-labelledby={labelId}
      aria-busy={isOld}
      start={before + 1}
      className={cn(LINES, '-mx-4 border-t border-line md:mx-0', isWide && 'gap-x-10 xl:grid xl:grid-cols-2')}
    >
      {rows.map((project, index) => (
        <WallLine
          key={project.id}
          project={project}
          sort={sort}
          own={directionOf(project)}
          isEager={before + index < EAGER_ROWS}
        />
      ))}
    </ol>
  );
}
