import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import { announce } from '../lib/announce.ts';
import { api } from '../lib/api.ts';
import { createStore } from '../lib/external-store.ts';
import { refreshAfterVote } from '../lib/queries.ts';
import { serverNow } from '../lib/server-clock.ts';
import { session } from '../lib/session.ts';
import { toast } from '../lib/toast.ts';
import { describeOutcomes, type Outcome } from './outcome-words.ts';
import { type Fate, fateOf, isAlreadyVoted, isThisVote } from './vote-fate.ts';
import { dropWaiting, isTakenBackFreely, keepWaiting, readWaiting, type WaitingVote } from './waiting-votes.ts';

/** The newest vote that no longer waits; the deck moves its card. */
export const outcome = createStore<Outcome | null>(null);
/** A tab sends, maybe this one. */
const LOCK = 'snapswipe-votes';

/** Only one tab sends; the others wait their turn, and find nothing left. Pages that are not secure have no locks. */
function alone(work: () => Promise<void>): Promise<void> {
  const locks = navigator.locks as LockManager | null | undefined;
  return locks ? locks.request(LOCK, work) : work();
}

async function sendOne(vote: WaitingVote): Promise<Fate> {
  const { userId, project, voteType } = vote;
  try {
    const body = { userId, projectId: project.id, voteType, tokensEarned: VOTE_REWARD_TOKENS };
    return { kind: 'counted', response: await api.castVote({ body }) };
  } catch (error) {
    if (isAlreadyVoted(error) && vote.attemptedAtMs !== null && (await hasArrived(vote)))
      return { kind: 'counted_before' };
    return fateOf(error);
  }
}

/** @throws ApiError where the own vote could not be read: the vote goes on waiting. */
async function hasArrived(vote: WaitingVote): Promise<boolean> {
  const own = await api.getOwnVote({ params: { id: vote.project.id } });
  return isThisVote(vote, own.vote);
}

const isLive = (userId: number): boolean => session.live().user?.id === userId;

/** The vote no longer waits. Its card moves first, so that the deck knows when what waits changes. */
function finish(vote: WaitingVote, fate: Fate): Outcome {
  const ended = { vote, fate };
  outcome.set(ended);
  dropWaiting(vote);
  return ended;
}

/** None of these counts: beyond the limit every further vote would be rejected, too, and without a session each of them. */
export const giveBack = (votes: readonly WaitingVote[], fate: Fate): Outcome[] =>
  votes.map((vote) => finish(vote, fate));

/** Sends what waits, oldest first, until nothing is left or the next one has to wait. */
async function sendInOrder(userId: number, outcomes: Outcome[]): Promise<number | null> {
  for (;;) {
    const [vote] = readWaiting(userId);
    if (!vote || !isLive(userId)) return null;
    // Noted before: from now on it may count, whatever comes back.
    keepWaiting({ ...vote, attemptedAtMs: vote.attemptedAtMs ?? serverNow() });
    // oxlint-disable-next-line no-await-in-loop -- in order: the window may take the first ones only
    const fate = await sendOne(vote).catch(fateOf);
    if (!isLive(userId) || fate.kind === 'no_session') return null;
    if (fate.kind === 'waits') return fate.retryAfterS ?? 0;
    const isLimit = fate.kind === 'returned' && fate.code === 'vote_limit';
    outcomes.push(...(isLimit ? giveBack(readWaiting(userId), fate) : [finish(vote, fate)]));
  }
}

function tell(userId: number, outcomes: readonly Outcome[]): void {
  const words = describeOutcomes(outcomes);
  if (!words || !isLive(userId)) return;
  for (const { fate } of outcomes) if (fate.kind === 'counted') session.updateStats(userId, fate.response.userStats);
  toast(words);
  announce(`${words.title}. ${words.description}`);
  void refreshAfterVote(userId);
}

let sending: Promise<number | null> | null = null;

/**
 * Sends the votes that wait, once for several calls in a row. Returns in how many seconds to try again at the earliest, null where
 * nothing is left to send.
 */
export function sendWaiting(userId: number): Promise<number | null> {
  sending ??= send(userId).finally(() => {
    sending = null;
  });
  return sending;
}

async function send(userId: number): Promise<number | null> {
  if (readWaiting(userId).length === 0) return null;
  const outcomes: Outcome[] = [];
  let retryInS: number | null = null;
  await alone(async () => {
    retryInS = await sendInOrder(userId, outcomes);
  });
  tell(userId, outcomes);
  return retryInS;
}

/** Takes the newest vote that was never sent out of the queue; its card returns. False where there is none. */
export function takeBackWaiting(): boolean {
  const { user } = session.live();
  // Read again: another tab may have begun to send it.
  const vote = user && readWaiting(user.id).findLast(isTakenBackFreely);
  if (!vote) return false;
  finish(vote, { kind: 'returned', code: 'taken_back', message: '', retryAfterS: null });
  announce(`Took back your vote on ${vote.project.name}`);
  return true;
}
