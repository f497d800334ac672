// @vitest-environment happy-dom
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { castVote } from '#shared/contract/votes.ts';
import { lostAction } from '../lib/lost-action.ts';
import { session } from '../lib/session.ts';
import { projectOf, statsOf, USER, countedVote } from '../testing/made-up.ts';
import { useTestPage } from '../testing/screen.tsx';
import { startOffline } from './start.ts';
import { keepWaiting, readWaiting, VOTE_KEY_PREFIX, waiting, type WaitingVote } from './waiting-votes.ts';

// Fake timers first: no timer of one test runs in another.
beforeEach(() => void vi.useFakeTimers());
const server = useTestPage();
afterAll(startOffline());

const RESPONSE = countedVote(1);
const voteOf = (userId: number, id = 1): WaitingVote => ({
  userId,
  project: projectOf(id),
  voteType: 'bullish',
  castAtMs: id,
  attemptedAtMs: null,
});
const sent = () => server().calls(castVote).length;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  readWaiting(USER.id);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

test('a waiting vote is not sent before the time that the server asked for', async () => {
  server().reject(castVote, 503, { error: 'busy', message: 'Busy' }, { 'retry-after': '60' });
  keepWaiting(voteOf(USER.id));
  await pass(10_000);
  expect(sent()).toBe(1);
  keepWaiting(voteOf(USER.id, 2));
  await pass(30_000);
  server().respond(castVote, RESPONSE);
  await pass(29_999);
  expect(sent()).toBe(1);
  await pass(1);
  expect(sent()).toBe(3);
  expect(waiting.get()).toEqual([]);
});

const keys = () => Object.keys(localStorage).filter((key) => /^snapswipe_(?:vote|deck):/.test(key));
const store = (vote: WaitingVote) =>
  localStorage.setItem(`${VOTE_KEY_PREFIX}${vote.userId}:${vote.project.id}`, JSON.stringify(vote));

test("a sign-in finds the user's votes, and deletes those of other users and a deck that an earlier version stored", async () => {
  session.drawAs(undefined);
  // The id of the other user begins with the same digits.
  for (const id of [USER.id, 10 * USER.id + 1]) store(voteOf(id));
  localStorage.setItem(`snapswipe_deck:${USER.id}`, '{}');
  server().lose(castVote);
  session.signedIn({ user: USER, stats: statsOf(0) });
  expect(keys()).toEqual([`${VOTE_KEY_PREFIX}${USER.id}:1`]);
  await pass(0);
  expect(server().calls(castVote)).toMatchObject([{ body: { userId: USER.id, projectId: 1 } }]);
});

test('a session that ended elsewhere names the votes that were not sent, and deletes them', async () => {
  server().lose(castVote);
  keepWaiting(voteOf(USER.id));
  session.lost(session.era());
  expect(lostAction.get()).toBe('1 vote that waited was not counted: Project 1.');
  expect(keys()).toEqual([]);
});
