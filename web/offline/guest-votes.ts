/** Votes of a visitor (R76) wait under the user 0. A sign-in lists them and gives them to its user, unless that is switched off. */
import { isolated } from '#shared/text/isolated.ts';
import { useLayoutEffect } from 'react';
import { VOTE_REWARD_TOKENS, VOTES_PER_WINDOW } from '#shared/constants.ts';
import type { Project } from '#shared/contract/types.ts';
import { announce } from '../lib/announce.ts';
import { createStore, useStore } from '../lib/external-store.ts';
import { serverNow } from '../lib/server-clock.ts';
import { session, useLiveUser } from '../lib/session.ts';
import { connectDialogOpen } from '../lib/wallet-state.ts';
import type { VoteType } from '../voting/vote-type.ts';
import {
  dropWaiting,
  GUEST_ID,
  guestVotes,
  keepWaiting,
  readWaiting,
  VOTE_KEY_PREFIX,
  type WaitingVote,
} from './waiting-votes.ts';

/** Keeps a visitor's vote, in place of an earlier one on the same project. False where as many wait as one window can count. */
export function keepGuestVote(project: Project, voteType: VoteType): boolean {
  const votes = readWaiting(GUEST_ID);
  const isKnown = votes.some((vote) => vote.project.id === project.id);
  if (!isKnown && votes.length >= VOTES_PER_WINDOW) return false;
  keepWaiting({ userId: GUEST_ID, project, voteType, castAtMs: serverNow(), attemptedAtMs: null });
  announce(`Voted ${voteType} on ${isolated(project.name)}. ${VOTE_REWARD_TOKENS} Snaps wait for your sign-in.`);
  return true;
}

function followGuestVotes(): () => void {
  readWaiting(GUEST_ID);
  const read = ({ key }: StorageEvent) => {
    if (key === null || key.startsWith(VOTE_KEY_PREFIX)) readWaiting(GUEST_ID);
  };
  addEventListener('storage', read);
  return () => removeEventListener('storage', read);
}

const NONE: readonly WaitingVote[] = [];

export function useGuestVotes(): readonly WaitingVote[] {
  useLayoutEffect(followGuestVotes, []);
  return useStore(guestVotes, () => NONE);
}

export function useListedVotes(): readonly WaitingVote[] {
  const votes = useGuestVotes();
  return useLiveUser() ? NONE : votes;
}

/** The switches of the dialog: of the visitor's own votes, and of those that came with a link, which anyone can write. */
export const isCounting = createStore(true);
export const isCountingCarried = createStore(false);
connectDialogOpen.subscribe(() => {
  if (connectDialogOpen.get()) return;
  isCounting.set(true);
  isCountingCarried.set(false);
});

const isSwitchedOn = ({ isCarried }: WaitingVote): boolean => (isCarried ? isCountingCarried : isCounting).get();

export function useVotesToCount(): readonly WaitingVote[] {
  useStore(isCounting);
  useStore(isCountingCarried);
  return useListedVotes().filter(isSwitchedOn);
}

export const isPostponed = createStore(false);

export function claimListedVotes(userId: number): void {
  if (session.live().user) return;
  const votes = readWaiting(GUEST_ID);
  isPostponed.set(!votes.every(isSwitchedOn));
  claimGuestVotes(userId, votes.filter(isSwitchedOn));
}

export function claimGuestVotes(userId: number, votes: readonly WaitingVote[]): void {
  for (const vote of votes) {
    const { isCarried: _isCarried, ...claimed } = vote;
    keepWaiting({ ...claimed, userId });
    dropWaiting(vote);
  }
}
