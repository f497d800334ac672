// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getStats, getVotingStatus } from '#shared/contract/users.ts';
import { getOwnVote, showResult, undoVote } from '#shared/contract/votes.ts';
import { announcement } from '../lib/announce.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { session } from '../lib/session.ts';
import { toasts } from '../lib/toast.ts';
import { ownVoteOf, projectOf, STATS, statsOf, USER, votingStatusOf, NOT_VOTED } from '../testing/made-up.ts';
import { useTestPage } from '../testing/screen.tsx';
import { respondAfterVotes } from '../testing/votes.ts';
import { beginVote, dropVote, noteCounted } from './begin-vote.ts';
import { agreement, canUndo, endUndo, lastVote, type LastVote, offerUndo } from './last-vote.ts';
import { outcome } from './outcome.ts';
import { reward } from './reward.ts';
import { undoLastVote, undosOver } from './undo.ts';

const server = useTestPage();
const PROJECT = projectOf(1, { name: 'Coral' });
const OTHER = projectOf(2);
const ownVote = queries.ownVote(USER.id, 1).queryKey;
const undone = { userStats: statsOf(11), votingStatus: votingStatusOf(0, null) };

beforeEach(() => {
  for (const store of [lastVote, reward, outcome]) store.set(null);
  server().respond(getOwnVote, ownVoteOf('bullish', 3, 1));
  server().respond(showResult, ownVoteOf('bullish', 3, 1));
  server().respond(undoVote, undone);
  server().respond(getStats, STATS);
  server().respond(getVotingStatus, votingStatusOf(0, null));
  respondAfterVotes(server());
});

const REWARDED = { tokensEarned: 10, congratulation: null };
const press = (changes: Partial<LastVote> = {}): number =>
  beginVote({ userId: USER.id, project: PROJECT, voteType: 'bullish', lastTime: null, ...changes });
function answer(id: number): Promise<void> {
  const vote = lastVote.get();
  const pressed = [vote, vote?.before].find((one) => one?.id === id);
  if (!pressed) throw new Error('No such vote');
  return noteCounted(id, pressed, null, REWARDED);
}
const cast = (changes: Partial<LastVote> = {}): void => void answer(press(changes));
const phase = () => lastVote.get()?.phase;
const resultShown = () => vi.waitFor(() => expect(lastVote.get()?.result).not.toBeNull());

test.each([
  ['bullish', 32, 11, '31 of 42 others voted like you'],
  ['bearish', 3, 1, '0 of 3 others voted like you'],
  ['bullish', 2, 0, '1 of 1 other voted like you'],
  ['bullish', 1, 0, 'First vote on this project'],
  ['bearish', 0, 0, 'First vote on this project'],
] as const)(
  'the result of a %s vote among %i bullish and %i bearish ones leaves the voter out: %s [R59]',
  (voteType, bullishCount, bearishCount, words) => {
    expect(agreement(voteType, { bullishCount, bearishCount })).toBe(words);
  },
);

test('a vote is announced with its reward, and after the undo with its result and when it counts [S4.5 R59 R38]', async () => {
  const { vote, ...rest } = ownVoteOf('bullish', 3, 1);
  server().respond(showResult, { ...rest, vote: { ...vote, when: 'Your vote counts as verified from tomorrow on' } });
  cast();
  expect(announcement.get()).toBe('Voted bullish on Coral, +10 Snaps. Press Z to undo.');
  expect(reward.get()?.tokens).toBe(10);
  expect(phase()).toBe('open');
  expect(server().calls(showResult)).toEqual([]);
  endUndo(lastVote.get()?.id ?? 0);
  expect(canUndo(lastVote.get())).toBe(false);
  await resultShown();
  expect(announcement.get()).toBe('Coral: 2 of 3 others voted like you. Your vote counts as verified from tomorrow on');
  expect(queryClient.getQueryData(ownVote)?.result).toEqual({ bullishCount: 3, bearishCount: 1 });
  const { id = 0 } = reward.get() ?? {};
  expect(lastVote.get()?.id).toBe(id);
  cast();
  expect(reward.get()?.id).toBe(id + 1);
  expect(server().calls(showResult)).toHaveLength(1);
});

test('a vote ends the undo of the previous one and shows its result [R59]', async () => {
  cast();
  cast({ project: OTHER, voteType: 'bearish' });
  await vi.waitFor(() => expect(lastVote.get()?.before?.result).toEqual({ bullishCount: 3, bearishCount: 1 }));
  expect(lastVote.get()).toMatchObject({ project: OTHER, phase: 'open', result: null });
  expect(server().calls(showResult)[0]?.params).toEqual({ projectId: '1' });
});

test('a vote lands on the last three, and one that does not count leaves them [R59]', () => {
  for (const voteType of ['bullish', 'bearish', 'bearish', 'bullish', 'bearish'] as const) cast({ voteType });
  expect(lastVote.get()?.pile).toEqual(['bearish', 'bearish', 'bullish']);
  dropVote(press({ project: OTHER }));
  expect(lastVote.get()?.pile).toEqual(['bearish', 'bearish', 'bullish']);
});

test('an undo is possible for five seconds [R46]', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  cast();
  now.mockReturnValue(6_000);
  expect(canUndo(lastVote.get())).toBe(true);
  now.mockReturnValue(6_100);
  expect(canUndo(lastVote.get())).toBe(false);
  expect(undoLastVote()).toBe(false);
  expect(canUndo(null)).toBe(false);
  expect(server().calls(undoVote)).toEqual([]);
});

test('an undo restores the numbers, deals the card first, and is announced [R46]', async () => {
  cast();
  const vote = lastVote.get();
  queryClient.setQueryData(ownVote, { ...ownVoteOf('bullish'), result: null });
  queryClient.setQueryData(queries.feed(USER.id).queryKey, { projects: [OTHER, PROJECT], limit: 10 });
  const response = Promise.withResolvers<typeof undone>();
  server().respond(undoVote, () => response.promise);
  expect(undoLastVote()).toBe(true);
  expect(phase()).toBe('undoing');
  expect(undoLastVote()).toBe(false);
  server().respond(getOwnVote, NOT_VOTED);
  response.resolve(undone);
  await vi.waitFor(() => expect(outcome.get()).not.toBeNull());
  expect(outcome.get()).toEqual({ vote, fate: { kind: 'undone' } });
  expect([lastVote.get(), reward.get()]).toEqual([null, null]);
  expect(announcement.get()).toBe('Took back your vote on Coral');
  expect(session.get().stats?.totalVotes).toBe(11);
  expect(queryClient.getQueryData(queries.votingStatus(USER.id).queryKey)?.votesRemaining).toBe(25);
  expect(queryClient.getQueryData(queries.feed(USER.id).queryKey)?.projects.map(({ id }) => id)).toEqual([1, 2]);
  expect(queryClient.getQueryData(ownVote)).toEqual(NOT_VOTED);
  expect(server().calls(undoVote)).toHaveLength(1);
  expect(server().calls(undoVote)[0]?.params).toEqual({ projectId: '1' });
});

test.each([
  ['is lost stays open', () => server().lose(undoVote), 'open', 'Undo failed', /server is away/],
  [
    'is rejected shows the result',
    () => server().reject(undoVote, 409, { error: 'too_late', message: 'Too late' }),
    'final',
    'Too late to undo',
    /^Your vote stands.$/,
  ],
  [
    'fails without words shows the result',
    () => server().failSilently(undoVote),
    'final',
    'Undo failed',
    /^Your vote stands.$/,
  ],
] as const)('an undo that %s, and the reason is shown [R46]', async (_, fail, next, title, words) => {
  cast();
  fail();
  undoLastVote();
  await vi.waitFor(() => expect(toasts.get()[0]).toMatchObject({ title, variant: 'destructive' }));
  expect(toasts.get()[0]?.description).toMatch(words);
  await vi.waitFor(() => expect(phase()).toBe(next));
  expect(outcome.get()).toBeNull();
});

describe('before the answer to a vote', () => {
  test('the undo is offered from the press on, and the result is read after the answer [R59]', async () => {
    const id = press();
    expect(lastVote.get()).toMatchObject({ id, phase: 'open', isCounted: false });
    expect(canUndo(lastVote.get())).toBe(true);
    endUndo(id);
    expect(server().calls(showResult)).toEqual([]);
    await answer(id);
    await resultShown();
    expect(phase()).toBe('final');
  });

  test('a slow vote is announced before its answer [R59]', () => {
    vi.useFakeTimers();
    const id = press();
    vi.advanceTimersByTime(1_000);
    expect(announcement.get()).toBe('Voted bullish on Coral. Press Z to undo.');
    vi.useRealTimers();
    void answer(id);
    expect(announcement.get()).toBe('Voted bullish on Coral, +10 Snaps. Press Z to undo.');
  });

  test('a wish to undo is sent after the answer, which shows no reward [R59]', async () => {
    const id = press();
    expect(undoLastVote()).toBe(true);
    expect([phase(), undoLastVote()]).toEqual(['undoing', false]);
    expect(announcement.get()).toBe('Undoing your vote on Coral');
    expect(server().calls(undoVote)).toEqual([]);
    await answer(id);
    expect(server().calls(undoVote)).toHaveLength(1);
    expect(outcome.get()?.fate.kind).toBe('undone');
    expect([lastVote.get(), reward.get()]).toEqual([null, null]);
  });

  test('a wish to undo that is rejected shows the reward and the result [R59]', async () => {
    server().reject(undoVote, 429, { error: 'undo_limit', message: 'You have taken back 10 votes' });
    const id = press();
    undoLastVote();
    await answer(id);
    expect(toasts.get()[0]).toMatchObject({ title: 'Undo failed', description: 'You have taken back 10 votes' });
    expect(reward.get()?.tokens).toBe(10);
    await resultShown();
    expect(server().calls(showResult)).toHaveLength(1);
  });

  test('a vote that fails ends its wish, and the one before can be undone again [R59]', async () => {
    cast();
    const before = lastVote.get();
    const failed = press({ project: OTHER });
    undoLastVote();
    const isOver = undosOver();
    dropVote(failed);
    await isOver;
    expect(lastVote.get()).toEqual(before);
    expect(undoLastVote()).toBe(true);
    await vi.waitFor(() =>
      expect(outcome.get()).toMatchObject({ vote: { project: PROJECT }, fate: { kind: 'undone' } }),
    );
  });

  test('the next vote leaves a wish to undo the one before, and waits for it [R59]', async () => {
    const first = press();
    undoLastVote();
    const isOver = undosOver();
    const next = press({ project: OTHER });
    await answer(first);
    await isOver;
    expect(undosOver()).toBeNull();
    expect(outcome.get()).toMatchObject({ vote: { project: PROJECT }, fate: { kind: 'undone' } });
    expect(lastVote.get()).toMatchObject({ id: next, phase: 'open', before: null });
  });

  test('an answer that comes after that of the next vote reads its result [R59]', async () => {
    const first = press();
    const next = press({ project: OTHER });
    await answer(next);
    expect(server().calls(showResult)).toEqual([]);
    await answer(first);
    await vi.waitFor(() => expect(lastVote.get()?.before?.result).not.toBeNull());
    expect(lastVote.get()).toMatchObject({ id: next, phase: 'open' });
  });
});

test('an undo whose first response was lost counts as done [R59]', async () => {
  cast();
  server().lose(undoVote);
  undoLastVote();
  await vi.waitFor(() => expect(phase()).toBe('open'));
  server().reject(undoVote, 409, { error: 'too_late', message: 'Too late' });
  server().respond(getOwnVote, NOT_VOTED);
  undoLastVote();
  await vi.waitFor(() => expect(outcome.get()?.fate.kind).toBe('undone'));
  expect(toasts.get().map(({ title }) => title)).toEqual(['Undo failed']);
});

test('an undo without an answer is lost after some time, and holds no vote back [R59]', async () => {
  const late = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
  cast();
  server().respond(undoVote, () => new Promise<never>(() => undefined));
  undoLastVote();
  const isOver = undosOver();
  late.abort(new DOMException('Late', 'TimeoutError'));
  await isOver;
  expect(phase()).toBe('open');
  expect(toasts.get()[0]?.title).toBe('Undo failed');
});

test('an undo that is lost after its time shows the result [R59]', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  cast();
  server().lose(undoVote);
  undoLastVote();
  now.mockReturnValue(6_100);
  await resultShown();
  expect(phase()).toBe('final');
});

test('a vote whose result the server still hides, after the time on the page, shows its result [R59]', async () => {
  expect(offerUndo(USER.id, PROJECT, { voteType: 'bullish', leftMs: -1 })).toBe(true);
  await resultShown();
  expect(offerUndo(USER.id, PROJECT, { voteType: 'bullish', leftMs: -1 })).toBe(false);
});
