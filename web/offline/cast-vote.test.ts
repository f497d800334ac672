// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { getStats, getVotingStatus } from '#shared/contract/users.ts';
import { castVote as castVoteCall, getOwnVote, showResult, undoVote } from '#shared/contract/votes.ts';
import { toasts } from '../lib/toast.ts';
import {
  countedVote,
  NOT_VOTED,
  ownVoteOf,
  projectOf,
  STATS,
  statsOf,
  USER,
  votingStatusOf,
} from '../testing/made-up.ts';
import { useTestPage } from '../testing/screen.tsx';
import { respondAfterVotes, sentVotes, useFates } from '../testing/votes.ts';
import { lastVote } from '../voting/last-vote.ts';
import { undoLastVote } from '../voting/undo.ts';
import { castVote } from './cast-vote.ts';
import { connection } from './connection.ts';
import { sendWaiting } from './send-waiting.ts';
import { readWaiting, waiting } from './waiting-votes.ts';

const server = useTestPage();
const fates = useFates();
const sent = () => sentVotes(server());
const swipe = (id: number) =>
  castVote({ userId: USER.id, project: projectOf(id), voteType: 'bullish' }, { lastTime: null, isSwiped: true });
const left = () => waiting.get().map(({ project, isUnwanted = false }) => [project.id, isUnwanted]);
const undone = { userStats: statsOf(11), votingStatus: votingStatusOf(0, null) };

function answerLater() {
  const response = Promise.withResolvers<ReturnType<typeof countedVote>>();
  server().respond(castVoteCall, () => response.promise);
  return response;
}

beforeEach(() => {
  readWaiting(USER.id);
  connection.set('online');
  lastVote.set(null);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  server().respond(castVoteCall, countedVote(1));
  server().respond(undoVote, undone);
  server().respond(showResult, ownVoteOf('bullish'));
  server().respond(getOwnVote, NOT_VOTED);
  server().respond(getStats, STATS);
  server().respond(getVotingStatus, votingStatusOf(0, null));
  respondAfterVotes(server());
});

test('the undo is offered before the vote has its answer, and a vote during an undo is sent after it [R59]', async () => {
  const first = answerLater();
  void swipe(1);
  expect(lastVote.get()).toMatchObject({ project: { id: 1 }, phase: 'open' });
  await vi.waitFor(() => expect(sent()).toEqual([1]));
  undoLastVote();
  server().respond(castVoteCall, countedVote(2));
  void swipe(2);
  expect(lastVote.get()).toMatchObject({ project: { id: 2 }, phase: 'open' });
  expect([sent(), server().calls(undoVote)]).toEqual([[1], []]);
  first.resolve(countedVote(1));
  await vi.waitFor(() => expect(sent()).toEqual([1, 2]));
  expect(server().calls(undoVote)).toMatchObject([{ params: { projectId: '1' } }]);
  await vi.waitFor(() =>
    expect(fates()).toEqual([
      [1, 'counted'],
      [1, 'undone'],
      [2, 'counted'],
    ]),
  );
});

test('a vote that is lost waits, and the offer to undo it ends [R59 S4.4]', async () => {
  server().lose(castVoteCall);
  await swipe(1);
  expect([left(), lastVote.get(), toasts.get()]).toEqual([[[1, false]], null, []]);
});

test('an answer that takes too long is lost [R59]', async () => {
  const late = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
  answerLater();
  const cast = swipe(1);
  late.abort(new DOMException('Late', 'TimeoutError'));
  await cast;
  expect(left()).toEqual([[1, false]]);
});

async function loseUnwanted(): Promise<void> {
  server().lose(castVoteCall);
  const cast = swipe(1);
  undoLastVote();
  await cast;
  expect([left(), lastVote.get()]).toEqual([[[1, true]], null]);
  expect(toasts.get()[0]?.description).toBe('Your vote on Project 1 is taken back when you are back online.');
}

test.each([
  ['had arrived', () => server().respond(undoVote, undone)],
  [
    'never arrived',
    () => server().reject(undoVote, 404, { error: 'vote_not_found', message: 'You have not voted on it' }),
  ],
])('a wish to undo a vote whose answer is lost is remembered: the vote %s [R59]', async (_name, respond) => {
  await loseUnwanted();
  respond();
  expect(await sendWaiting(USER.id)).toBeNull();
  expect(sent()).toEqual([1]);
  expect([left(), fates()]).toEqual([[], [[1, 'undone']]]);
  expect(toasts.get()[0]).toMatchObject({ title: 'Undone', description: 'Project 1: Taken back.' });
});

test('a wish to undo that comes back too late says that the vote counts [R59]', async () => {
  await loseUnwanted();
  server().reject(undoVote, 409, { error: 'too_late', message: 'Too late' });
  const now = new Date().toISOString();
  const { vote, ...own } = ownVoteOf('bullish');
  server().respond(getOwnVote, { ...own, vote: { ...vote, saidAt: now } });
  await sendWaiting(USER.id);
  expect(fates()).toEqual([[1, 'counted_before']]);
  expect(toasts.get()[0]?.description).toBe('Project 1: Too late to undo. Your vote stands.');
});

test('a closing tab keeps a wish to undo, and a vote that has not been sent [R59]', async () => {
  const first = answerLater();
  void swipe(1);
  undoLastVote();
  void swipe(2);
  void swipe(3);
  dispatchEvent(new Event('pagehide'));
  expect(left()).toEqual([
    [1, true],
    [2, false],
    [3, false],
  ]);
  // The page came back from the browser's cache.
  first.resolve(countedVote(1));
  await vi.waitFor(() => expect(left()).toEqual([]));
  expect([sent(), server().calls(undoVote)]).toMatchObject([[1, 2, 3], [{ params: { projectId: '1' } }]]);
});

test('a closing tab leaves a vote that has just been sent to the server', () => {
  answerLater();
  void swipe(1);
  dispatchEvent(new Event('pagehide'));
  expect(left()).toEqual([]);
});
