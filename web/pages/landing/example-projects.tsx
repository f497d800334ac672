import { Layers } from 'lucide-react';
import { Link } from 'wouter';
import { LANDING_EXAMPLES, YELLOW_FROM_PERCENT } from '#shared/constants.ts';
import type { Project } from '#shared/contract/types.ts';
import { bullishPercentage } from '#shared/rules.ts';
import { plural } from '#shared/numbers/plural.ts';
import { FindYours } from '../../components/listing/find-yours.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { Read } from '../../components/states/read.tsx';
import { EvidenceLook } from '../../components/values/evidence.tsx';
import { PercentBadge } from '../../components/values/percent-badge.tsx';
import { ProjectImage } from '../../components/project/project-image.tsx';
import { paths } from '../../lib/paths.ts';
import { queries } from '../../lib/queries.ts';
import { WHOLE_LINK } from '../../ui/whole-link.ts';
import { cn } from '../../ui/class-names.ts';
import { withQueries } from '../../components/session/with-queries.tsx';
import { EXAMPLE_PLACE, EXAMPLES_GRID, LoadingExamples } from './loading-examples.tsx';

function ExampleCard({ project }: { project: Project }) {
  const percent = bullishPercentage(project.bullishCount, project.bearishCount);
  return (
    <li className={EXAMPLE_PLACE}>
      <div className="panel relative flex h-full flex-col transition-[transform,border-color] duration-200 hover:-translate-y-1 hover:border-line-strong">
        <ProjectImage
          src={project.imageUrl}
          name={project.name}
          alt=""
          width={400}
          height={300}
          sizes="(width >= 84rem) 26rem, (width >= 48rem) 33vw, (width >= 40rem) 50vw, 100vw"
          className="aspect-[4/3] w-full rounded-t-[inherit]"
        />
        <div className="flex flex-1 flex-col gap-2 p-5">
          <h3 className="text-lg wrap-anywhere">
            <Link dir="auto" href={paths.project(project)} className={cn(WHOLE_LINK, 'after:rounded-xl')}>
              {project.name}
            </Link>
          </h3>
          <div className="flex-1">
            <p title={project.description} className="line-clamp-3 text-muted wrap-anywhere">
              {project.description}
            </p>
          </div>
          <div className="flex flex-wrap items-center justify-between gap-2 pt-2">
            <PercentBadge
              percent={percent}
              tone={percent >= YELLOW_FROM_PERCENT ? 'green' : 'red'}
              totalVotes={project.totalVotes}
            />
            <span className="flex items-center gap-2 text-sm text-muted">
              {plural(project.totalVotes, 'vote')}
              <EvidenceLook project={project} place="end-0 bottom-full" />
            </span>
          </div>
        </div>
      </div>
    </li>
  );
}

const Examples = () => (
  <div className="grid gap-10">
    <Read of={queries.previewProjects()} skeleton={<LoadingExamples />} className="panel">
      {(projects) =>
        projects.length === 0 ? (
          <EmptyState icon={<Layers size={28} />} title="No projects yet" className="panel">
            The first cards are being drawn. List yours and be the one on top of the stack.
          </EmptyState>
        ) : (
          <ul className={EXAMPLES_GRID}>
            {projects.slice(0, LANDING_EXAMPLES).map((project) => (
              <ExampleCard key={project.id} project={project} />
            ))}
          </ul>
        )
      }
    </Read>
    <FindYours />
  </div>
);

export const ExampleProjects = withQueries(Examples);
