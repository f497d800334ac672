import { Boundary } from '../../components/states/boundary.tsx';
import { useStore } from '../../lib/external-store.ts';
import { loadable } from '../../lib/loadable.tsx';
import { justListed } from '../../payments/just-listed.ts';
import { Suspense } from 'react';

const party = loadable(async () => (await import('./listed-dialog.tsx')).ListedDialog);

/** After a submission, which ends here (S2.24): the code loads for those only who have just listed a project. */
export function JustListedHere() {
  const projectId = useStore(justListed, () => null);
  if (projectId === null) return null;
  return (
    <Boundary renderFailure={() => null}>
      <Suspense fallback={null}>
        <party.Part key={projectId} projectId={projectId} />
      </Suspense>
    </Boundary>
  );
}
