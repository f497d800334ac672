import { useQuery } from '@tanstack/react-query';
import { Info, SearchX, Trophy } from 'lucide-react';
import { Link } from 'wouter';
import type { ListedProject } from '#shared/contract/projects.ts';
import { asOfText } from '#shared/text/as-of-text.ts';
import { plural } from '#shared/numbers/plural.ts';
import { hasRanks, type Sort } from '#shared/listings/sort-names.ts';
import { EARLY_DAYS, isEarly } from '#shared/figures/sorts.ts';
import { FindYours } from '../../components/listing/find-yours.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { paths } from '../../lib/paths.ts';
import { queries } from '../../lib/queries.ts';
import { useLiveUser } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import type { VoteType } from '../../voting/vote-type.ts';
import { FilterBar } from './filter-bar.tsx';
import { SORT_LOOKS } from './sorts.tsx';
import { ALL, type Filters, useFilters } from './use-filters.ts';
import { useProjects } from './use-projects.ts';
import { Fan, Lines } from './wall.tsx';

const VOTE_TYPES: readonly VoteType[] = ['bullish', 'bearish'];
const SUBTITLE = 'text-sm text-muted md:text-base';
/** Cards of a ranking's head. */
const FANNED = 3;
const LOADING_ROWS = ['a', 'b', 'c', 'd', 'e', 'f'];

function LoadingRows({ label }: { label: string }) {
  return (
    <div className="col-span-full grid gap-2">
      <VisuallyHidden>{label}</VisuallyHidden>
      {LOADING_ROWS.map((key) => (
        <Skeleton key={key} className="h-18 w-full" />
      ))}
    </div>
  );
}

function Nothing({ isFiltered, onShowAll }: { isFiltered: boolean; onShowAll: () => void }) {
  if (!isFiltered)
    return (
      <EmptyState className="panel col-span-full py-16" icon={<Trophy size={28} />} title="No projects available yet">
        The first listed project takes the lead.
      </EmptyState>
    );
  return (
    <EmptyState
      className="panel col-span-full py-16"
      icon={<SearchX size={28} />}
      title="No project found"
      action={
        <Button variant="secondary" onClick={onShowAll}>
          Show all projects
        </Button>
      }
    >
      Try fewer letters, another word, or all categories. Misspelled names are found, too.
    </EmptyState>
  );
}

interface RankedRowsProps {
  rows: readonly ListedProject[];
  sort: Sort;
  isOld: boolean;
  isFiltered: boolean;
}

/** Rows are the same for everyone and drawn by the server; what the user voted comes apart. */
function useDirections(): (project: ListedProject) => VoteType | undefined {
  const user = useLiveUser();
  const query = queries.directions(user?.id ?? 0);
  const { data } = useQuery({ ...query, enabled: user !== null && query.enabled });
  return ({ id }) => VOTE_TYPES.find((voteType) => data?.[voteType].includes(id));
}

/** Cards for the first three of a whole ranking; lines for the others, and for those that have too few verified votes for a rank (R27). */
function Wall({ rows, sort, isOld, isFiltered }: RankedRowsProps) {
  const directionOf = useDirections();
  const isRanking = hasRanks(sort);
  const ranked = isRanking ? rows.filter(({ rank }) => rank !== null) : rows;
  const unranked = isRanking ? rows.filter(({ rank }) => rank === null) : [];
  const fanned = isRanking && !isFiltered && ranked.length >= FANNED ? FANNED : 0;
  const wall = { sort, isOld, directionOf };
  const isWide = fanned === 0;
  const day = rows.find(({ figuresOn }) => figuresOn !== null)?.figuresOn ?? null;
  return (
    <>
      {fanned > 0 ? <Fan rows={ranked.slice(0, fanned)} {...wall} /> : null}
      <div className={cn('grid content-start gap-3', isWide && 'col-span-full')}>
        {isEarly(rows, isFiltered) ? <p className="text-muted">{EARLY_DAYS}</p> : null}
        {ranked.length > fanned ? (
          <Lines rows={ranked.slice(fanned)} before={fanned} isWide={isWide} {...wall} />
        ) : null}
        {unranked.length > 0 ? (
          <>
            <h2 id="not-ranked" className={cn('text-lg md:text-2xl', ranked.length > 0 && 'mt-5')}>
              New: not ranked yet
            </h2>
            <Lines rows={unranked} before={ranked.length} isWide={isWide} labelId="not-ranked" {...wall} />
          </>
        ) : null}
        {sort === 'new' ? null : <p className="text-sm text-muted">Verified votes: {asOfText(day)}</p>}
      </div>
    </>
  );
}

function Rows({ filters, onShowAll }: { filters: Filters; onShowAll: () => void }) {
  const { rows, waiting, total, endRef, isOld, error, refetch, isFetching } = useProjects(filters);
  const isFiltered = filters.search !== '' || filters.category !== null;
  if (!rows && !error) return <LoadingRows label="Loading leaderboard..." />;
  return (
    <>
      <p aria-live="polite" className={cn('col-span-full text-sm text-muted', !isFiltered && 'sr-only')}>
        {isFiltered && !isOld ? `${plural(total, 'project')} found` : ''}
      </p>
      {rows?.length === 0 ? <Nothing isFiltered={isFiltered} onShowAll={onShowAll} /> : null}
      {rows && rows.length > 0 ? <Wall rows={rows} sort={filters.sort} isOld={isOld} isFiltered={isFiltered} /> : null}
      {waiting > 0 ? <LoadingRows label="Loading more projects..." /> : null}
      {error ? (
        <ErrorState error={error} onRetry={refetch} retrying={isFetching} className="panel col-span-full" />
      ) : null}
      <div ref={endRef} aria-hidden className="col-span-full h-px" />
    </>
  );
}

/** Folded without script; the order that needs no explanation has none. */
function Subtitle({ sort }: { sort: Sort }) {
  const { subtitle, meaning } = SORT_LOOKS[sort];
  if (meaning === null) return <p className={SUBTITLE}>{subtitle}</p>;
  return (
    <details className="group">
      <summary className={cn(SUBTITLE, 'flex cursor-pointer list-none items-center gap-2 rounded-md')}>
        {subtitle}
        <Info aria-hidden size={18} className="shrink-0 text-faint group-open:text-text" />
        <VisuallyHidden>, explained</VisuallyHidden>
      </summary>
      <p className="max-w-prose pt-2 text-sm text-faint">
        {meaning}{' '}
        <Link href={paths.trust} className="text-link underline underline-offset-4">
          How votes are checked
        </Link>
      </p>
    </details>
  );
}

export function LeaderboardPage() {
  const [filters, change] = useFilters();
  return (
    <div className="page grid gap-x-10 gap-y-1 pb-6 md:gap-y-5 md:pb-7 xl:grid-cols-[clamp(28rem,35.5vw,30.5rem)_minmax(0,1fr)]">
      <header className="contents">
        <div>
          {/* On one line in any font, with room to spare: two would move everything when the right font comes. */}
          <h1 className="text-[length:min(var(--text-2xl),13vw)]/[1.1] md:text-4xl">Project Leaderboard</h1>
          <div aria-live="polite">
            <Subtitle key={filters.sort} sort={filters.sort} />
          </div>
        </div>
        <FilterBar filters={filters} onChange={change} />
      </header>
      <Rows filters={filters} onShowAll={() => change({ ...ALL, sort: filters.sort })} />
      <FindYours className="col-span-full mt-6" />
    </div>
  );
}
