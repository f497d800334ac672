import { UNDO_GRACE_MS, UNDO_WINDOW_MS } from '#shared/constants.ts';
import { announce } from '../lib/announce.ts';
import { queries, queryClient, refreshAfterVote } from '../lib/queries.ts';
import { serverNow } from '../lib/server-clock.ts';
import { session } from '../lib/session.ts';
import { toast } from '../lib/toast.ts';
import { offerUndo } from '../voting/last-vote.ts';
import { sendAgain } from '../voting/lost-votes.ts';
import { showNumbers } from '../voting/numbers.ts';
import { outcome, type Outcome } from '../voting/outcome.ts';
import { describeOutcomes } from './outcome-words.ts';
import { dropWaiting, keepWaiting, readWaiting, type WaitingVote } from './waiting-votes.ts';

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

const isLive = (userId: number): boolean => session.live().user?.id === userId;

function finish(vote: WaitingVote, fate: Fate): Outcome {
  const ended: Outcome = { vote, fate };
  outcome.set(ended);
  if (fate.kind === 'counted') showNumbers(vote.userId, fate.response);
  dropWaiting(vote);
  return ended;
}

/** The session is over before they were sent. */
export const giveBack = (votes: readonly WaitingVote[]): Outcome[] =>
  votes.map((vote) => finish(vote, { kind: 'returned', code: 'not_signed_in', message: '', retryAfterS: null }));

async function sendInOrder(userId: number, round: Round): Promise<number | null> {
  for (;;) {
    const [vote] = readWaiting(userId);
    if (!vote || !isLive(userId)) return null;
    // Noted before: from now on it may count, whatever comes back.
    keepWaiting({ ...vote, attemptedAtMs: vote.attemptedAtMs ?? serverNow() });
    const sentAtMs = serverNow();
    // oxlint-disable-next-line no-await-in-loop -- in order: the window may take the first ones only
    const fate = await sendAgain(vote, vote.attemptedAtMs);
    if (!isLive(userId) || fate.kind === 'no_session') return null;
    if (fate.kind === 'lost' || fate.kind === 'retry') return fate.retryAfterS ?? 0;
    // Beyond the limit the server would reject each further one.
    const ended = fate.kind === 'returned' && fate.code === 'vote_limit' ? readWaiting(userId) : [vote];
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
  if (counted) {
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
