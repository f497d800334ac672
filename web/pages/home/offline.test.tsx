// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { getDailyDeck } from '#shared/contract/daily-deck.ts';
import { listProjects } from '#shared/contract/projects.ts';
import { getStats, getVotingStatus } from '#shared/contract/users.ts';
import { castVote, showResult } from '#shared/contract/votes.ts';
import { session } from '../../lib/session.ts';
import { lostAction } from '../../lib/lost-action.ts';
import { connection } from '../../offline/connection.ts';
import { DECK_KEY_PREFIX, keepLastDeck } from '../../offline/last-deck.ts';
import { isNoticeShown, OfflineNotice } from '../../offline/offline-notice.tsx';
import { startOffline } from '../../offline/start.ts';
import { readWaiting, VOTE_KEY_PREFIX } from '../../offline/waiting-votes.ts';
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

test('a vote without a network waits, and Undo returns its card without a call [S4.4]', async () => {
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

test('without a network at most as many votes wait as the window has left [S9.1]', async () => {
  await openOffline(20);
  for (let at = 0; at < 20; at += 1) vote();
  expect(ids()).toEqual([]);
  keepLastDeck({ userId: USER.id, cards: [projectOf(99)], votingStatus: null });
  expect(canVote(USER.id)).toBe(false);
});

const button = () => screen.queryByRole('button', { name: 'Send now' });

test("'Send now' is offered only when votes wait and the server may be reached", async () => {
  server().lose(castVote);
  await openOffline();
  vote();
  expect(button()).toBeNull();
  act(() => screen.getByRole('button', { name: 'Undo' }).click());
  act(() => connection.set('unreachable'));
  expect(notice()).toBe('The server is away. What you see may be out of date.');
  expect(button()).toBeNull();
  expect(isNoticeShown.get()).toBe(true);
  act(() => connection.set('online'));
  expect(notice()).toBe('');
  expect(isNoticeShown.get()).toBe(false);
  vote();
  await vi.waitFor(() => expect(button()).not.toBeNull());
  act(() => connection.set('unreachable'));
  expect(notice()).toContain('The server is away · 1 vote waiting to send.');
  expect(button()).toBeVisible();
});

describe('a session that is over', () => {
  afterAll(startOffline());

  test('a session that ended elsewhere returns waiting votes and deletes everything stored', async () => {
    await openOffline();
    vote();
    act(() => session.lost(session.era()));
    expect(ids()).toEqual([1, 2, 3]);
    expect(lostAction.get()).toBe('1 vote that waited for the network was not counted: Project 1.');
    expect([...stored(DECK_KEY_PREFIX), ...stored(VOTE_KEY_PREFIX)]).toEqual([]);
  });
});
