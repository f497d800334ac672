// @vitest-environment happy-dom
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { signOut } from '#shared/contract/auth.ts';
import { castVote } from '#shared/contract/votes.ts';
import { session } from '../lib/session.ts';
import { toasts } from '../lib/toast.ts';
import { connectDialogOpen } from '../lib/wallet-state.ts';
import { projectOf, STATS, USER, countedVote } from '../testing/made-up.ts';
import { useTestPage } from '../testing/screen.tsx';
import { lastVote } from '../voting/last-vote.ts';
import { claimListedVotes, isCounting, keepGuestVote } from './guest-votes.ts';
import { startOffline } from './start.ts';
import { GUEST_ID, guestVotes, readWaiting, VOTE_KEY_PREFIX, waiting } from './waiting-votes.ts';

const server = useTestPage();
const kept = () => Object.keys(localStorage).filter((key) => key.startsWith(VOTE_KEY_PREFIX));
const sent = () =>
  server()
    .calls(castVote)
    .map(({ body }) => (body as { projectId: number }).projectId);

function vote(...ids: number[]): void {
  for (const id of ids) keepGuestVote(projectOf(id), 'bullish');
}

function signIn({ toCount }: { toCount: boolean }): void {
  connectDialogOpen.set(true);
  if (!toCount) isCounting.set(false);
  claimListedVotes(USER.id);
  session.signedIn({ user: USER, stats: STATS });
  connectDialogOpen.set(false);
}

afterAll(startOffline());
beforeEach(() => {
  session.drawAs(undefined);
  lastVote.set(null);
  readWaiting(GUEST_ID);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  server().respond(castVote, () => countedVote(sent().length));
});

test("a visitor's votes are sent once by a sign-in that lists them, and the newest can be undone [R76 R59]", async () => {
  vote(1, 2, 3);
  signIn({ toCount: true });
  await vi.waitFor(() => expect(toasts.get()[0]?.title).toBe('3 votes counted'), { timeout: 5_000 });
  expect(sent()).toEqual([1, 2, 3]);
  expect([kept(), guestVotes.get(), waiting.get()]).toEqual([[], [], []]);
  expect(lastVote.get()).toMatchObject({ userId: USER.id, project: { id: 3 }, phase: 'open', result: null });
});

test("a visitor's votes stay in the browser when switched off, and wait for the next sign-in [R76]", async () => {
  vote(1);
  signIn({ toCount: false });
  server().respond(signOut, { success: true });
  await session.signOut();
  expect([sent(), kept()]).toEqual([[], [`${VOTE_KEY_PREFIX}0:1`]]);
  expect(readWaiting(GUEST_ID)).toHaveLength(1);
});

test("opening the dialog again switches a visitor's votes on [R76]", () => {
  connectDialogOpen.set(true);
  isCounting.set(false);
  connectDialogOpen.set(false);
  expect(isCounting.get()).toBe(true);
});

test("a visitor's votes are not sent when a signed-in user connects a wallet to pay [R76]", () => {
  vote(1);
  session.signedIn({ user: USER, stats: STATS });
  claimListedVotes(USER.id);
  expect(kept()).toEqual([`${VOTE_KEY_PREFIX}0:1`]);
});

test("a visitor's votes leave the browser after 30 days [R76]", async () => {
  const dayMs = 86_400_000;
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  vote(1);
  vi.setSystemTime(Date.now() + 10 * dayMs);
  vote(2);
  vi.setSystemTime(Date.now() + 20 * dayMs - 1_000);
  signIn({ toCount: false });
  expect(kept()).toEqual([1, 2].map((id) => `${VOTE_KEY_PREFIX}0:${id}`));
  server().respond(signOut, { success: true });
  await session.signOut();
  vi.setSystemTime(Date.now() + 2_000);
  signIn({ toCount: false });
  expect(kept()).toEqual([`${VOTE_KEY_PREFIX}0:2`]);
  expect(guestVotes.get().map(({ project }) => project.id)).toEqual([2]);
});
