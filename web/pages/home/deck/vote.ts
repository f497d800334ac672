import { VOTE_REWARD_TOKENS, VOTES_PER_WINDOW } from '#shared/constants.ts';
import type { Project, VotingStatus } from '#shared/contract/types.ts';
import { announce } from '../../../lib/announce.ts';
import { ApiError, errorText } from '../../../lib/api-error.ts';
import { api } from '../../../lib/api.ts';
import { nextFrame } from '../../../lib/next-frame.ts';
import { createStore } from '../../../lib/external-store.ts';
import { lostAction } from '../../../lib/lost-action.ts';
import { type FeedPage, queries, queryClient, refreshAfterVote } from '../../../lib/queries.ts';
import { serverNow } from '../../../lib/server-clock.ts';
import { session } from '../../../lib/session.ts';
import { toast } from '../../../lib/toast.ts';
import {
  castVote,
  emptyDeck,
  mergeFeed,
  skipTop,
  topCard,
  voteFailed,
  voteFinished,
  type Deck,
  type VoteType,
} from './deck.ts';
import { connectDeck, waitsAfter, waitsAtOnce, withLastDeck } from './offline-deck.ts';
import { isFinalRejection, limitPhase, newerStats, newerStatus } from './vote-response.ts';

/**
 * The deck lives outside the components: a user who visits a project's page and returns finds the same order, and a vote
 * whose response arrives after the user left still counts.
 */
export const deck = createStore<Deck>(emptyDeck(0));
/** The newest reward to celebrate; `id` distinguishes two equal ones. */
export const reward = createStore<{ id: number; tokens: number } | null>(null);
/** Tokens of the congratulation that waits to be seen (S2.17, R10). */
export const congratulation = createStore<number | null>(null);

const change = (next: (state: Deck) => Deck) => deck.set(next(deck.get()));

/** Empties the deck when it was another user's. */
export function openDeck(userId: number): void {
  if (deck.get().userId !== userId) deck.set(emptyDeck(userId));
}

export function takeFeed(userId: number, { projects, limit }: FeedPage): void {
  change((state) => (state.userId === userId ? mergeFeed(state, projects, limit) : state));
}

/** Deals the cards of the last visit, where the feed cannot be read. */
export const takeLastDeck = (): void => change(withLastDeck);

/** Opens the deck with the feed that came with the page, so that the first draw shows its cards. */
export function primeDeck(): void {
  const { user } = session.get();
  const feed = user && queryClient.getQueryData(queries.feed(user.id).queryKey);
  if (!feed) return;
  openDeck(user.id);
  takeFeed(user.id, feed);
}

/** Whether one more vote fits; pending votes are assumed to count. */
export function canVote(userId: number): boolean {
  if (session.get().status === 'ended') return false;
  const status = queryClient.getQueryData(queries.votingStatus(userId).queryKey);
  if (limitPhase(status, serverNow()) !== 'open') return false;
  return (status?.votesRemaining ?? VOTES_PER_WINDOW) > deck.get().pending.length;
}

/** Votes on the top card; the response arrives later. False when no vote is accepted: locked, no card, or no votes left. */
export function voteOnTop(voteType: VoteType): boolean {
  const { user } = session.get();
  if (!user) {
    toast({ title: 'Vote Failed', description: 'User not logged in', variant: 'destructive' });
    return false;
  }
  const before = deck.get();
  const project = topCard(before);
  if (!project || !canVote(user.id)) return false;
  change((state) => castVote(state, project.id, performance.now()));
  if (deck.get() === before) return false;
  void sendVote(user.id, project, voteType);
  return true;
}

/** Moves the top card to the back; returns it. */
export function skipTopCard(): Project | undefined {
  const project = topCard(deck.get());
  if (!project) return undefined;
  change(skipTop);
  announce(`Skipped ${project.name}`);
  return project;
}

/** Sends at once, so that a tab that closes right away does not lose the vote. Draws the changes of the response in two frames. */
async function sendVote(userId: number, project: Project, voteType: VoteType): Promise<void> {
  const sentAtMs = serverNow();
  if (waitsAtOnce({ userId, project, voteType })) return;
  try {
    const body = { userId, projectId: project.id, voteType, tokensEarned: VOTE_REWARD_TOKENS };
    const response = await api.castVote({ body });
    if (deck.get().userId !== userId) return;
    change((state) => voteFinished(state, project.id));
    applyResponse(userId, response);
    await nextFrame();
    if (deck.get().userId !== userId) return;
    reward.set({ id: (reward.get()?.id ?? 0) + 1, tokens: response.tokensEarned });
    if (response.congratulation !== null) congratulation.set(response.congratulation);
    announce(`Voted ${voteType} on ${project.name}, +${response.tokensEarned} tokens`);
  } catch (error) {
    if (deck.get().userId !== userId) return;
    if (waitsAfter({ userId, project, voteType }, error, sentAtMs)) return;
    handleRejection(userId, project, error);
  }
  if (session.get().status !== 'ended') refreshSoon(userId);
}

type VoteResponse = Awaited<ReturnType<typeof api.castVote>>;

/** Shows the numbers of a vote's response at once. Pending polls were sent before it and would jump back, so they are cancelled. */
function applyResponse(userId: number, { userStats, votingStatus }: VoteResponse): void {
  const { queryKey: statsKey } = queries.stats(userId);
  const { queryKey: statusKey } = queries.votingStatus(userId);
  void queryClient.cancelQueries({ queryKey: statsKey });
  void queryClient.cancelQueries({ queryKey: statusKey });
  const stats = queryClient.setQueryData(statsKey, (known) => newerStats(known, userStats));
  if (stats) session.updateStats(userId, stats);
  queryClient.setQueryData(statusKey, (known) => newerStatus(known, votingStatus));
}

function handleRejection(userId: number, { id, name }: Project, error: unknown): void {
  const code = error instanceof ApiError ? error.code : '';
  change((state) => (isFinalRejection(code) ? voteFinished(state, id) : voteFailed(state, id)));
  if (code === 'vote_limit') noteLimit(userId, error instanceof ApiError ? error.retryAfterS : null);
  if (session.get().status === 'ended') {
    lostAction.set(`Your vote on ${name} was not counted. The card is back on top.`);
    return;
  }
  toast({ title: 'Vote Failed', description: errorText(error, 'Failed to submit vote'), variant: 'destructive' });
}

/** The server rejected a vote beyond the limit (429): the page shows the limit without waiting for the next poll. */
function noteLimit(userId: number, retryAfterS: number | null): void {
  if (retryAfterS === null) return;
  const periodEndsAt = new Date(serverNow() + retryAfterS * 1000).toISOString();
  queryClient.setQueryData(
    queries.votingStatus(userId).queryKey,
    (known): VotingStatus | undefined =>
      known && { ...known, votesRemaining: 0, totalVotes: known.totalVotesAllowed, periodEndsAt },
  );
}

const REFRESH_DELAY_MS = 400;
let refreshTimer: ReturnType<typeof setTimeout> | undefined;

/** S4.5, once for several votes in a row: the numbers of each are already shown. */
function refreshSoon(userId: number): void {
  clearTimeout(refreshTimer);
  refreshTimer = setTimeout(() => void refreshAfterVote(userId), REFRESH_DELAY_MS);
}

connectDeck(deck, { numbers: applyResponse, limit: noteLimit });
primeDeck();
