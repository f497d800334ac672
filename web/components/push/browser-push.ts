import type { PushChoice, PushSubscription as Sent } from '#shared/contract/push.ts';

export type Hindrance = 'unsupported' | 'not_installed' | 'blocked' | null;

/** Push needs a service worker: only on https and localhost, and never in development. */
const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** WebKit's own property: false in a tab of an iPhone or iPad, whose pages can push once they are on the Home Screen. */
const isInTab = (): boolean => 'standalone' in navigator && navigator.standalone === false;

export function hindrance(): Hindrance {
  if (!canPush()) return isInTab() ? 'not_installed' : 'unsupported';
  return Notification.permission === 'denied' ? 'blocked' : null;
}

export class PushFailure extends Error {}

async function readyWorker(): Promise<ServiceWorkerRegistration> {
  if (!(await navigator.serviceWorker.getRegistration()))
    throw new PushFailure('Notifications are not ready in this browser yet. Reload the page and try again.');
  return navigator.serviceWorker.ready;
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

function isOfKey({ options }: PushSubscription, key: Uint8Array): boolean {
  const used = options.applicationServerKey;
  return used !== null && new Uint8Array(used).join() === key.join();
}

const isAllowed = (): boolean => canPush() && Notification.permission === 'granted';

/** Browsers renew and lose subscriptions, and take them away with the permission, without a word to the page. */
export async function hasSubscription({ publicKey, endpoint, isOnHere }: PushChoice): Promise<boolean> {
  if (!isOnHere || publicKey === null || !isAllowed()) return false;
  const registration = await navigator.serviceWorker.getRegistration();
  const present = await registration?.pushManager.getSubscription();
  return present ? new URL(present.endpoint).href === endpoint && isOfKey(present, bytesOf(publicKey)) : false;
}

/** The subscription in place of one that the site or the browser has no more; null: the browser gives none unasked. */
export async function renewHere({ publicKey, isOnHere }: PushChoice): Promise<Sent | null> {
  if (publicKey === null || !isAllowed()) return null;
  try {
    if (!isOnHere) await unsubscribeHere();
    return await subscribeHere(publicKey);
  } catch (error) {
    console.warn('The browser gives no new subscription', error);
    return null;
  }
}

/** Call within a press: browsers reject other requests. @throws PushFailure with a sentence for the user */
export async function subscribeHere(publicKey: string): Promise<Sent> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new PushFailure('Your browser does not allow notifications of this site. Its settings can change that.');
  const { pushManager } = await readyWorker();
  const key = bytesOf(publicKey);
  const present = await pushManager.getSubscription();
  if (present && !isOfKey(present, key)) await present.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint = '', keys } = subscription.toJSON();
  return { endpoint, keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } };
}

export async function unsubscribeHere(): Promise<void> {
  if (!canPush()) return;
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
