import { isolated } from '#shared/text/isolated.ts';
import { PRODUCT, VOTES_PER_WINDOW } from '#shared/constants.ts';
import type { DailyDeck } from '#shared/contract/daily-deck.ts';
import type { Project } from '#shared/contract/types.ts';
import { announce } from '../../../lib/announce.ts';
import { createStore } from '../../../lib/external-store.ts';
import { type FeedPage, firstDealt, queries, queryClient } from '../../../lib/queries.ts';
import { serverNow } from '../../../lib/server-clock.ts';
import { session } from '../../../lib/session.ts';
import { toast } from '../../../lib/toast.ts';
import { waiting } from '../../../offline/waiting-votes.ts';
import { castVote } from '../../../voting/cast-vote.ts';
import { isCounted, outcome } from '../../../voting/outcome.ts';
import type { NewVote } from '../../../voting/send-vote.ts';
import { limitPhase } from '../../../voting/vote-response.ts';
import { followWaiting } from '../../../deck/follow-waiting.ts';
import {
  dealFirst,
  emptyDeck,
  mergeFeed,
  skipTop,
  takeTop,
  topCard,
  voteCounted,
  voteEnded,
  type Deck,
  type VoteType,
} from '../../../deck/deck.ts';

/** Outside the components: a user who returns from a project's page finds the same order, and late responses still count. */
export const deck = createStore<Deck>(emptyDeck(0));

export const dealing = createStore(false);

function change(userId: number, next: (state: Deck) => Deck): void {
  if (deck.get().userId === userId) deck.set(next(deck.get()));
}

export function openDeck(userId: number): void {
  if (deck.get().userId !== userId) deck.set(emptyDeck(userId));
}

/** `daily` is the day's deck, whose cards come first; none where it could not be read. */
export function takeFeed(userId: number, { projects, limit }: FeedPage, daily?: DailyDeck): void {
  const first = daily?.cards.flatMap(({ project }) => project ?? []);
  // Not in the feed: their votes count already (R61).
  const asked = daily?.cards.flatMap(({ project, asksAbout }) => (project && asksAbout ? project : [])) ?? [];
  const feed = [...projects, ...asked];
  change(userId, (state) => mergeFeed(state, feed, limit + asked.length, first));
}

export function primeDeck(): void {
  const { user } = session.get();
  const feed = user && queryClient.getQueryData(queries.feed(user.id).queryKey);
  if (!feed) return;
  openDeck(user.id);
  takeFeed(user.id, feed, queryClient.getQueryData(queries.dailyDeck(user.id).queryKey));
  const dealt = firstDealt();
  if (dealt) dealCard(user.id, dealt);
}

export function dealCard(userId: number, card: Project): void {
  change(userId, (state) => dealFirst(state, card));
}

/** Whether a vote on the top card fits: a change always does (R57), and pending votes are assumed to count. */
export function canVote(userId: number): boolean {
  if (session.get().status === 'ended' || dealing.get()) return false;
  const { queue, pending } = deck.get();
  if (isAskedAgain(userId, queue[0])) return true;
  const status = queryClient.getQueryData(queries.votingStatus(userId).queryKey);
  if (limitPhase(status, serverNow()) !== 'open') return false;
  const taken = pending.filter((project) => !isAskedAgain(userId, project)).length;
  return (status?.votesRemaining ?? VOTES_PER_WINDOW) > taken;
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
  deck.set(takeTop(before, project.id, performance.now()));
  if (deck.get() === before) return false;
  const changes = askedAbout(user.id, project.id);
  const lastTime = changes ?? earlierVote(user.id, project.id);
  void castVote({ userId: user.id, project, voteType, ...(changes && { changes }) }, { lastTime, isSwiped: true });
  return true;
}

export function skipTopCard(): Project | undefined {
  const project = topCard(deck.get());
  if (!project) return undefined;
  deck.set(skipTop(deck.get()));
  announce(`Skipped ${isolated(project.name)}`);
  return project;
}

async function dealAnew(userId: number, { id }: Project): Promise<void> {
  const read = queryClient.fetchQuery({ ...queries.project(String(id)), staleTime: 0 });
  const project = await read.catch(() => null);
  if (project) dealCard(userId, project);
}

const dailyCard = (userId: number, projectId: number) =>
  queryClient.getQueryData(queries.dailyDeck(userId).queryKey)?.cards.find((card) => card.projectId === projectId);

const askedAbout = (userId: number, projectId: number): VoteType | null =>
  dailyCard(userId, projectId)?.asksAbout ?? null;

export const isAskedAgain = (userId: number, card: Project | undefined): boolean =>
  card !== undefined && askedAbout(userId, card.id) !== null;

function earlierVote(userId: number, projectId: number): VoteType | null {
  const daily = queryClient.getQueryData(queries.dailyDeck(userId).queryKey);
  return daily?.earlierVotes.find((vote) => vote.projectId === projectId)?.voteType ?? null;
}

interface TabMessage {
  userId: number;
  project: Project;
  isUndone: boolean;
}
const tabs =
  typeof window === 'undefined' || typeof BroadcastChannel === 'undefined'
    ? null
    : new BroadcastChannel(`${PRODUCT}_votes`);
tabs?.addEventListener('message', ({ data: { userId, project, isUndone } }: MessageEvent<TabMessage>) => {
  change(userId, (state) => (isUndone ? dealFirst(state, project) : voteCounted(state, project.id)));
});
const tellTabs = ({ userId, project }: NewVote, isUndone: boolean): void =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  tabs?.postMessage({ userId, project, isUndone } satisfies TabMessage);

outcome.subscribe(() => {
  const ended = outcome.get();
  if (!ended) return;
  const { vote, fate } = ended;
  const { userId, project, changes } = vote;
  const { queryKey } = queries.dailyDeck(userId);
  const card = dailyCard(userId, project.id);
  if (fate.kind === 'undone') {
    // The card of a change returns where the day's deck has it.
    if (changes === undefined || card?.kind === 'still_bullish') {
      tellTabs(vote, true);
      change(userId, (state) => voteEnded(state, ended));
    }
    void queryClient.invalidateQueries({ queryKey });
    return;
  }
  change(userId, (state) => voteEnded(state, ended));
  if (fate.kind === 'renamed') void dealAnew(userId, project);
  if (!isCounted(fate)) return;
  tellTabs(vote, false);
  // It counts for the day without a card of the day (R49): read when the deck is drawn next, not between two swipes.
  if (!card) void queryClient.invalidateQueries({ queryKey, refetchType: 'none' });
});

followWaiting(deck, waiting);
primeDeck();
