import { Info, Sparkles } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { OwnProject } from '#shared/contract/projects.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { ShowMore } from '../../components/states/show-more.tsx';
import { paths } from '../../lib/paths.ts';
import { blockingOrder } from '../../payments/open-phases.ts';
import { useOpenOrders } from '../../payments/use-open-orders.ts';
import { TermsNote } from '../../payments/terms-note.tsx';
import { useIsAdmin } from '../../payments/use-order.ts';
import { queries } from '../../lib/queries.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useList } from '../../lib/use-list.ts';
import { useServerNow } from '../../lib/use-server-now.ts';
import { ProjectCard, type ProjectActions } from './project-card.tsx';
import { UpdateDialog } from './update-dialog.tsx';

function Group({ id, title, note, children }: { id: string; title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="grid gap-4">
      <h2 id={id} className="text-lg md:text-2xl">
        {title}
      </h2>
      {note}
      {children}
    </section>
  );
}

const GRID = 'grid gap-5 sm:grid-cols-2 xl:grid-cols-3';

export function OwnProjects({ userId, walletAddress }: { userId: number; walletAddress: string }) {
  const {
    rows: data,
    error,
    retry,
    isRetrying,
    more,
  } = useList(queries.walletProjects(walletAddress), {
    noun: 'projects',
  });
  const nowMs = useServerNow();
  const isAdmin = useIsAdmin();
  const { views } = useOpenOrders(userId, true);
  const [updating, setUpdating] = useState<OwnProject | null>(null);

  const actions: ProjectActions = {
    isAdmin,
    openOrder: (purpose, project) => blockingOrder(views, purpose, project.id),
    onUpdate: setUpdating,
  };

  if (error) return <ErrorState error={error} onRetry={retry} retrying={isRetrying} className="panel" />;
  if (!data) {
    return (
      <div className={GRID}>
        <Skeleton className="h-96 rounded-xl" />
        <Skeleton className="h-96 rounded-xl" />
      </div>
    );
  }
  const isExpired = (project: OwnProject) => Date.parse(project.expiresAt) <= nowMs;
  const active = data.filter((project) => !isExpired(project));
  const expired = data.filter(isExpired);
  return (
    <>
      <Group id="active-projects" title={`Active Projects (${active.length})`}>
        {active.length === 0 ? (
          <div className="panel">
            <EmptyState
              icon={<Sparkles size={28} />}
              action={<ButtonLink href={paths['submit-project']}>Submit Project</ButtonLink>}
            >
              No active projects yet. Submit your first project to get started!
            </EmptyState>
          </div>
        ) : null}
        <div className={GRID}>
          {active.map((project) => (
            <ProjectCard key={project.id} project={project} isExpired={false} actions={actions} />
          ))}
        </div>
      </Group>
      {expired.length > 0 ? (
        <Group
          id="expired-projects"
          title={`Expired Projects (${expired.length})`}
          note={
            <p className="flex max-w-prose gap-2 text-muted">
              <Info aria-hidden size={18} className="mt-1 shrink-0" />
              Expired projects are no longer shown on the voting page. Votes and statistics are preserved.
            </p>
          }
        >
          <div className={GRID}>
            {expired.map((project) => (
              <ProjectCard key={project.id} project={project} isExpired actions={actions} />
            ))}
          </div>
        </Group>
      ) : null}
      <ShowMore more={more} noun="projects" />
      {isAdmin || data.length === 0 ? null : <TermsNote className="text-sm text-muted" />}
      {updating ? (
        <UpdateDialog
          key={updating.id}
          project={updating}
          openOrder={blockingOrder(views, 'update', updating.id)}
          onClose={() => setUpdating(null)}
        />
      ) : null}
    </>
  );
}
