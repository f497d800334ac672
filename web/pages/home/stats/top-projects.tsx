import { useQuery } from '@tanstack/react-query';
import { memo, useId } from 'react';
import { plural } from '#shared/numbers/plural.ts';
import { EARLY_DAYS, isEarly } from '#shared/figures/sorts.ts';
import { EvidenceLook } from '../../../components/values/evidence.tsx';
import { LINE, LINES, ProjectLine } from '../../../components/project/project-line.tsx';
import { paths } from '../../../lib/paths.ts';
import { queries } from '../../../lib/queries.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { cn } from '../../../ui/class-names.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';

export const TopProjects = memo(function TopProjects() {
  const titleId = useId();
  const { data, error } = useQuery(queries.topProjects());
  return (
    <Card aria-labelledby={titleId}>
      <CardTitle id={titleId}>Top Projects</CardTitle>
      <div className="flex min-h-63 flex-col">
        {!data && !error ? (
          <div className="grid gap-2">
            <Skeleton className="h-19 w-full" />
            <Skeleton className="h-19 w-full" />
            <Skeleton className="h-19 w-full" />
          </div>
        ) : null}
        {!data && error ? <p className="text-sm text-muted">{error.message}</p> : null}
        {data?.length === 0 ? <p className="m-auto text-center text-muted">No projects yet</p> : null}
        <ol className={LINES}>
          {data?.map((project) => (
            <li key={project.id} className={cn(LINE, 'grid-cols-[auto_minmax(0,1fr)_auto]')}>
              <ProjectLine project={project} isNarrow>
                <span className="text-sm text-muted">
                  {project.totalVotes === 0
                    ? 'No votes yet'
                    : `${project.bullishPercentage}% bullish · ${plural(project.totalVotes, 'vote')}`}
                </span>
              </ProjectLine>
              <EvidenceLook project={project} place="end-0 bottom-full" />
            </li>
          ))}
        </ol>
      </div>
      <ButtonLink href={paths.leaderboard} variant="secondary" className="mt-4 w-full">
        View Full Leaderboard
      </ButtonLink>
      {isEarly(data ?? []) ? <p className="mt-2 text-sm text-muted">{EARLY_DAYS}</p> : null}
    </Card>
  );
});
