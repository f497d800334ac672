import { isolated } from '#shared/text/isolated.ts';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { ShareButtons } from '../../components/listing/share-buttons.tsx';
import { sharedLink } from '../../components/listing/snippets.ts';
import { LINE, LINES, ProjectLine } from '../../components/project/project-line.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { queries } from '../../lib/queries.ts';
import { useIsNear } from '../../lib/use-is-near.ts';
import { cn } from '../../ui/class-names.ts';
import type { ProjectView } from './project-view.ts';
import { recordHere } from './use-record-view.ts';

const CARD_SIZE = { width: 1200, height: 630 };

function Share({ project }: { project: ProjectView }) {
  return (
    <Card aria-labelledby="share" className="grid min-w-0 content-start gap-2">
      <CardTitle id="share">Share</CardTitle>
      <img
        src={`/og/projects/${project.slug}.jpg`}
        alt={`The card of ${isolated(project.name)} as others will see it`}
        {...CARD_SIZE}
        loading="lazy"
        className="h-auto w-full rounded-lg border border-line bg-raised"
      />
      <ShareButtons
        text={`${isolated(project.name)} on Snapswipe: bullish or bearish?`}
        url={sharedLink(project, location.origin)}
        onShare={() => recordHere(project, 'share')}
      />
    </Card>
  );
}

function Similar({ project: { id, category } }: { project: ProjectView }) {
  const { data } = useQuery(queries.similar(id));
  if (!data || data.length === 0) return null;
  return (
    <Card aria-labelledby="similar">
      <CardTitle id="similar">More in {category}</CardTitle>
      <ul className={LINES}>
        {data.map((project) => (
          <li key={project.id} className={cn(LINE, 'grid-cols-[auto_minmax(0,1fr)] first:pt-0 last:border-b-0')}>
            <ProjectLine project={project}>
              <span dir="auto" title={project.description} className="line-clamp-2 text-sm text-muted wrap-anywhere">
                {project.description}
              </span>
            </ProjectLine>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function PassOn({ project }: { project: ProjectView }) {
  const placeRef = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(placeRef);
  return (
    <div ref={placeRef} className="grid grid-cols-1 gap-8 md:gap-12 lg:grid-cols-2">
      {isNear ? (
        <>
          <Share project={project} />
          <Similar project={project} />
        </>
      ) : null}
    </div>
  );
}
