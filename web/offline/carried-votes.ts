/**
 * Votes that a link carries to the browser inside a wallet (R76), in its fragment, which no server sees. Anyone can write such a link: names
 * come from the server, votes on what it no longer lists are left out, and nothing counts until its user switches it on.
 */
import { GUEST_CARDS, GUEST_VOTE_DAYS } from '#shared/constants.ts';
import { plural } from '#shared/numbers/plural.ts';
import { announce } from '../lib/announce.ts';
import { ApiError } from '../lib/api-error.ts';
import { api } from '../lib/api.ts';
import { serverNow } from '../lib/server-clock.ts';
import { session } from '../lib/session.ts';
import { toast, type ToastOptions } from '../lib/toast.ts';
import type { VoteType } from '../voting/vote-type.ts';
import { GUEST_ID, keepWaiting, readWaiting, type WaitingVote } from './waiting-votes.ts';

/** Named again in after-start.ts, which every page loads. */
const CARRIED_PREFIX = '#votes=';

interface CarriedVote {
  projectId: number;
  identity: number;
  voteType: VoteType;
  castAtMs: number;
}

/** '#votes=12.1.bullish.1795824000_13.2.bearish.1795824009', of letters that no link escapes; empty without votes. */
export function carriedFragment(votes: readonly WaitingVote[]): string {
  const parts = votes
    .slice(-GUEST_CARDS)
    .map(({ project, voteType, castAtMs }) =>
      [project.id, project.identity, voteType, Math.floor(castAtMs / 1000)].join('.'),
    );
  return parts.length === 0 ? '' : CARRIED_PREFIX + parts.join('_');
}

const VOTE = /^([1-9]\d{0,14})\.([1-9]\d{0,8})\.(bullish|bearish)\.([1-9]\d{0,10})$/;

/** Null unless all of it has the form that `carriedFragment` writes. */
export function parseCarried(fragment: string): CarriedVote[] | null {
  const parts = fragment.slice(CARRIED_PREFIX.length).split('_', GUEST_CARDS + 1);
  const votes = parts.flatMap((part): CarriedVote[] => {
    const [, id, identity, voteType, castAtS] = VOTE.exec(part) ?? [];
    if (voteType !== 'bullish' && voteType !== 'bearish') return [];
    return [{ projectId: Number(id), identity: Number(identity), voteType, castAtMs: Number(castAtS) * 1000 }];
  });
  const ids = new Set(votes.map(({ projectId }) => projectId));
  return ids.size === parts.length && ids.size <= GUEST_CARDS ? votes : null;
}

type Fate = 'kept' | 'known' | 'old' | 'closed' | 'changed';

const GUEST_VOTE_MS = GUEST_VOTE_DAYS * 86_400_000;

/** @throws ApiError where the project cannot be read now */
async function keepCarried({ projectId, identity, voteType, castAtMs }: CarriedVote): Promise<Fate> {
  const nowMs = serverNow();
  if (nowMs - castAtMs >= GUEST_VOTE_MS) return 'old';
  const project = await api.getProject({ params: { id: String(projectId) } }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
  if (!project || project.hidden || Date.parse(project.expiresAt) <= nowMs) return 'closed';
  if (project.identity !== identity) return 'changed';
  if (readWaiting(GUEST_ID).some((vote) => vote.project.id === project.id)) return 'known';
  keepWaiting({
    userId: GUEST_ID,
    project,
    voteType,
    castAtMs: Math.min(castAtMs, nowMs),
    attemptedAtMs: null,
    isCarried: true,
  });
  return 'kept';
}

const LEFT_OUT: Record<Exclude<Fate, 'kept' | 'known'>, string> = {
  old: `Votes older than ${GUEST_VOTE_DAYS} days are left out.`,
  closed: 'Projects that take no votes now are left out.',
  changed: 'Projects that have changed since the vote are left out.',
};

function describe(fates: readonly Fate[]): (ToastOptions & { description: string }) | null {
  const kept = fates.filter((fate) => fate === 'kept').length;
  const why = Object.entries(LEFT_OUT).flatMap(([fate, words]) => (fates.includes(fate as Fate) ? words : []));
  if (kept === 0 && why.length === 0) return null;
  const how = session.live().user ? 'They count only if you say so.' : 'They count only if you switch them on.';
  return {
    title: kept > 0 ? `${plural(kept, 'vote')} came with this link` : 'The votes of this link are left out',
    description: [...(kept > 0 ? [how] : []), ...why].join(' '),
  };
}

function say(words: ToastOptions & { description: string }): void {
  toast(words);
  announce(`${words.title}. ${words.description}`);
}

const UNREADABLE = {
  title: 'The votes of this link cannot be read',
  description: 'The link is damaged. Nothing was sent.',
};

/** @throws ApiError where the server cannot be reached: the link may be read again, and brings what is still missing */
export async function takeCarried(fragment: string): Promise<void> {
  const votes = parseCarried(fragment);
  const words = votes ? describe(await Promise.all(votes.map(keepCarried))) : UNREADABLE;
  if (words) say(words);
}
