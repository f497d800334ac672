// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getStats, getVotingStatus } from '#shared/contract/users.ts';
import { castVote as castVoteCall, getOwnVote, showResult, undoVote } from '#shared/contract/votes.ts';
import { announcement } from '../lib/announce.ts';
import { serverNow } from '../lib/server-clock.ts';
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
import { serverAway } from '../lib/connection.ts';
import { storedKeys, VOTE_KEY_PREFIX } from '../offline/waiting-votes.ts';
import { castVote } from './cast-vote.ts';
import { lastVote } from './last-vote.ts';
import { reward } from './reward.ts';
import { undoLastVote } from './undo.ts';

const server = useTestPage();
const fates = useFates();
const sent = () => sentVotes(server());
const swipe = (id: number) =>
  castVote({ userId: USER.id, project: projectOf(id), voteType: 'bullish' }, { lastTime: null, isSwiped: true });
const undone = { userStats: statsOf(11), votingStatus: votingStatusOf(0, null) };

function answerLater() {
  const response = Promise.withResolvers<ReturnType<typeof countedVote>>();
  server().respond(castVoteCall, () => response.promise);
  return response;
}

beforeEach(() => {
  serverAway.set(false);
  reward.set(null);
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

test('a vote whose answer takes too long is lost: its card is back, the offer to undo it ends, and it is not kept [R99 R59]', async () => {
  const late = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
  answerLater();
  const cast = swipe(1);
  undoLastVote();
  late.abort(new DOMException('Late', 'TimeoutError'));
  await cast;
  expect([fates(), lastVote.get()]).toEqual([[[1, 'lost']], null]);
  expect([toasts.get(), announcement.get()]).toEqual([
    [],
    'The server is away. Your vote on Project 1 is not confirmed.',
  ]);
  expect([serverAway.get(), storedKeys(VOTE_KEY_PREFIX)]).toEqual([true, []]);
});

describe("'Already voted' after a lost answer [R99]", () => {
  beforeEach(async () => {
    server().lose(castVoteCall);
    await swipe(1);
    server().reject(castVoteCall, 409, { error: 'already_voted', message: 'Already voted on this project' });
  });
  const ownVote = (voteType: 'bullish' | 'bearish', agoMs: number) => {
    const { vote, ...own } = ownVoteOf(voteType);
    server().respond(getOwnVote, { ...own, vote: { ...vote, saidAt: new Date(serverNow() - agoMs).toISOString() } });
  };

  test.each([
    ['brought this vote', 0],
    ['brought it by a clock that is slightly behind', 4_000],
  ])('is success, without an undo or a reward, where the lost attempt %s', async (_name, agoMs) => {
    ownVote('bullish', agoMs);
    await swipe(1);
    expect(fates().at(-1)).toEqual([1, 'counted_before']);
    expect([lastVote.get(), reward.get()]).toEqual([null, null]);
    expect(toasts.get()[0]).toMatchObject({ title: '1 vote counted', description: 'Project 1' });
  });

  test.each([
    ['went the other way', 'bearish', 0],
    ['is older than the attempt', 'bullish', 10_000],
  ] as const)('is reported where the counted vote %s', async (_name, voteType, agoMs) => {
    ownVote(voteType, agoMs);
    await swipe(1);
    expect(fates().at(-1)).toEqual([1, 'rejected']);
    expect(toasts.get()[0]).toMatchObject({ title: 'Already voted' });
  });

  test("leaves the vote lost where the user's counted vote cannot be read", async () => {
    server().lose(getOwnVote);
    await swipe(1);
    expect(fates().at(-1)).toEqual([1, 'lost']);
  });
});

test("'Already voted' about a vote that was not lost is reported without a read [R7]", async () => {
  server().reject(castVoteCall, 409, { error: 'already_voted', message: 'Already voted on this project' });
  await swipe(2);
  expect(fates()).toEqual([[2, 'rejected']]);
  expect(server().calls(getOwnVote)).toEqual([]);
});
