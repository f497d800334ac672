// @vitest-environment happy-dom
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { signOut } from '#shared/contract/auth.ts';
import { castVote } from '#shared/contract/votes.ts';
import { session } from '../lib/session.ts';
import { toasts } from '../lib/toast.ts';
import { connectDialogOpen } from '../lib/wallet-state.ts';
import { countedOf, projectOf, STATS, USER } from '../testing/made-up.ts';
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
  server().respond(castVote, () => countedOf(sent().length));
});

describe("a visitor's votes", () => {
  test("a sign-in sends the visitor's listed votes once, and the newest can be undone [R76 R59]", async () => {
    vote(1, 2, 3);
    signIn({ toCount: true });
    await vi.waitFor(() => expect(toasts.get()[0]?.title).toBe('3 waiting votes counted'), { timeout: 5_000 });
    expect(sent()).toEqual([1, 2, 3]);
    expect([kept(), guestVotes.get(), waiting.get()]).toEqual([[], [], []]);
    expect(lastVote.get()).toMatchObject({ userId: USER.id, project: { id: 3 }, phase: 'open', result: null });
  });

  test("a visitor's votes that are switched off wait for the next sign-in [R76]", async () => {
    vote(1);
    signIn({ toCount: false });
    server().respond(signOut, { success: true });
    await session.signOut();
    expect([sent(), kept()]).toEqual([[], [`${VOTE_KEY_PREFIX}0:1`]]);
    expect(readWaiting(GUEST_ID)).toHaveLength(1);
  });

  test("the switch for a visitor's votes is on each time the dialog opens [R76]", () => {
    connectDialogOpen.set(true);
    isCounting.set(false);
    connectDialogOpen.set(false);
    expect(isCounting.get()).toBe(true);
  });

  test("a signed-in user who connects a wallet sends no visitor's votes [R76]", () => {
    vote(1);
    session.signedIn({ user: USER, stats: STATS });
    claimListedVotes(USER.id);
    expect(kept()).toEqual([`${VOTE_KEY_PREFIX}0:1`]);
  });

  test("a visitor's votes leave the browser after 30 days, with or without a session [R76]", async () => {
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
});
