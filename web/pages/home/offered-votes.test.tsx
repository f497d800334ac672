// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { getDailyDeck } from '#shared/contract/daily-deck.ts';
import { listProjects } from '#shared/contract/projects.ts';
import { getStats, getVotingStatus } from '#shared/contract/users.ts';
import { castVote, showResult } from '#shared/contract/votes.ts';
import { toasts } from '../../lib/toast.ts';
import { emptyDeck } from '../../deck/deck.ts';
import { isPostponed, keepGuestVote } from '../../offline/guest-votes.ts';
import { GUEST_ID, guestVotes, readWaiting, VOTE_KEY_PREFIX } from '../../offline/waiting-votes.ts';
import {
  countedOf,
  dailyCardOf,
  dailyOf,
  ownVoteOf,
  projectOf,
  statsOf,
  USER,
  votingStatusOf,
} from '../../testing/made-up.ts';
import { act, draw, useTestPage } from '../../testing/screen.tsx';
import { DeckRegion } from './deck/deck-region.tsx';
import { deck } from './deck/vote.ts';

const server = useTestPage();
const region = () => within(screen.getByRole('region', { name: 'Project cards' }));
const kept = () => Object.keys(localStorage).filter((key) => key.startsWith(VOTE_KEY_PREFIX));
const keptByVisitor = (...ids: number[]) => ids.map((id) => `${VOTE_KEY_PREFIX}${GUEST_ID}:${id}`);
const press = (name: string) => act(async () => void fireEvent.click(region().getByRole('button', { name })));

beforeEach(() => {
  HTMLElement.prototype.animate = () => ({ finished: Promise.resolve() }) as unknown as Animation;
  deck.set(emptyDeck(0));
  readWaiting(USER.id);
  guestVotes.set([]);
  isPostponed.set(false);
  server().respond(
    listProjects,
    [1, 2, 3].map((id) => projectOf(id)),
  );
  server().respond(getDailyDeck, dailyOf());
  server().respond(getVotingStatus, votingStatusOf(0, null));
  server().respond(getStats, statsOf(0));
  server().respond(showResult, ownVoteOf('bullish'));
  server().respond(castVote, countedOf(2));
});

describe('votes of before the sign-in that still wait [R76]', () => {
  async function open() {
    keepGuestVote(projectOf(1), 'bullish');
    keepGuestVote(projectOf(7), 'bearish');
    draw(<DeckRegion userId={USER.id} isEnded={false} />);
    expect(await region().findByText('Count your 2 votes?')).toBeVisible();
  }

  test("a visitor's remaining votes are listed, sent when the user agrees, and count for the day [R49 R76]", async () => {
    const voted = (id: number) =>
      dailyCardOf(id, {
        project: null,
        vote: { voteType: 'bullish', withMajority: null, bullishCount: null, bearishCount: null },
      });
    server().respond(getDailyDeck, () =>
      dailyOf(
        server().calls(castVote).length === 2
          ? [voted(1), voted(7), dailyCardOf(2)]
          : [2, 3, 4].map((id) => dailyCardOf(id)),
      ),
    );
    await open();
    await waitFor(() => expect(deck.get().loaded).toBe(true));
    expect(server().calls(castVote)).toEqual([]);
    expect(region().queryByRole('button', { name: 'Bullish' })).toBeNull();
    await press('Count my 2 votes');
    await waitFor(() => expect(toasts.get()[0]?.title).toBe('2 waiting votes counted'));
    const sent = server().calls(castVote);
    expect(sent.map(({ body }) => body)).toMatchObject([
      { projectId: 1, voteType: 'bullish' },
      { projectId: 7, voteType: 'bearish' },
    ]);
    expect(kept()).toEqual([]);
    expect(region().getByRole('button', { name: 'Bullish' })).toBeVisible();
    expect(deck.get().queue.map(({ id }) => id)).toEqual([2, 3]);
    await waitFor(() => expect(document.querySelector('[data-today]')).toHaveTextContent('2 of 3 today'));
  });

  test('Later keeps the votes waiting and shows the deck [R76]', async () => {
    await open();
    await press('Later');
    expect(region().getByRole('button', { name: 'Bullish' })).toBeVisible();
    expect(screen.getByRole('region', { name: 'Project cards' })).toHaveFocus();
    expect([server().calls(castVote), kept()]).toEqual([[], keptByVisitor(1, 7)]);
  });

  test('the offer ends when all of its votes were taken back [R76]', async () => {
    await open();
    await press('Take back your vote on Project 1');
    await press('Take back your vote on Project 7');
    expect(region().getByRole('button', { name: 'Bullish' })).toBeVisible();
    expect([server().calls(castVote), kept()]).toEqual([[], []]);
  });
});
