import { PRODUCT } from '#shared/constants.ts';
import { WORKER_PATH } from '#shared/site/offline.ts';
import { plural } from '#shared/numbers/plural.ts';
import { lostAction } from '../lib/lost-action.ts';
import { session } from '../lib/session.ts';
import { writeStored } from '../lib/storage.ts';
import { toast } from '../lib/toast.ts';
import { namesOf } from './outcome-words.ts';
import { giveBack, sendWaiting } from './send-waiting.ts';
import { GUEST_ID, readWaiting, storedKeys, VOTE_KEY_PREFIX, waiting } from './waiting-votes.ts';

const RETRY_MS = 10_000;

/** Without https there are no workers, but on localhost. In development files have no hashes, and nothing is stored. */
async function register(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register(WORKER_PATH, { updateViaCache: 'none' });
}

let timer: ReturnType<typeof setTimeout> | undefined;
let notBeforeMs = 0;

async function trySend(): Promise<void> {
  clearTimeout(timer);
  const { user } = session.live();
  if (!user || waiting.get().length === 0) return;
  if (performance.now() < notBeforeMs) return planSend(0);
  const retryInS = await sendWaiting(user.id);
  if (retryInS === null) return;
  notBeforeMs = performance.now() + retryInS * 1_000;
  planSend(RETRY_MS);
}

function planSend(delayMs: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void trySend(), Math.max(delayMs, notBeforeMs - performance.now()));
}

/** Nothing of a user stays in the browser once the session is over; `keptId` is the user who is signed in. */
function removeOthers(keptId: number | undefined): void {
  // Votes of a visitor belong to no user yet; reading deletes those that have expired.
  readWaiting(GUEST_ID);
  const kept = [keptId, GUEST_ID].map((id) => `${VOTE_KEY_PREFIX}${id}:`);
  const votes = storedKeys(VOTE_KEY_PREFIX).filter((key) => !kept.some((prefix) => key.startsWith(prefix)));
  // A version before stored the deck.
  for (const key of [...votes, ...storedKeys(`${PRODUCT}_deck:`)]) writeStored(key, null);
}

function giveUp(): void {
  const lost = giveBack(waiting.get()).map(({ vote }) => vote);
  if (lost.length === 0) return;
  const words = `${plural(lost.length, 'vote')} that waited ${lost.length === 1 ? 'was' : 'were'} not counted: ${namesOf(lost)}.`;
  if (session.get().status === 'ended') lostAction.set(words);
  else toast({ title: 'Signed out', description: words });
}

function followSession(): void {
  const { user } = session.live();
  if (!user) giveUp();
  removeOthers(user?.id);
  if (!user) return;
  notBeforeMs = 0;
  readWaiting(user.id);
  void trySend();
}

export function startOffline(): () => void {
  let lastId = session.live().user?.id;
  followSession();
  const stops = [
    session.subscribe(() => {
      const id = session.live().user?.id;
      if (id === lastId) return;
      lastId = id;
      followSession();
    }),
    waiting.subscribe(() => {
      if (waiting.get().length > 0) planSend(RETRY_MS);
    }),
  ];
  addEventListener('storage', ({ key }) => {
    const { user } = session.live();
    if (user && (key === null || key.startsWith(VOTE_KEY_PREFIX))) readWaiting(user.id);
  });
  register().catch((error: unknown) =>
    console.warn('The page could not be prepared for times without a network', error),
  );
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}
