import { useQuery } from '@tanstack/react-query';
import { BadgeCheck, ShieldCheck, TrendingUp, Trophy } from 'lucide-react';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { LeaderboardRow as Row } from '#shared/contract/projects.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { paths } from '../../lib/paths.ts';
import { queries } from '../../lib/queries.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { LeaderboardRow } from './leaderboard-row.tsx';
import { isSort, type Sort, rankRows } from '#shared/sorts.ts';
import { useGrowingCount } from './use-growing-count.ts';

const SORTS = [
  {
    value: 'bullish',
    label: (
      <>
        <TrendingUp aria-hidden size={18} className="max-sm:hidden" /> Bullish
      </>
    ),
  },
  {
    value: 'confidence',
    label: (
      <>
        <ShieldCheck aria-hidden size={18} className="max-sm:hidden" /> Confidence
      </>
    ),
  },
  {
    value: 'verified',
    label: (
      <>
        <BadgeCheck aria-hidden size={18} className="max-sm:hidden" /> Verified
      </>
    ),
  },
] as const satisfies { value: Sort; label: unknown }[];
/** What each order ranks by (S2.37 for the first; R27, R44), and what that means. */
const EXPLAINED: Record<Sort, { subtitle: string; meaning: string }> = {
  bullish: {
    subtitle: 'All projects ranked by bullish voting percentage',
    meaning: 'Highest share of bullish votes first.',
  },
  confidence: {
    subtitle: 'All projects ranked by confidence in their bullish votes',
    meaning: 'The lower bound of the bullish share at 95% confidence: a few lucky votes do not make a winner.',
  },
  verified: {
    subtitle: 'All projects ranked by their verified votes',
    meaning:
      'The same bound, over verified votes alone: those of wallets that hold SUI, day after day. Thousands of empty wallets move nothing here.',
  },
};

/** The order is in the address, so that it can be shared and survives Back. */
function useSort(): [Sort, (sort: Sort) => void] {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('order');
  const choose = (sort: Sort) => setSearch(sort === 'bullish' ? {} : { order: sort }, { replace: true });
  return [isSort(asked) ? asked : 'bullish', choose];
}

function Rows({ rows, sort }: { rows: readonly Row[]; sort: Sort }) {
  const ranked = useMemo(() => rankRows(rows, sort), [rows, sort]);
  const { count, endRef } = useGrowingCount(ranked.length);
  return (
    <>
      <ol className="grid gap-3">
        {ranked.slice(0, count).map(({ rank, project }) => (
          <LeaderboardRow key={project.id} rank={rank} project={project} sort={sort} />
        ))}
      </ol>
      <div ref={endRef} aria-hidden className="h-px" />
    </>
  );
}

const LOADING_ROWS = ['a', 'b', 'c', 'd', 'e', 'f'];
function LoadingRows() {
  return (
    <div className="grid gap-3">
      <VisuallyHidden>Loading leaderboard...</VisuallyHidden>
      {LOADING_ROWS.map((key) => (
        <Skeleton key={key} className="h-33 w-full rounded-xl" />
      ))}
    </div>
  );
}

/** Project leaderboard (S2.37, R27, R44). */
export function LeaderboardPage() {
  const [sort, setSort] = useSort();
  const { data, error, refetch, isFetching } = useQuery(queries.projectLeaderboard());
  const { subtitle, meaning } = EXPLAINED[sort];
  return (
    <div className="page grid max-w-5xl gap-6 py-8 md:py-12">
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div className="grid gap-2">
          {/* On phones always two lines: it would fit on one in some fonts, and move everything when the right one comes. */}
          <h1 className="max-w-min text-4xl min-[30rem]:max-w-none md:text-5xl">Project Leaderboard</h1>
          <p className="text-lg text-muted">{subtitle}</p>
        </div>
        <div className="grid gap-1.5">
          <Segmented label="Order" options={SORTS} value={sort} onChange={setSort} />
        </div>
        <p className="w-full text-sm text-faint" aria-live="polite">
          {meaning}{' '}
          <Link href={paths.trust} className="text-link underline underline-offset-4">
            How votes are checked
          </Link>
        </p>
      </header>
      {!data && !error ? <LoadingRows /> : null}
      {!data && error ? (
        <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} className="panel" />
      ) : null}
      {data?.length === 0 ? (
        <EmptyState className="panel py-16" icon={<Trophy size={28} />} title="No projects available yet">
          The first listed project takes the lead.
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? <Rows key={sort} rows={data} sort={sort} /> : null}
    </div>
  );
}
