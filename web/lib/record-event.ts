import type { recordEvent as endpoint } from '#shared/contract/insights.ts';
import type { EventKind, EventSource } from '#shared/listings/events.ts';
import { buildUrl, type Word } from './http.ts';

const ROUTE: Word<typeof endpoint> = 'POST /api/projects/{id}/events';
const [, PATH = ''] = ROUTE.split(' ');

declare global {
  interface Document {
    readonly prerendering?: boolean;
  }
}

function looked(): Promise<void> {
  if (!document.prerendering) return Promise.resolve();
  return new Promise((resolve) => document.addEventListener('prerenderingchange', () => resolve(), { once: true }));
}

export async function recordEvent(projectId: number, kind: EventKind, source: EventSource): Promise<void> {
  await looked();
  if (!navigator.onLine) return;
  const body = new Blob([JSON.stringify({ kind, source })], { type: 'application/json' });
  navigator.sendBeacon?.(buildUrl(PATH, { id: projectId }), body);
}
