import { kindOf } from './kind-of.ts';
import { openPushed, renewPushed, showPush } from './push.ts';
import { removeOldReleases, storeRelease } from './release.ts';
import { respondWithAsset, respondWithDocument } from './respond.ts';
import type { WorkerScope } from './scope.ts';

/** Wires the worker up; see docs/build/decisions/0034-offline.md. */
export function startWorker(scope: WorkerScope): void {
  scope.addEventListener('install', (event) => {
    // At once: pages of the release before find their files in its cache, which stays.
    event.waitUntil(storeRelease(scope).then(() => scope.skipWaiting()));
  });
  scope.addEventListener('activate', (event) => {
    // Not `clients.claim()`: it would throw pages out of the back/forward cache.
    event.waitUntil(Promise.all([removeOldReleases(scope), scope.registration.navigationPreload?.enable()]));
  });
  scope.addEventListener('push', (event) => event.waitUntil(showPush(scope, event)));
  scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewPushed(scope, event)));
  scope.addEventListener('notificationclick', (event) => event.waitUntil(openPushed(scope, event)));
  scope.addEventListener('fetch', (event) => {
    const kind = kindOf(event.request, scope.location.origin);
    if (kind === 'document') event.respondWith(respondWithDocument(scope, event));
    if (kind === 'asset') event.respondWith(respondWithAsset(scope, event));
  });
}
