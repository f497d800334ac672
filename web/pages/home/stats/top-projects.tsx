import { Name } from '../../../components/values/name.tsx';
import { useQuery } from '@tanstack/react-query';
import { TrendingUp } from 'lucide-react';
import { memo, useId } from 'react';
import { Link } from 'wouter';
import { plural } from '#shared/numbers/plural.ts';
import { EARLY_DAYS, isEarly } from '#shared/figures/sorts.ts';
import { EvidenceLook } from '../../../components/values/evidence.tsx';
import { RankBadge } from '../../../components/values/rank-badge.tsx';
import { paths } from '../../../lib/paths.ts';
import { queries } from '../../../lib/queries.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { cn } from '../../../ui/class-names.ts';
import { WHOLE_LINK } from '../../../ui/whole-link.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';

export const TopProjects = memo(function TopProjects() {
  const titleId = useId();
  const { data, error } = useQuery(queries.topProjects());
  return (
    <Card aria-labelledby={titleId}>
      <CardTitle id={titleId}>Top Projects</CardTitle>
      <div className="flex min-h-48 flex-col">
        {!data && !error ? (
          <div className="grid gap-3">
            <Skeleton className="h-14 w-full" />
            <Skeleton className="h-14 w-full" />
            <Skeleton className="h-14 w-full" />
          </div>
        ) : null}
        {!data && error ? <p className="text-sm text-muted">{error.message}</p> : null}
        {data?.length === 0 ? <p className="m-auto text-center text-muted">No projects yet</p> : null}
        {isEarly(data ?? []) ? <p className="mb-1 text-sm text-muted">{EARLY_DAYS}</p> : null}
        <ol>
          {data?.map((project) => (
            <li
              key={project.id}
              className="relative -mx-2 flex min-h-15 items-center gap-3 rounded-md px-2 py-1.5 transition-colors hover:bg-raised"
            >
              {project.rank === null ? null : <RankBadge rank={project.rank} />}
              <span className="min-w-0 flex-1">
                <Link
                  href={paths.project(project)}
                  title={project.name}
                  className={cn(WHOLE_LINK, 'block truncate font-semibold after:rounded-md')}
                >
                  <Name>{project.name}</Name>
                </Link>
                <span className="flex items-center gap-1.5 text-sm text-muted">
                  {project.totalVotes === 0 ? (
                    'No votes yet'
                  ) : (
                    <>
                      <TrendingUp aria-hidden size={15} className="text-bull" />
                      {project.bullishPercentage}% bullish
                      <span aria-hidden>·</span>
                      {plural(project.totalVotes, 'vote')}
                    </>
                  )}
                </span>
              </span>
              <EvidenceLook project={project} place="end-0 bottom-full" />
            </li>
          ))}
        </ol>
      </div>
      <ButtonLink href={paths.leaderboard} variant="secondary" className="mt-4 w-full">
        View Full Leaderboard
      </ButtonLink>
    </Card>
  );
});
