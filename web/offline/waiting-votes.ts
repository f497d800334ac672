import { GUEST_VOTE_DAYS, PRODUCT } from '#shared/constants.ts';
import { createStore, type ExternalStore } from '../lib/external-store.ts';
import { serverNow } from '../lib/server-clock.ts';
import { writeStored } from '../lib/storage.ts';
import type { NewVote } from '../voting/send-vote.ts';

/** A visitor's vote (R76), from the swipe until the server has answered the sign-in that counts it. */
export interface WaitingVote extends NewVote {
  castAtMs: number;
  /** When it was sent first; null while it never was, so that it cannot count yet. */
  attemptedAtMs: number | null;
  /** A visitor's vote that came with a link (R76): perhaps someone else's. */
  isCarried?: true;
}

export const GUEST_ID = 0;
export const VOTE_KEY_PREFIX = `${PRODUCT}_vote:`;
/** A key for each, so that two tabs never write the same value; and one vote on a project for each user. */
const keyOf = ({ userId, project }: Pick<WaitingVote, 'userId' | 'project'>): string =>
  `${VOTE_KEY_PREFIX}${userId}:${project.id}`;

/** A vote in the storage; null for any other value, which every user of the browser may have written. */
export function parseWaiting(text: string | null): WaitingVote | null {
  try {
    const vote = JSON.parse(text ?? 'null') as (Partial<WaitingVote> & { isUnwanted?: true }) | null;
    // A vote that was to be undone, of a version that kept votes of users.
    const { userId, project, voteType, changes, castAtMs, attemptedAtMs, isUnwanted } = vote ?? {};
    const isVote =
      typeof userId === 'number' &&
      typeof project?.id === 'number' &&
      typeof project.name === 'string' &&
      typeof project.imageUrl === 'string' &&
      (voteType === 'bullish' || voteType === 'bearish') &&
      (changes === undefined || changes === 'bullish' || changes === 'bearish') &&
      typeof castAtMs === 'number' &&
      (attemptedAtMs === null || typeof attemptedAtMs === 'number') &&
      isUnwanted === undefined;
    return isVote ? (vote as WaitingVote) : null;
  } catch {
    return null;
  }
}

const inOrder = (votes: readonly WaitingVote[]): WaitingVote[] =>
  votes.toSorted((a, b) => a.castAtMs - b.castAtMs || a.project.id - b.project.id);

export function storedKeys(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

const GUEST_VOTE_MS = GUEST_VOTE_DAYS * 86_400_000;
const hasExpired = ({ userId, castAtMs }: WaitingVote): boolean =>
  userId === GUEST_ID && serverNow() - castAtMs >= GUEST_VOTE_MS;

function stored(userId: number): WaitingVote[] {
  const votes = storedKeys(`${VOTE_KEY_PREFIX}${userId}:`).flatMap((key) => {
    const vote = parseWaiting(localStorage.getItem(key));
    if (vote && hasExpired(vote)) writeStored(key, null);
    else if (vote?.userId === userId && keyOf(vote) === key) return vote;
    return [];
  });
  return inOrder(votes);
}

export const waiting = createStore<readonly WaitingVote[]>([]);

export const guestVotes = createStore<readonly WaitingVote[]>([]);

const listOf = (userId: number): ExternalStore<readonly WaitingVote[]> => (userId === GUEST_ID ? guestVotes : waiting);

export function readWaiting(userId: number): readonly WaitingVote[] {
  const list = listOf(userId);
  const votes = stored(userId);
  // A full or forbidden storage keeps nothing: what waits lives as long as this tab.
  const unstored = list.get().filter((vote) => vote.userId === userId && lost.has(keyOf(vote)));
  const all = inOrder([...votes, ...unstored]);
  if (JSON.stringify(all) !== JSON.stringify(list.get())) list.set(all);
  return list.get();
}

const lost = new Set<string>();

export function keepWaiting(vote: WaitingVote): void {
  const key = keyOf(vote);
  const text = JSON.stringify(vote);
  writeStored(key, text);
  if (storedKeys(key).includes(key) && localStorage.getItem(key) === text) lost.delete(key);
  else lost.add(key);
  const list = listOf(vote.userId);
  const others = list.get().filter((other) => keyOf(other) !== key);
  list.set(inOrder([...others, vote]));
}

export function dropWaiting(vote: WaitingVote): void {
  const key = keyOf(vote);
  writeStored(key, null);
  lost.delete(key);
  const list = listOf(vote.userId);
  list.set(list.get().filter((other) => keyOf(other) !== key));
}
