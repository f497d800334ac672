import { PRODUCT, VOTES_PER_WINDOW } from '#shared/constants.ts';
import type { DailyDeck } from '#shared/contract/daily-deck.ts';
import type { Project } from '#shared/contract/types.ts';
import { announce } from '../../../lib/announce.ts';
import { nextFrame } from '../../../lib/next-frame.ts';
import { createStore } from '../../../lib/external-store.ts';
import { type FeedPage, queries, queryClient } from '../../../lib/queries.ts';
import { serverNow } from '../../../lib/server-clock.ts';
import { session } from '../../../lib/session.ts';
import { toast } from '../../../lib/toast.ts';
import { type LastVote, lastVote, noteVote, undoneVote } from '../../../voting/last-vote.ts';
import { refreshSoon, showNumbers } from '../../../voting/numbers.ts';
import { type NewVote, sendVote, showFailure } from '../../../voting/send-vote.ts';
import { limitPhase } from '../../../voting/vote-response.ts';
import {
  castVote,
  dealFirst,
  emptyDeck,
  mergeFeed,
  skipTop,
  topCard,
  voteCounted,
  voteEnded,
  type Deck,
  type VoteType,
} from '../../../deck/deck.ts';
import { connectDeck, waitsAfter, waitsAtOnce, waitsIfClosed, withLastDeck } from './offline-deck.ts';

/**
 * The deck lives outside the components: a user who visits a project's page and returns finds the same order, and a vote
 * whose response arrives after the user left still counts.
 */
export const deck = createStore<Deck>(emptyDeck(0));

/** True while a card is being dealt to the top (R48): no other card can be voted on before. */
export const dealing = createStore(false);

const change = (next: (state: Deck) => Deck) => deck.set(next(deck.get()));

export function openDeck(userId: number): void {
  if (deck.get().userId !== userId) deck.set(emptyDeck(userId));
}

/** `daily` is the day's deck, whose cards come first; none where it could not be read. */
export function takeFeed(userId: number, { projects, limit }: FeedPage, daily?: DailyDeck): void {
  const first = daily?.cards.flatMap(({ project }) => project ?? []);
  // Not in the feed: their votes count already (R61).
  const asked = daily?.cards.flatMap(({ project, asksAbout }) => (project && asksAbout ? project : [])) ?? [];
  const feed = [...projects, ...asked];
  change((state) => (state.userId === userId ? mergeFeed(state, feed, limit + asked.length, first) : state));
}

export const takeLastDeck = (): void => change(withLastDeck);

export function primeDeck(): void {
  const { user } = session.get();
  const feed = user && queryClient.getQueryData(queries.feed(user.id).queryKey);
  if (!feed) return;
  openDeck(user.id);
  takeFeed(user.id, feed, queryClient.getQueryData(queries.dailyDeck(user.id).queryKey));
}

export function dealCard(userId: number, card: Project): void {
  change((state) => (state.userId === userId ? dealFirst(state, card) : state));
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
  change((state) => castVote(state, project.id, performance.now()));
  if (deck.get() === before) return false;
  const changes = askedAbout(user.id, project.id);
  void sendTopVote({ userId: user.id, project, voteType, ...(changes && { changes }) });
  return true;
}

export function skipTopCard(): Project | undefined {
  const project = topCard(deck.get());
  if (!project) return undefined;
  change(skipTop);
  announce(`Skipped ${project.name}`);
  return project;
}

/** Sends at once, so that a tab that closes right away does not lose the vote. Draws the changes of the response in two frames. */
async function sendTopVote(vote: NewVote): Promise<void> {
  const { userId, project } = vote;
  const sentAtMs = serverNow();
  const startedAtMs = performance.now();
  const lastTime = vote.changes ?? earlierVote(userId, project.id);
  if (waitsAtOnce(vote)) return;
  const ended = waitsIfClosed(vote, sentAtMs);
  const result = await sendVote(vote);
  ended();
  if (deck.get().userId !== userId) return;
  if (result.kind === 'lost') return waitsAfter(vote, sentAtMs);
  // A card that can never be voted on must not return to the top.
  change((state) => voteEnded(state, project.id, result.kind));
  if (result.kind === 'counted') {
    const streak = showNumbers(userId, result.response);
    await nextFrame();
    if (deck.get().userId !== userId) return;
    noteVote({ ...vote, lastTime, streak, startedAtMs }, result.response);
  } else {
    showFailure(vote, result, ' The card is back on top.');
    if (result.kind === 'renamed') void dealAnew(userId, project);
  }
  if (session.get().status !== 'ended') refreshSoon(userId);
}

async function dealAnew(userId: number, { id }: Project): Promise<void> {
  const read = queryClient.fetchQuery({ ...queries.project(String(id)), staleTime: 0 });
  const project = await read.catch(() => null);
  if (project) dealCard(userId, project);
}

const dailyCard = (userId: number, projectId: number) =>
  queryClient.getQueryData(queries.dailyDeck(userId).queryKey)?.cards.find((card) => card.projectId === projectId);

/** The vote of this listing period that the card asks about (R61). */
const askedAbout = (userId: number, projectId: number): VoteType | null =>
  dailyCard(userId, projectId)?.asksAbout ?? null;

export const isAskedAgain = (userId: number, card: Project | undefined): boolean =>
  card !== undefined && askedAbout(userId, card.id) !== null;

function earlierVote(userId: number, projectId: number): VoteType | null {
  const daily = queryClient.getQueryData(queries.dailyDeck(userId).queryKey);
  return daily?.earlierVotes.find((vote) => vote.projectId === projectId)?.voteType ?? null;
}

/** Message to other tabs about a vote here, so that none deals a card that is voted on. */
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
  if (deck.get().userId === userId)
    change((state) => (isUndone ? dealFirst(state, project) : voteCounted(state, project.id)));
});
const tellTabs = ({ userId, project }: LastVote, isUndone: boolean): void =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  tabs?.postMessage({ userId, project, isUndone } satisfies TabMessage);

// Votes on a project's page, and those that are undone wherever that is.
let toldId = 0;
lastVote.subscribe(() => {
  const vote = lastVote.get();
  if (!vote) return;
  change((state) => (state.userId === vote.userId ? voteCounted(state, vote.project.id) : state));
  if (vote.id !== toldId) {
    tellTabs(vote, false);
    // It counts for the day without a card of the day (R49): read when the deck is drawn next, not between two swipes.
    if (!dailyCard(vote.userId, vote.project.id))
      void queryClient.invalidateQueries({
        queryKey: queries.dailyDeck(vote.userId).queryKey,
        refetchType: 'none',
      });
  }
  toldId = vote.id;
});
undoneVote.subscribe(() => {
  const vote = undoneVote.get();
  if (!vote || deck.get().userId !== vote.userId) return;
  // The card of a change returns where the day's deck has it.
  if (vote.changes === undefined || dailyCard(vote.userId, vote.project.id)?.kind === 'still_bullish') {
    tellTabs(vote, true);
    change((state) => dealFirst(state, vote.project));
  }
  void queryClient.invalidateQueries({ queryKey: queries.dailyDeck(vote.userId).queryKey });
});

connectDeck(deck);
primeDeck();
