import type { recordEvent as endpoint } from '#shared/contract/insights.ts';
import type { EventKind, EventSource } from '#shared/events.ts';
import { buildUrl, type Word } from './http.ts';

const ROUTE: Word<typeof endpoint> = 'POST /api/projects/{id}/events';
const [, PATH = ''] = ROUTE.split(' ');

declare global {
  interface Document {
    /** Where a browser draws a page ahead before it is looked at. */
    readonly prerendering?: boolean;
  }
}

function looked(): Promise<void> {
  if (!document.prerendering) return Promise.resolve();
  return new Promise((resolve) => document.addEventListener('prerenderingchange', () => resolve(), { once: true }));
}

/**
 * Counts a view of a project, a click on one of its links, or a share (R50). Sent beside everything else, even while the page is left;
 * what gets lost is not sent again.
 */
export async function recordEvent(projectId: number, kind: EventKind, source: EventSource): Promise<void> {
  await looked();
  // It would only be one more error in the console.
  if (!navigator.onLine) return;
  const body = new Blob([JSON.stringify({ kind, source })], { type: 'application/json' });
  navigator.sendBeacon?.(buildUrl(PATH, { id: projectId }), body);
}
