// @vitest-environment happy-dom
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { castVote, changeVote, getOwnVote } from '#shared/contract/votes.ts';
import { session } from '../lib/session.ts';
import { toasts } from '../lib/toast.ts';
import { countedVote, ownVoteOf, projectOf, statsOf, USER } from '../testing/made-up.ts';
import { useTestPage } from '../testing/screen.tsx';
import { sentVotes, useFates } from '../testing/votes.ts';
import { outcome } from '../voting/outcome.ts';
import { sendWaiting } from './send-waiting.ts';
import { keepWaiting, parseWaiting, readWaiting, VOTE_KEY_PREFIX, waiting } from './waiting-votes.ts';

const server = useTestPage();
const CAST_AT_MS = Date.parse('2026-01-01T12:00:00Z');
const fates = useFates();
const sent = () => sentVotes(server());
const left = () => waiting.get().map(({ project }) => project.id);

function cast(
  id: number,
  voteType: 'bullish' | 'bearish' = 'bullish',
  attemptedAtMs: number | null = null,
  castAtMs = CAST_AT_MS + id,
): void {
  keepWaiting({ userId: USER.id, project: projectOf(id), voteType, castAtMs, attemptedAtMs });
}

beforeEach(() => {
  readWaiting(USER.id);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

test('waiting votes are sent in the order in which they were cast, each once, and reported together', async () => {
  // Differs from the order of the storage and of the projects.
  for (const id of [2, 3, 1]) cast(id, 'bullish', null, CAST_AT_MS - id);
  server().respond(castVote, () => countedVote(sent().length));
  expect(await Promise.all([sendWaiting(USER.id), sendWaiting(USER.id)])).toEqual([null, null]);
  expect(await sendWaiting(USER.id)).toBeNull();
  expect(sent()).toEqual([3, 2, 1]);
  expect(left()).toEqual([]);
  expect(localStorage.length).toBe(1);
  expect(toasts.get()[0]).toMatchObject({
    title: '3 votes counted',
    description: 'Project 3, Project 2 and 1 other: +30 Snaps.',
  });
  expect(session.get().stats?.tokenBalance).toBe(30);
});

test('waiting votes stay while the server is away, and as long as it asks', async () => {
  cast(1);
  server().lose(castVote);
  expect(await sendWaiting(USER.id)).toBe(0);
  expect(waiting.get()[0]?.attemptedAtMs).not.toBeNull();
  server().failSilently(castVote);
  expect(await sendWaiting(USER.id)).toBe(0);
  server().failSilently(castVote, 429, { 'retry-after': '30' });
  expect(await sendWaiting(USER.id)).toBe(30);
  expect(left()).toEqual([1]);
});

test('waiting votes stay for the user after the session has ended', async () => {
  for (const id of [1, 2]) cast(id);
  server().reject(castVote, 401, { error: 'not_signed_in', message: 'User not logged in' });
  expect(await sendWaiting(USER.id)).toBeNull();
  expect(sent()).toEqual([1]);
  expect(left()).toEqual([1, 2]);
  expect(fates()).toEqual([]);
});

test('sending stops without a toast when another user signs in', async () => {
  for (const id of [1, 2, 3]) cast(id);
  const second = Promise.withResolvers<ReturnType<typeof countedVote>>();
  server().respond(castVote, () => (sent().length === 1 ? countedVote(1) : second.promise));
  const done = sendWaiting(USER.id);
  await vi.waitFor(() => expect(sent()).toEqual([1, 2]));
  session.signedIn({ user: { ...USER, id: USER.id + 1 }, stats: statsOf(0) });
  second.resolve(countedVote(2));
  expect(await done).toBeNull();
  expect(sent()).toEqual([1, 2]);
  expect(toasts.get()).toEqual([]);
  expect(session.get().stats?.tokenBalance).toBe(0);
});

test('votes beyond the limit are returned without further calls [R8]', async () => {
  for (const id of [1, 2, 3]) cast(id);
  server().reject(castVote, 429, { error: 'vote_limit', message: 'Rate limit reached' });
  expect(await sendWaiting(USER.id)).toBeNull();
  expect(sent()).toEqual([1]);
  expect(fates()).toEqual([1, 2, 3].map((id) => [id, 'returned']));
  expect(left()).toEqual([]);
});

test('a rejected vote does not block those behind it [R7]', async () => {
  for (const id of [1, 2, 3]) cast(id);
  server().reject(castVote, 409, { error: 'project_expired', message: 'This project has expired' });
  onTestFinished(
    outcome.subscribe(() => {
      if (outcome.get()?.vote.project.id === 1)
        server().reject(castVote, 400, { error: 'bad_request', message: 'Not understood' });
      else server().respond(castVote, countedVote(1));
    }),
  );
  await sendWaiting(USER.id);
  expect(sent()).toEqual([1, 2, 3]);
  expect(fates()).toEqual([
    [1, 'rejected'],
    [2, 'returned'],
    [3, 'counted'],
  ]);
  expect(toasts.get()[0]?.description).toBe(
    'Project 3: +10 Snaps. Project 1: This project has expired. Project 2: Not understood. The card is back.',
  );
});

test("'Already voted' about a vote whose answer was lost counts as sent, without a second reward [R7 R99]", async () => {
  cast(1, 'bullish', CAST_AT_MS);
  server().reject(castVote, 409, { error: 'already_voted', message: 'Already voted on this project' });
  const at = '2026-01-01T12:00:00.100Z';
  const vote = { voteType: 'bullish', period: 1, createdAt: at, since: at, saidAt: at } as const;
  server().respond(getOwnVote, { ...ownVoteOf('bullish'), vote });
  await sendWaiting(USER.id);
  expect(fates()).toEqual([[1, 'counted_before']]);
  expect(toasts.get()[0]).toMatchObject({ title: '1 vote counted', description: 'Project 1.' });
});

test('votes of another user and invalid ones are not sent', async () => {
  const project = projectOf(1);
  const whole = { userId: 8, project, voteType: 'bullish', castAtMs: 1, attemptedAtMs: null };
  localStorage.setItem(`${VOTE_KEY_PREFIX}8:1`, JSON.stringify(whole));
  localStorage.setItem(`${VOTE_KEY_PREFIX}${USER.id}:1`, JSON.stringify(whole));
  localStorage.setItem(`${VOTE_KEY_PREFIX}${USER.id}:2`, '{');
  // Stored under a wrong key: it could be sent, and never be removed.
  localStorage.setItem(`${VOTE_KEY_PREFIX}${USER.id}:3`, JSON.stringify({ ...whole, userId: USER.id }));
  for (const changes of [{ voteType: 'up' }, { project: null }, { castAtMs: '1' }, { attemptedAtMs: 'x' }])
    expect(parseWaiting(JSON.stringify({ ...whole, ...changes }))).toBeNull();
  expect(await sendWaiting(USER.id)).toBeNull();
  expect(sent()).toEqual([]);
});

test('only the tab that holds the lock sends', async () => {
  const other = Promise.withResolvers<void>();
  const request = vi.fn<(name: string, work: () => Promise<void>) => Promise<void>>(async (_name, work) => {
    await other.promise;
    await work();
  });
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  cast(1);
  cast(2);
  server().respond(castVote, countedVote(1));
  const done = sendWaiting(USER.id);
  // The other tab has sent the first one in between.
  localStorage.removeItem(`${VOTE_KEY_PREFIX}${USER.id}:1`);
  other.resolve();
  await done;
  Reflect.deleteProperty(navigator, 'locks');
  expect(request).toHaveBeenCalledExactlyOnceWith('snapswipe-votes', expect.any(Function));
  expect(sent()).toEqual([2]);
});

test('a change that an earlier version kept is sent as a change, once, and its wish to undo is not [R57 R99]', async () => {
  const { userStats, votingStatus } = countedVote(3);
  server().respond(changeVote, { userStats, votingStatus, change: 'changed' });
  const kept = { userId: USER.id, voteType: 'bearish', changes: 'bullish', castAtMs: 1, attemptedAtMs: null };
  for (const [id, wish] of [
    [1, {}],
    [2, { isUnwanted: true }],
  ] as const)
    localStorage.setItem(
      `${VOTE_KEY_PREFIX}${USER.id}:${id}`,
      JSON.stringify({ ...kept, ...wish, project: projectOf(id) }),
    );
  await sendWaiting(USER.id);
  expect(server().calls(changeVote)).toMatchObject([
    { params: { projectId: '1' }, body: { voteType: 'bearish', identity: 1 } },
  ]);
  expect([sent(), fates()]).toEqual([[], [[1, 'counted']]]);
});
