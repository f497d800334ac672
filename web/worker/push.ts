import type { PushPayload } from '#shared/people/push-kinds.ts';
import type { PressEvent, PushEvent, RenewalEvent, WorkerScope } from './scope.ts';

const ICON = '/icons/icon-192.png';
export const BADGE = '/icons/badge-96.png';

/** A browser ends the subscription of a worker that shows nothing, so a message that cannot be read is shown as such. */
const UNREADABLE: PushPayload = { title: 'Snapswipe', body: 'Something is new.', link: '/', tag: 'unreadable' };

function readPayload({ data }: PushEvent): PushPayload {
  try {
    return { ...UNREADABLE, ...(data?.json() as Partial<PushPayload> | undefined) };
  } catch {
    return UNREADABLE;
  }
}

export async function showPush({ registration }: WorkerScope, event: PushEvent): Promise<void> {
  const { title, body, link, tag } = readPayload(event);
  await registration.showNotification(title, { body, tag, icon: ICON, badge: BADGE, data: { link } });
}

function pageOf(link: unknown, origin: string): string {
  const url = typeof link === 'string' && URL.canParse(link, origin) ? new URL(link, origin) : new URL('/', origin);
  return url.origin === origin ? url.href : new URL('/', origin).href;
}

/** Goes to the tab that shows the page of the notification, or opens one. Other tabs stay as they are: a form may be open there. */
export async function openPushed({ clients, location }: WorkerScope, { notification }: PressEvent): Promise<void> {
  notification.close();
  const page = pageOf((notification.data as { link?: unknown } | null)?.link, location.origin);
  const tabs = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = tabs.find(({ url }) => url === page);
  await (shown ? shown.focus() : clients.openWindow(page));
}

/** Firefox names neither subscription, some browsers only the old one. What fails here, the page does when it opens. */
export async function renewPushed(
  { registration, fetch }: WorkerScope,
  { oldSubscription, newSubscription }: RenewalEvent,
): Promise<void> {
  const { pushManager } = registration;
  const made = newSubscription ?? (await pushManager.getSubscription());
  const renewed = made ?? (oldSubscription ? await pushManager.subscribe(oldSubscription.options) : null);
  if (renewed === null) return;
  const { endpoint, keys } = renewed.toJSON();
  const body = JSON.stringify({ endpoint, keys });
  await fetch('/api/push/renewal', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}
