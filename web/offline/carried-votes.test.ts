// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getProject } from '#shared/contract/projects.ts';
import { castVote } from '#shared/contract/votes.ts';
import { startSoon } from '../app/after-start.ts';
import { serverNow } from '../lib/server-clock.ts';
import { session } from '../lib/session.ts';
import { toasts } from '../lib/toast.ts';
import { connectDialogOpen } from '../lib/wallet-state.ts';
import { projectOf, projectPageOf, STATS, USER } from '../testing/made-up.ts';
import { useTestPage } from '../testing/screen.tsx';
import { carriedFragment, parseCarried, takeCarried } from './carried-votes.ts';
import { claimListedVotes, isCountingCarried, isPostponed, keepGuestVote } from './guest-votes.ts';
import { GUEST_ID, guestVotes, readWaiting, waiting, type WaitingVote } from './waiting-votes.ts';

const server = useTestPage();
const DAY_MS = 86_400_000;
const expiresAt = () => new Date(serverNow() + DAY_MS).toISOString();
const castS = (daysAgo = 0) => Math.floor((serverNow() - daysAgo * DAY_MS) / 1000);
const listed = () =>
  guestVotes
    .get()
    .map(({ project, voteType, isCarried }) => `${project.name}: ${voteType}${isCarried ? ', carried' : ''}`);
const told = () => toasts.get()[0];

beforeEach(() => {
  session.drawAs(undefined);
  isPostponed.set(false);
  readWaiting(GUEST_ID);
  server().respond(getProject, () => projectPageOf(12, { identity: 2, expiresAt: expiresAt() }));
});
afterEach(() => connectDialogOpen.set(false));

test('a link carries the newest three votes, which come out of it as they went in [R76]', () => {
  const votes = [1, 2, 3, 4].map((id): WaitingVote => ({
    userId: GUEST_ID,
    project: projectOf(id, { identity: id }),
    voteType: id % 2 === 0 ? 'bullish' : 'bearish',
    castAtMs: 1_795_824_000_000 + id * 1000,
    attemptedAtMs: null,
  }));
  const fragment = carriedFragment(votes);
  expect(fragment).toBe('#votes=2.2.bullish.1795824002_3.3.bearish.1795824003_4.4.bullish.1795824004');
  expect(encodeURIComponent(fragment.slice('#votes='.length))).toBe(fragment.slice('#votes='.length));
  expect(parseCarried(fragment)).toEqual(
    votes.slice(1).map(({ project: { id, identity }, voteType, castAtMs }) => ({
      projectId: id,
      identity,
      voteType,
      castAtMs,
    })),
  );
  expect(carriedFragment([])).toBe('');
});

const VOTE = '12.2.bullish.1795824000';
test.each([
  ['is empty', ''],
  ['is not a list of votes', '<img src=x onerror=alert(1)>'],
  ['names a project twice', `${VOTE}_${VOTE}`],
  ['has four votes', [1, 2, 3, 4].map((id) => `${id}.1.bullish.1`).join('_')],
  ['has an impossible project', '0.1.bullish.1'],
  ['has an impossible identity', '12.0.bullish.1'],
  ['has a number in another form', '1e3.1.bullish.1'],
  ['has no direction', '12.1.sideways.1'],
  ['has a further part', `${VOTE}.9`],
  ['ends early', `${VOTE}_`],
  ['is long', '9'.repeat(100_000)],
])('a link whose fragment %s is left out whole, in clear words [R76]', async (_why, fragment) => {
  await takeCarried(`#votes=${fragment}`);
  expect([listed(), server().calls(getProject), server().calls(castVote)]).toEqual([[], [], []]);
  expect(told()).toMatchObject({ title: 'The votes of this link cannot be read' });
});

test('votes of a link leave the address, are listed as such, and are not sent by a sign-in unless switched on [R76]', async () => {
  history.replaceState({ place: 7 }, '', `/projects/tide?from=mail#votes=12.2.bearish.${castS(3)}`);
  startSoon();
  expect([location.pathname, location.search, location.hash, history.state]).toEqual([
    '/projects/tide',
    '?from=mail',
    '',
    { place: 7 },
  ]);
  await vi.waitFor(() => expect(listed()).toEqual(['Project 12: bearish, carried']), { timeout: 10_000 });
  expect(told()).toMatchObject({
    title: '1 vote came with this link',
    description: 'They count only if you switch them on.',
  });
  keepGuestVote(projectOf(5), 'bullish');
  connectDialogOpen.set(true);
  claimListedVotes(USER.id);
  session.signedIn({ user: USER, stats: STATS });
  expect(waiting.get().map(({ project }) => project.id)).toEqual([5]);
  expect(listed()).toEqual(['Project 12: bearish, carried']);
  expect(isPostponed.get()).toBe(true);
});

test('votes of a link go to the user who switches them on, and the switch is off again for the next one [R76]', async () => {
  await takeCarried(`#votes=12.2.bearish.${castS()}`);
  connectDialogOpen.set(true);
  isCountingCarried.set(true);
  claimListedVotes(USER.id);
  connectDialogOpen.set(false);
  expect([listed(), isCountingCarried.get()]).toEqual([[], false]);
  expect(readWaiting(USER.id)).toMatchObject([{ userId: USER.id, project: { id: 12 }, voteType: 'bearish' }]);
  expect(readWaiting(USER.id)[0]).not.toHaveProperty('isCarried');
});

test("a visitor's own vote on a project stays, whatever a link says [R76]", async () => {
  keepGuestVote(projectOf(12), 'bullish');
  await takeCarried(`#votes=12.2.bearish.${castS()}`);
  expect(listed()).toEqual(['Project 12: bullish']);
  expect(told()).toBeUndefined();
});

test.each([
  ['an identity that the project no longer has', 'Projects that have changed since', {}, '12.1.bullish', 0],
  ['a hidden project', 'Projects that take no votes now', { hidden: true }, '12.2.bullish', 0],
  [
    'an expired listing',
    'Projects that take no votes now',
    { expiresAt: '2026-01-01T00:00:00.000Z' },
    '12.2.bullish',
    0,
  ],
  ['30 days of waiting', 'Votes older than 30 days', {}, '12.2.bullish', 30],
])("a link's vote with %s is left out with its reason [R76 R60]", async (_name, why, changes, vote, daysAgo) => {
  server().respond(getProject, () => projectPageOf(12, { identity: 2, expiresAt: expiresAt(), ...changes }));
  await takeCarried(`#votes=${vote}.${castS(daysAgo)}`);
  expect(listed()).toEqual([]);
  expect(told()).toMatchObject({
    title: 'The votes of this link are left out',
    description: expect.stringContaining(why) as string,
  });
});

test('a link with an unknown project keeps its other votes [R76]', async () => {
  server().respond(getProject, ({ params }) => projectPageOf(Number(params.id), { expiresAt: expiresAt() }));
  await takeCarried(`#votes=11.1.bullish.${castS()}`);
  server().reject(getProject, 404, { error: 'not_found', message: 'Project Not Found' });
  await takeCarried(`#votes=99.1.bullish.${castS()}`);
  expect(listed()).toEqual(['Project 11: bullish, carried']);
  expect(told()).toMatchObject({ title: 'The votes of this link are left out' });
});

test('a link of the future waits no longer than one of today [R76]', async () => {
  await takeCarried(`#votes=12.2.bullish.${castS(-400)}`);
  expect(guestVotes.get()[0]?.castAtMs).toBeLessThanOrEqual(serverNow());
});

test("a link's votes stay in the address while the server is away [R76]", async () => {
  server().lose(getProject);
  const fragment = `#votes=12.2.bullish.${castS()}`;
  history.replaceState(null, '', `/${fragment}`);
  startSoon();
  expect(location.hash).toBe('');
  await vi.waitFor(() => expect(location.hash).toBe(fragment), { timeout: 10_000 });
  expect(told()).toMatchObject({ description: 'Nothing was sent. Reload the page to try again.' });
  expect(listed()).toEqual([]);
});
