import { WORKER_PATH } from '#shared/offline.ts';
import { plural } from '#shared/plural.ts';
import { lostAction } from '../lib/lost-action.ts';
import { session } from '../lib/session.ts';
import { writeStored } from '../lib/storage.ts';
import { toast } from '../lib/toast.ts';
import { connection } from './connection.ts';
import { DECK_KEY_PREFIX, readLastDeck } from './last-deck.ts';
import { namesOf } from './outcome-words.ts';
import { deletePictures, keepPictures } from './pictures.ts';
import { giveBack, sendWaiting } from './send-waiting.ts';
import { GUEST_ID, readWaiting, storedKeys, VOTE_KEY_PREFIX, waiting } from './waiting-votes.ts';

const RETRY_MS = 10_000;

/** Without https there are no workers, but on localhost. In development files have no hashes, and nothing is stored. */
async function register(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register(WORKER_PATH, { updateViaCache: 'none' });
  await navigator.serviceWorker.ready;
  const { user } = session.live();
  const cards = user ? (readLastDeck(user.id)?.cards ?? []) : [];
  await keepPictures(cards.map(({ imageUrl }) => imageUrl));
}

let timer: ReturnType<typeof setTimeout> | undefined;
let notBeforeMs = 0;

async function trySend(): Promise<void> {
  clearTimeout(timer);
  const { user } = session.live();
  if (!user || connection.get() === 'offline' || waiting.get().length === 0) return;
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
  const kept = new Set([`${DECK_KEY_PREFIX}${keptId}`]);
  // Votes of a visitor belong to no user yet; reading deletes those that have expired.
  readWaiting(GUEST_ID);
  const keptVotes = [keptId, GUEST_ID].map((id) => `${VOTE_KEY_PREFIX}${id}:`);
  const votes = storedKeys(VOTE_KEY_PREFIX).filter((key) => !keptVotes.some((prefix) => key.startsWith(prefix)));
  const decks = storedKeys(DECK_KEY_PREFIX).filter((key) => !kept.has(key));
  for (const key of [...votes, ...decks]) writeStored(key, null);
  if (decks.length > 0) void deletePictures();
}

function giveUp(): void {
  const lost = giveBack(waiting.get(), 'not_signed_in').map(({ vote }) => vote);
  if (lost.length === 0) return;
  const words = `${plural(lost.length, 'vote')} that waited for the network ${lost.length === 1 ? 'was' : 'were'} not counted: ${namesOf(lost)}.`;
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
    connection.subscribe(() => void trySend()),
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
