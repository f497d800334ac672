// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { getDailyDeck } from '#shared/contract/daily-deck.ts';
import { listProjects } from '#shared/contract/projects.ts';
import { getStats, getVotingStatus } from '#shared/contract/users.ts';
import { castVote, showResult } from '#shared/contract/votes.ts';
import type { ResponseOf } from '#shared/endpoint.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { session } from '../../lib/session.ts';
import { lostAction } from '../../lib/lost-action.ts';
import { connection } from '../../offline/connection.ts';
import { DECK_KEY_PREFIX, keepLastDeck } from '../../offline/last-deck.ts';
import { isNoticeShown, OfflineNotice } from '../../offline/offline-notice.tsx';
import { startOffline } from '../../offline/start.ts';
import { parseWaiting, readWaiting, VOTE_KEY_PREFIX } from '../../offline/waiting-votes.ts';
import { ownVoteOf, projectOf, statsOf, USER, votingStatusOf } from '../../testing/made-up.ts';
import { act, draw, useTestPage } from '../../testing/screen.tsx';
import { toasts } from '../../lib/toast.ts';
import { emptyDeck } from '../../deck/deck.ts';
import { canVote, deck, voteOnTop } from './deck/vote.ts';
import { useFeed } from './deck/use-feed.ts';

const server = useTestPage();
const ids = () => deck.get().queue.map(({ id }) => id);
const notice = () => document.querySelector('[data-offline-notice]')?.textContent ?? '';
const stored = (prefix: string) => Object.keys(localStorage).filter((key) => key.startsWith(prefix));

function Deck() {
  const { isLastDeck, error } = useFeed(USER.id);
  return (
    <p>
      {isLastDeck ? 'last deck' : 'fresh deck'} {error?.message}
    </p>
  );
}

/** Until the lock of the vote before is over. */
function vote(): boolean {
  let isTaken = false;
  act(() => {
    deck.set({ ...deck.get(), lockedUntilMs: 0 });
    isTaken = voteOnTop('bullish');
  });
  return isTaken;
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  deck.set(emptyDeck(0));
  readWaiting(USER.id);
  connection.set('online');
  server().lose(listProjects);
  server().lose(getDailyDeck);
  server().respond(getVotingStatus, votingStatusOf(5, null));
  server().respond(getStats, statsOf(5));
  server().respond(showResult, ownVoteOf('bullish'));
});

async function openOffline(count = 3): Promise<void> {
  const cards = Array.from({ length: count }, (_, at) => projectOf(at + 1));
  keepLastDeck({ userId: USER.id, cards, votingStatus: votingStatusOf(5, null) });
  connection.set('offline');
  draw(
    <>
      <OfflineNotice />
      <Deck />
    </>,
  );
  await screen.findByText('last deck');
}

describe('without a network', () => {
  test('a vote without a network waits without its card, and Undo returns the card without a call [S4.4]', async () => {
    await openOffline();
    expect(vote()).toBe(true);
    expect(vote()).toBe(true);
    expect(ids()).toEqual([3]);
    expect(notice()).toContain('You are offline · 2 votes waiting to send. A vote counts when it arrives.');
    act(() => screen.getByRole('button', { name: 'Undo' }).click());
    expect(ids()).toEqual([2, 3]);
    expect(notice()).toContain('1 vote waiting to send');
    expect(server().calls(castVote)).toEqual([]);
    expect(toasts.get()).toEqual([]);
  });

  test('at most as many votes wait as the window has left [S9.1]', async () => {
    await openOffline(20);
    for (let at = 0; at < 20; at += 1) vote();
    expect(ids()).toEqual([]);
    keepLastDeck({ userId: USER.id, cards: [projectOf(99)], votingStatus: null });
    expect(canVote(USER.id)).toBe(false);
  });
});

describe('Send now', () => {
  const button = () => screen.queryByRole('button', { name: 'Send now' });

  test('Send now is offered only when votes wait and the server may be reached', async () => {
    server().lose(castVote);
    await openOffline();
    vote();
    expect(button()).toBeNull();
    act(() => screen.getByRole('button', { name: 'Undo' }).click());
    act(() => connection.set('unreachable'));
    expect(notice()).toBe('The server cannot be reached. What you see may be out of date.');
    expect(button()).toBeNull();
    expect(isNoticeShown.get()).toBe(true);
    act(() => connection.set('online'));
    expect(notice()).toBe('');
    expect(isNoticeShown.get()).toBe(false);
    vote();
    await vi.waitFor(() => expect(button()).not.toBeNull());
    act(() => connection.set('unreachable'));
    expect(notice()).toContain('The server cannot be reached · 1 vote waiting to send.');
    expect(button()).toBeVisible();
  });
});

test('a vote whose call had no response waits and cannot be undone', async () => {
  server().respond(listProjects, [projectOf(1), projectOf(2)]);
  server().lose(castVote);
  draw(
    <>
      <OfflineNotice />
      <Deck />
    </>,
  );
  await screen.findByText('fresh deck');
  await vi.waitFor(() => expect(ids()).toEqual([1, 2]));
  vote();
  await vi.waitFor(() => expect(notice()).toContain('1 vote waiting to send'));
  expect(ids()).toEqual([2]);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Send now' })).toBeVisible();
});

test('a tab that closes during a slow call stores its vote, and one that is restored deletes it', async () => {
  const response = { userStats: statsOf(6), votingStatus: votingStatusOf(6, null), tokensEarned: 10 };
  const call = Promise.withResolvers<ResponseOf<typeof castVote>>();
  server().respond(castVote, () => call.promise);
  await openOffline();
  act(() => connection.set('online'));
  const nowMs = Date.now();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(nowMs);
  const sentAtMs = serverNow();
  vote();
  // Calls of earlier tests may be in flight in this page.
  const kept = () =>
    stored(VOTE_KEY_PREFIX).flatMap((key) => {
      const waits = parseWaiting(localStorage.getItem(key));
      return waits?.castAtMs === sentAtMs ? waits : [];
    });
  act(() => void dispatchEvent(new Event('pagehide')));
  expect(kept()).toEqual([]);
  clock.mockReturnValue(nowMs + 2_000);
  act(() => void dispatchEvent(new Event('pagehide')));
  expect(kept()).toMatchObject([{ project: { id: 1 }, voteType: 'bullish', attemptedAtMs: sentAtMs }]);
  call.resolve({ ...response, congratulation: null });
  await vi.waitFor(() => expect(kept()).toEqual([]));
  expect([...deck.get().votedIds]).toEqual([1]);
});

describe('a session that is over', () => {
  afterAll(startOffline());

  test('a session that ended elsewhere returns the waiting votes, names them, and stores nothing', async () => {
    await openOffline();
    vote();
    act(() => session.lost(session.era()));
    expect(ids()).toEqual([1, 2, 3]);
    expect(lostAction.get()).toBe('1 vote that waited for the network was not counted: Project 1.');
    expect([...stored(DECK_KEY_PREFIX), ...stored(VOTE_KEY_PREFIX)]).toEqual([]);
  });

  test('a sign-out stores nothing and names the lost votes', async () => {
    await openOffline();
    vote();
    vote();
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
    await act(() => session.signOut());
    expect([...stored(DECK_KEY_PREFIX), ...stored(VOTE_KEY_PREFIX)]).toEqual([]);
    expect(toasts.get()[0]?.description).toBe(
      '2 votes that waited for the network were not counted: Project 1 and Project 2.',
    );
  });
});
