import type { Release } from '#shared/site/offline.ts';

/** The worker's side of the platform, as far as this worker uses it: the page's types do not know it. */
export interface LastingEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void;
}

export interface RequestEvent extends LastingEvent {
  readonly request: Request;
  readonly preloadResponse?: Promise<Response | undefined>;
  respondWith: (response: Promise<Response>) => void;
}

export interface PushEvent extends LastingEvent {
  readonly data: { json: () => unknown } | null;
}

export interface RenewalEvent extends LastingEvent {
  readonly oldSubscription?: PushSubscription | null;
  readonly newSubscription?: PushSubscription | null;
}

export interface PressEvent extends LastingEvent {
  readonly notification: Pick<Notification, 'close' | 'data'>;
}

interface Tab {
  readonly url: string;
  focus: () => Promise<unknown>;
}

interface WorkerEvents {
  install: LastingEvent;
  activate: LastingEvent;
  fetch: RequestEvent;
  push: PushEvent;
  pushsubscriptionchange: RenewalEvent;
  notificationclick: PressEvent;
}

export interface WorkerScope {
  /** Written in front of this code by the server (server/site/worker.ts). */
  readonly RELEASE: Release;
  readonly location: { readonly origin: string };
  readonly caches: CacheStorage;
  readonly registration: Pick<ServiceWorkerRegistration, 'navigationPreload' | 'pushManager' | 'showNotification'>;
  readonly clients: {
    matchAll: (options: { type: 'window'; includeUncontrolled: boolean }) => Promise<readonly Tab[]>;
    openWindow: (url: string) => Promise<unknown>;
  };
  readonly fetch: typeof fetch;
  skipWaiting: () => Promise<void>;
  addEventListener: <K extends keyof WorkerEvents>(type: K, listener: (event: WorkerEvents[K]) => void) => void;
}
