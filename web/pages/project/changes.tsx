import { History } from 'lucide-react';
import { useState } from 'react';
import { timesChanged } from '../../components/project/changed-line.ts';
import { OnDemand } from '../../components/states/on-demand.tsx';
import { loadable } from '../../lib/loadable.tsx';
import type { ProjectView } from './project-view.ts';

const dialog = loadable(async () => (await import('../../components/project/versions-dialog.tsx')).VersionsDialog);

export function Changes({ project }: { project: ProjectView }) {
  const [isOpen, setOpen] = useState(false);
  if (project.changes === 0) return null;
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="-my-2 inline-flex min-h-11 items-center gap-1.5 rounded-full px-2 text-sm font-semibold text-link underline underline-offset-4"
      >
        <History aria-hidden size={15} />
        {timesChanged(project.changes)}
      </button>
      {isOpen ? (
        <OnDemand name="The comparison" onRetry={dialog.retry} className="panel fixed inset-x-4 bottom-4 z-50 p-4">
          <dialog.Part project={project} onClose={() => setOpen(false)} />
        </OnDemand>
      ) : null}
    </>
  );
}
