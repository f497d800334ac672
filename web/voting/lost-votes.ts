import { api } from '../lib/api.ts';
import { createStore, useStore } from '../lib/external-store.ts';
import type { Outcome } from './outcome.ts';
import { failureOf, type NewVote, sendVote } from './send-vote.ts';

/** A vote without an answer (R99): its card is back, and the vote may still have arrived. */
export interface LostVote extends NewVote {
  attemptedAtMs: number;
}

const lostVotes = createStore<readonly LostVote[]>([]);

const isOn = (userId: number, projectId: number | undefined) => (vote: NewVote) =>
  vote.userId === userId && vote.project.id === projectId;

export const lostVote = ({ userId, project }: NewVote): LostVote | undefined =>
  lostVotes.get().find(isOn(userId, project.id));

export const useLostVote = (userId: number, projectId: number | undefined): LostVote | undefined =>
  useStore(lostVotes).find(isOn(userId, projectId));

/** `attemptedAtMs` is null once the vote has its answer. */
export function noteLost(vote: NewVote, attemptedAtMs: number | null): void {
  const isSame = isOn(vote.userId, vote.project.id);
  const others = lostVotes.get().filter((other) => !isSame(other));
  lostVotes.set(attemptedAtMs === null ? others : [...others, { ...vote, attemptedAtMs }]);
}

/** Clocks of server and browser agree within this, see server-clock.ts. */
const CLOCK_TOLERANCE_MS = 5_000;

/** A vote of the same direction that is not older than the first attempt is this one; any other was cast elsewhere. @throws ApiError */
async function hasArrived({ project, voteType }: NewVote, attemptedAtMs: number): Promise<boolean> {
  const own = (await api.getOwnVote({ params: { id: project.id } })).vote;
  return own?.voteType === voteType && Date.parse(own.saidAt) >= attemptedAtMs - CLOCK_TOLERANCE_MS;
}

/** Sends a vote that an earlier attempt, at `attemptedAtMs`, may have brought: 'Already voted' is success then (R99). */
export async function sendAgain(vote: NewVote, attemptedAtMs: number | null): Promise<Outcome['fate']> {
  const result = await sendVote(vote);
  const isKnown = result.kind === 'rejected' && (result.code === 'already_voted' || result.code === 'changed_today');
  if (!isKnown || attemptedAtMs === null) return result;
  try {
    return (await hasArrived(vote, attemptedAtMs)) ? { kind: 'counted_before' } : result;
  } catch (error) {
    return failureOf(error);
  }
}
