import { useEffect } from 'react';
import { nextFrame } from '../../../lib/next-frame.ts';
import { recordEvent } from '../../../lib/record-event.ts';

/** Counts a view of each card that comes to the top (R50), in a frame of its own. */
export function useRecordCard(projectId: number | undefined): void {
  useEffect(() => {
    if (projectId !== undefined) void nextFrame().then(() => recordEvent(projectId, 'view', 'deck'));
  }, [projectId]);
}
