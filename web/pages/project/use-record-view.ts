import { useEffect, useRef } from 'react';
import { type EventKind, sourceOf } from '#shared/listings/events.ts';
import { recordEvent } from '../../lib/record-event.ts';
import { session } from '../../lib/session.ts';
import type { ProjectView } from './project-view.ts';

type Counted = Pick<ProjectView, 'id' | 'submittedBy' | 'hidden'>;

/** Counts what happens on this page, as coming from where the address says (R50). What owners do on their own page is not counted. */
export function recordHere({ id, submittedBy, hidden }: Counted, kind: EventKind): void {
  if (hidden || session.get().user?.walletAddress === submittedBy) return;
  void recordEvent(id, kind, sourceOf(location.search));
}

export function useRecordView(project: Counted | undefined): void {
  const countedRef = useRef<number>(undefined);
  useEffect(() => {
    // A newer version of the same project does not count as another view.
    if (!project || countedRef.current === project.id) return;
    countedRef.current = project.id;
    recordHere(project, 'view');
  }, [project]);
}
