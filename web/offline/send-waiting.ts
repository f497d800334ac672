import { isolated } from '#shared/isolated.ts';
import { UNDO_GRACE_MS, UNDO_WINDOW_MS } from '#shared/constants.ts';
import { announce } from '../lib/announce.ts';
import { api } from '../lib/api.ts';
import { ApiError } from '../lib/api-error.ts';
import { queries, queryClient, refreshAfterVote } from '../lib/queries.ts';
import { serverNow } from '../lib/server-clock.ts';
import { session } from '../lib/session.ts';
import { toast } from '../lib/toast.ts';
import { offerUndo } from '../voting/last-vote.ts';
import { showNumbers, showUndone } from '../voting/numbers.ts';
import { outcome, type Outcome } from '../voting/outcome.ts';
import { failureOf, sendVote } from '../voting/send-vote.ts';
import { describeOutcomes } from './outcome-words.ts';
import { dropWaiting, isTakenBackFreely, keepWaiting, readWaiting, type WaitingVote } from './waiting-votes.ts';

type Fate = Outcome['fate'];

/** The server takes an undo that is sent this long before its end. */
const CALL_WAY_MS = 1_000;

interface Round {
  outcomes: Outcome[];
  counted: { vote: WaitingVote; sentAtMs: number } | null;
}

const LOCK = 'snapswipe-votes';

/** Only one tab sends; the others wait their turn, and find nothing left. Pages that are not secure have no locks. */
function alone(work: () => Promise<void>): Promise<void> {
  const locks = navigator.locks as LockManager | null | undefined;
  return locks ? locks.request(LOCK, work) : work();
}

async function sendOne(vote: WaitingVote): Promise<Fate> {
  if (vote.isUnwanted) return takeBack(vote);
  const result = await sendVote(vote);
  const isKnown = result.kind === 'rejected' && (result.code === 'already_voted' || result.code === 'changed_today');
  const isSentTwice = isKnown && vote.attemptedAtMs !== null;
  return isSentTwice && (await hasArrived(vote)) ? { kind: 'counted_before' } : result;
}

/** A vote whose answer was lost, and which was to be undone. @throws ApiError */
async function takeBack(vote: WaitingVote): Promise<Fate> {
  try {
    showUndone(vote, await api.undoVote({ params: { projectId: vote.project.id } }));
  } catch (error) {
    const isRejected = error instanceof ApiError && (error.status === 409 || error.status === 429);
    const hasNeverArrived = error instanceof ApiError && error.code === 'vote_not_found';
    if (!isRejected && !hasNeverArrived) throw error;
    if (isRejected && (await hasArrived(vote))) return { kind: 'counted_before', isUnwanted: true };
  }
  return { kind: 'undone' };
}

/** Clocks of server and browser agree within this, see server-clock.ts. */
const CLOCK_TOLERANCE_MS = 5_000;

/** A vote of the same direction that is not older than the first attempt is this one; any other was cast elsewhere. @throws ApiError */
async function hasArrived({ project, voteType, attemptedAtMs }: WaitingVote): Promise<boolean> {
  const own = (await api.getOwnVote({ params: { id: project.id } })).vote;
  if (attemptedAtMs === null || own?.voteType !== voteType) return false;
  return Date.parse(own.saidAt) >= attemptedAtMs - CLOCK_TOLERANCE_MS;
}

const isLive = (userId: number): boolean => session.live().user?.id === userId;

function finish(vote: WaitingVote, fate: Fate): Outcome {
  const ended: Outcome = { vote, fate, hasWaited: true };
  // An undone one is dealt again, once it no longer waits.
  if (fate.kind === 'undone') dropWaiting(vote);
  outcome.set(ended);
  if (fate.kind === 'counted') showNumbers(vote.userId, fate.response);
  dropWaiting(vote);
  return ended;
}

export const giveBack = (votes: readonly WaitingVote[], code: 'not_signed_in' | 'taken_back'): Outcome[] =>
  votes.map((vote) => finish(vote, { kind: 'returned', code, message: '', retryAfterS: null }));

const LIMITS: ReadonlySet<string> = new Set(['vote_limit', 'change_limit']);
const isChange = ({ changes }: WaitingVote): boolean => changes !== undefined;

async function sendInOrder(userId: number, round: Round): Promise<number | null> {
  for (;;) {
    const [vote] = readWaiting(userId);
    if (!vote || !isLive(userId)) return null;
    // Noted before: from now on it may count, whatever comes back.
    keepWaiting({ ...vote, attemptedAtMs: vote.attemptedAtMs ?? serverNow() });
    const sentAtMs = serverNow();
    // oxlint-disable-next-line no-await-in-loop -- in order: the window may take the first ones only
    const fate = await sendOne(vote).catch(failureOf);
    if (!isLive(userId) || fate.kind === 'no_session') return null;
    if (fate.kind === 'lost' || fate.kind === 'retry') return fate.retryAfterS ?? 0;
    const isLimit = fate.kind === 'returned' && LIMITS.has(fate.code);
    // Beyond a limit the server would reject each further one of its kind; votes and changes are limited apart (R57).
    const ended = isLimit ? readWaiting(userId).filter((one) => isChange(one) === isChange(vote)) : [vote];
    round.outcomes.push(...ended.map((one) => finish(one, fate)));
    if (fate.kind === 'counted') round.counted = { vote, sentAtMs };
  }
}

function tell(userId: number, { outcomes, counted }: Round): void {
  const words = describeOutcomes(outcomes);
  if (!words || !isLive(userId)) return;
  toast(words);
  announce(`${words.title}. ${words.description}`);
  for (const { vote } of outcomes)
    void queryClient.invalidateQueries({ queryKey: queries.ownVote(userId, vote.project.id).queryKey });
  // The newest one can be undone like any other; then its result shows (R59).
  if (counted && !isChange(counted.vote)) {
    const { project, voteType } = counted.vote;
    const takenMs = counted.sentAtMs + UNDO_WINDOW_MS + UNDO_GRACE_MS - CALL_WAY_MS - serverNow();
    offerUndo(userId, project, { voteType, leftMs: Math.min(UNDO_WINDOW_MS, takenMs) });
  }
  // Each counts for the day, whether its card was dealt or not (R49).
  void queryClient.invalidateQueries({ queryKey: queries.dailyDeck(userId).queryKey });
  void refreshAfterVote(userId);
}

let sending: Promise<number | null> | null = null;

/** Joins a running call. Returns seconds until the next attempt, or null when nothing is left to send. */
export function sendWaiting(userId: number): Promise<number | null> {
  sending ??= send(userId).finally(() => {
    sending = null;
  });
  return sending;
}

async function send(userId: number): Promise<number | null> {
  if (readWaiting(userId).length === 0) return null;
  const round: Round = { outcomes: [], counted: null };
  let retryInS: number | null = null;
  await alone(async () => {
    retryInS = await sendInOrder(userId, round);
  });
  tell(userId, round);
  return retryInS;
}

export function takeBackWaiting(): boolean {
  const { user } = session.live();
  // Read again: another tab may have begun to send it.
  const vote = user && readWaiting(user.id).findLast(isTakenBackFreely);
  if (!vote) return false;
  giveBack([vote], 'taken_back');
  announce(`Took back your vote on ${isolated(vote.project.name)}`);
  return true;
}
