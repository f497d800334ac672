import { isolated } from '#shared/text/isolated.ts';
import { useQuery } from '@tanstack/react-query';
import type { Project } from '#shared/contract/types.ts';
import { insightsPath } from '../../components/listing/insights-path.ts';
import { ListingLive } from '../../components/listing/listing-live.tsx';
import { ProjectImage } from '../../components/project/project-image.tsx';
import { paths } from '../../lib/paths.ts';
import { queries } from '../../lib/queries.ts';
import { justListed } from '../../payments/just-listed.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Confetti } from '../../voting/confetti.tsx';

function OwnCard({ project }: { project: Pick<Project, 'name' | 'category' | 'imageUrl'> }) {
  const { name, category, imageUrl } = project;
  return (
    <div className="relative mb-5 grid place-items-center overflow-hidden rounded-xl bg-raised py-5">
      <Confetti className="absolute top-1/2 left-1/2" />
      <div
        data-own-card
        className="rise panel relative w-40 -rotate-3 rounded-2xl p-2 shadow-float motion-reduce:rotate-0 dark:bg-raised"
      >
        <ProjectImage
          src={imageUrl}
          name={name}
          alt={`Picture of ${isolated(name)}`}
          width={142}
          height={142}
          eager
          className="aspect-square w-full rounded-xl"
        />
        <p dir="auto" className="display truncate px-1 pt-2 leading-tight">
          {name}
        </p>
        <p className="px-1 pb-1 text-sm text-muted">{category}</p>
      </div>
    </div>
  );
}

export function ListedDialog({ projectId }: { projectId: number }) {
  const { data: project } = useQuery(queries.project(projectId));
  return (
    <Dialog
      open={project !== undefined}
      onOpenChange={() => justListed.set(null)}
      title="Your project is live!"
      description={project ? `${isolated(project.name)} is in the decks of all voters now.` : null}
      actions={
        project ? (
          <>
            <ButtonLink href={paths.project(project)} variant="secondary">
              Open its page
            </ButtonLink>
            <ButtonLink href={insightsPath(project)}>See the insights</ButtonLink>
          </>
        ) : null
      }
    >
      {project ? (
        <>
          <OwnCard project={project} />
          <ListingLive project={project} />
        </>
      ) : null}
    </Dialog>
  );
}
