import { Flag } from 'lucide-react';
import { OnDemand } from '../../components/states/on-demand.tsx';
import { useStore } from '../../lib/external-store.ts';
import { loadable } from '../../lib/loadable.tsx';
import { askToReport, reportAsked, type Reported } from './report-asked.ts';
import { useLiveUser } from '../../lib/session.ts';
import type { ProjectView } from './project-view.ts';

const dialog = loadable(async () => (await import('./report-dialog.tsx')).ReportDialog);

export function ReportButton(reported: Reported) {
  return (
    <button
      type="button"
      aria-label={`Report ${reported.name}`}
      onClick={() => askToReport(reported)}
      className="-mx-3 inline-flex min-h-11 items-center gap-1.5 rounded-full px-3 text-sm font-medium text-faint transition-colors hover:bg-raised hover:text-text"
    >
      <Flag aria-hidden size={15} />
      Report
    </button>
  );
}

export function ReportProject({ project }: { project: ProjectView }) {
  const user = useLiveUser();
  if (project.hidden || user?.walletAddress === project.submittedBy) return null;
  return <ReportButton subject="project" subjectId={project.id} projectId={project.id} name={project.name} />;
}

export function ReportHost({ projectId }: { projectId: number }) {
  const reported = useStore(reportAsked);
  const user = useLiveUser();
  if (reported?.projectId !== projectId) return null;
  if (!user && (!reported.isMine || reported.isConnecting)) return null;
  return (
    <OnDemand name="The report" onRetry={dialog.retry} className="panel fixed inset-x-4 bottom-4 z-50 p-4">
      <dialog.Part reported={reported} isSignedIn={user !== null} onClose={() => reportAsked.set(null)} />
    </OnDemand>
  );
}
