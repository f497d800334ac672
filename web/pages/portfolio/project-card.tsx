import { Name } from '../../components/values/name.tsx';
import { CalendarClock, ChartColumn, PencilLine, TrendingDown, TrendingUp } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import type { OwnProject } from '#shared/contract/projects.ts';
import { lookAlikeText } from '#shared/listings/listing-source.ts';
import { WITHHELD_TEXT } from '#shared/listings/withheld-text.ts';
import { insightsName, insightsPath, renewPath } from '../../components/listing/insights-path.ts';
import { RenewLabel } from '../../components/listing/renew-label.tsx';
import { ProjectImage } from '../../components/project/project-image.tsx';
import { hasClock, isKeptInCatalogue, TimeLeft } from '../../components/values/time-left.tsx';
import { VoteBar } from '../../components/values/vote-bar.tsx';
import { paths } from '../../lib/paths.ts';
import { ORDER_FACTS, type OrderView } from '../../payments/open-phases.ts';
import { FEE_SUI } from '../../payments/order-toasts.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { HiddenListing } from './hidden-listing.tsx';

export interface ProjectActions {
  isAdmin: boolean;
  openOrder: (purpose: 'update' | 'renew', project: OwnProject) => OrderView | null;
  onUpdate: (project: OwnProject) => void;
}

function Votes({ project }: { project: OwnProject }) {
  return (
    <div className="grid gap-2">
      <VoteBar bullish={project.bullishCount} bearish={project.bearishCount} />
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm font-semibold">
        <span className="inline-flex items-center gap-1 text-bull">
          <TrendingUp aria-hidden size={16} />
          {project.bullishCount.toLocaleString()} bullish
        </span>
        <span className="inline-flex items-center gap-1 text-bear">
          <TrendingDown aria-hidden size={16} />
          {project.bearishCount.toLocaleString()} bearish
        </span>
        <span className="ms-auto text-muted">{project.totalVotes.toLocaleString()} total</span>
      </p>
    </div>
  );
}

export function ProjectCard({
  project,
  isExpired,
  actions,
}: {
  project: OwnProject;
  isExpired: boolean;
  actions: ProjectActions;
}) {
  const { isAdmin, openOrder, onUpdate } = actions;
  const [, navigate] = useLocation();
  const titleOf = (purpose: 'update' | 'renew') => {
    const open = openOrder(purpose, project);
    return open ? ORDER_FACTS[open.phase].title : false;
  };
  const of = (
    <VisuallyHidden>
      {' '}
      <Name>{project.name}</Name>
    </VisuallyHidden>
  );
  const isHidden = project.hiddenReason !== null;
  return (
    <article className={cn('panel grid grid-rows-[auto_1fr] overflow-hidden', isExpired && 'bg-raised shadow-none')}>
      <div className="relative aspect-[16/10] overflow-hidden">
        <ProjectImage
          src={project.imageUrl}
          name={project.name}
          alt=""
          width={420}
          height={262}
          sizes="(min-width: 1280px) 26rem, (min-width: 640px) 46vw, 94vw"
          className={cn('size-full', isExpired && 'opacity-70 grayscale')}
        />
        {hasClock(project) ? (
          <span className="absolute top-3 start-3 inline-flex items-center gap-1.5 rounded-full border border-line bg-surface px-3 py-1 text-sm font-semibold text-text shadow-card">
            <CalendarClock aria-hidden size={16} className={isExpired ? 'text-faint' : 'text-link'} />
            <TimeLeft iso={project.expiresAt} />
          </span>
        ) : null}
      </div>
      <div className="grid content-between gap-4 p-5">
        <div className="grid gap-2">
          <div className="flex items-start justify-between gap-3">
            <h3 className={cn('min-w-0 text-lg break-words', isExpired && 'text-muted')}>
              <Link href={paths.project(project)} className="underline-offset-4 hover:underline">
                <Name>{project.name}</Name>
              </Link>
            </h3>
            <Badge>{project.category}</Badge>
          </div>
          <p title={project.description} className="line-clamp-3 break-words text-muted">
            {project.description}
          </p>
          {isHidden ? <HiddenListing project={project} /> : null}
          {!isHidden && project.listing.lookAlike ? (
            <p className="rounded-lg bg-raised p-3 text-sm text-text">
              {lookAlikeText(project.listing.lookAlike)}. {WITHHELD_TEXT}
            </p>
          ) : null}
        </div>
        <div className="grid gap-4">
          <Votes project={project} />
          <Link
            href={insightsPath(project)}
            className="inline-flex min-h-11 items-center gap-2 justify-self-start font-semibold text-link underline-offset-4 hover:underline"
          >
            <ChartColumn aria-hidden size={18} />
            {insightsName(project)}
            <VisuallyHidden>
              {' '}
              of <Name>{project.name}</Name>
            </VisuallyHidden>
          </Link>
          {!isHidden && !isAdmin && isKeptInCatalogue(project) ? (
            <p className="text-sm text-muted">
              Free as part of the catalogue: nothing is due. Once you renew it for the first time, it ends like any paid
              listing.
            </p>
          ) : null}
          {isHidden ? null : (
            <div className="flex flex-wrap gap-2 [&>*]:flex-1 [&>*]:px-3 [&>*]:whitespace-nowrap">
              {isExpired ? null : (
                <Button variant="secondary" busy={titleOf('update')} onClick={() => onUpdate(project)}>
                  <PencilLine aria-hidden size={18} />
                  {`Update (${isAdmin ? 'FREE' : `${FEE_SUI.update} SUI`})`}
                  {of}
                </Button>
              )}
              <Button
                variant={isExpired ? 'primary' : 'secondary'}
                busy={titleOf('renew')}
                onClick={() => navigate(renewPath(project))}
              >
                <RenewLabel isOver={isExpired} isFree={isAdmin} />
                {of}
              </Button>
            </div>
          )}
        </div>
      </div>
    </article>
  );
}
