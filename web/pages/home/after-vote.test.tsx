// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getDailyDeck, type DailyCard } from '#shared/contract/daily-deck.ts';
import { getLeaderboard } from '#shared/contract/leaderboard.ts';
import { listPayments } from '#shared/contract/payments.ts';
import { getProject, listProjects, projectLeaderboard } from '#shared/contract/projects.ts';
import { listReviews } from '#shared/contract/reviews.ts';
import { getStats, getVotingStatus, listVotes } from '#shared/contract/users.ts';
import { castVote, changeVote, getOwnVote, showResult, undoVote } from '#shared/contract/votes.ts';
import { announcement } from '../../lib/announce.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { session } from '../../lib/session.ts';
import { toasts } from '../../lib/toast.ts';
import {
  dailyCardOf,
  dailyOf,
  ownVoteOf,
  projectOf,
  projectPageOf,
  statsOf,
  votingStatusOf,
} from '../../testing/made-up.ts';
import { draw, pass, useTestPage } from '../../testing/screen.tsx';
import { congratulation, lastVote, reward } from '../../voting/last-vote.ts';
import { emptyDeck } from '../../deck/deck.ts';
import { deck } from './deck/vote.ts';
import { HomePage } from './home-page.tsx';

const server = useTestPage();
const feed = (...ids: number[]) => ids.map((id) => projectOf(id));
const statusOf = (votes: number) => votingStatusOf(votes, new Date(serverNow() + 3_600_000).toISOString());
const TIMED = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'requestAnimationFrame',
  'cancelAnimationFrame',
  'Date',
  'performance',
] as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: [...TIMED] });
  HTMLElement.prototype.animate = () => ({ finished: new Promise(() => undefined) }) as unknown as Animation;
  HTMLElement.prototype.getAnimations = () => [];
  deck.set(emptyDeck(0));
  reward.set(null);
  congratulation.set(null);
  lastVote.set(null);
  server().respond(listProjects, feed(1, 2, 3, 4));
  server().respond(getVotingStatus, statusOf(1));
  server().respond(getStats, statsOf(12));
  server().respond(getLeaderboard, { topVoters: [], currentUserRank: null });
  server().respond(projectLeaderboard, []);
  server().respond(listReviews, [], { total: 0 });
  server().respond(listPayments, [], { total: 0 });
  server().respond(listVotes, [], { total: 0 });
  server().respond(getDailyDeck, dailyOf());
  server().respond(getOwnVote, ownVoteOf('bullish'));
  server().respond(showResult, ownVoteOf('bullish'));
  server().respond(castVote, {
    userStats: statsOf(13),
    votingStatus: statusOf(2),
    tokensEarned: 10,
    congratulation: null,
  });
  server().respond(undoVote, { userStats: statsOf(12), votingStatus: statusOf(1) });
});

async function open(): Promise<void> {
  draw(<HomePage />);
  await pass(300);
  await pass(200);
}
const cards = () => screen.getByRole('region', { name: 'Project cards' });
const drawn = () =>
  [...cards().querySelectorAll<HTMLElement>('[data-depth]')].map(
    ({ dataset }) => `${dataset['depth']}:${dataset['project']}`,
  );
const press = async (name: string | RegExp) => {
  fireEvent.click(screen.getByRole('button', { name }));
  await pass(300);
  await pass(100);
};
const pressKey = async (key: string, changes: KeyboardEventInit = {}) => {
  fireEvent.keyDown(document.body, { key, ...changes });
  await pass(400);
};
const pill = () => cards().querySelector<HTMLElement>('[data-vote-pill]');

test('shows the streak where a vote has lengthened it, the first one of a day, and not with the next one', async () => {
  server().respond(getStats, { ...statsOf(12), currentStreak: 4, streak: 4 });
  const userStats = { ...statsOf(13), currentStreak: 5, streak: 5 };
  server().respond(castVote, { userStats, votingStatus: statusOf(2), tokensEarned: 10, congratulation: null });
  await open();
  await press('Bullish');
  expect(screen.getByText('5-day streak')).toBeVisible();
  expect(announcement.get()).toBe('Voted bullish on Project 1, +10 Snaps. 5-day streak. Press Z to undo.');
  await press('Bullish');
  expect(screen.queryByText('5-day streak')).toBeNull();
  expect(announcement.get()).toBe('Voted bullish on Project 2, +10 Snaps. Press Z to undo.');
});

describe('the result after a vote, never before, nor while it can be undone [R47 R59]', () => {
  test('shows how many others voted alike when the undo is over, in the place of the undo, for a while', async () => {
    await open();
    expect(cards()).not.toHaveTextContent('%');
    expect(server().calls(getOwnVote)).toEqual([]);
    await press('Bullish');
    expect(pill()).toHaveTextContent('Bullish on Project 1');
    await pass(4_000);
    expect(server().calls(showResult)).toEqual([]);
    await pass(700);
    expect(pill()).toHaveTextContent(/^Project 1: 36 of 42 others voted like you$/);
    expect(announcement.get()).toBe('Project 1: 36 of 42 others voted like you');
    expect(
      server()
        .calls(showResult)
        .map(({ params }) => params),
    ).toEqual([{ projectId: '1' }]);
    await pass(10_100);
    expect(pill()).toBeNull();
  });

  test("the user's vote of an earlier listing period shows after the swipe and not before [R45]", async () => {
    server().respond(getDailyDeck, dailyOf([], { earlierVotes: [{ projectId: 1, voteType: 'bearish' }] }));
    await open();
    const top = within(screen.getByRole('article', { name: 'Project 1' }));
    expect(top.getByText('Still bullish?')).toBeVisible();
    expect(cards()).not.toHaveTextContent('Last time');
    await press('Bullish');
    expect(pill()).toHaveTextContent('Last time: bearish');
  });
});

test('a card that asks about a vote says what of the project changed since [R61 R60]', async () => {
  const asked = dailyCardOf(1, {
    kind: 'still_bullish',
    asksAbout: 'bullish',
    changed: { what: ['name'], name: 'Quiet Frog' },
  });
  server().respond(getDailyDeck, dailyOf([asked]));
  await open();
  const top = within(screen.getByRole('article', { name: 'Project 1' }));
  expect(top.getByText('Still bullish?')).toBeVisible();
  expect(top.getByText('Since your vote, it was renamed from Quiet Frog')).toBeVisible();
});

test('with no votes left a card that asks about a vote can still be answered, and no other card [R57 R61]', async () => {
  server().respond(getVotingStatus, statusOf(25));
  server().respond(changeVote, { userStats: statsOf(12), votingStatus: statusOf(25), change: 'confirmed' });
  const asks = { kind: 'still_bullish', asksAbout: 'bullish' } as const;
  server().respond(getDailyDeck, dailyOf([dailyCardOf(9, asks), dailyCardOf(1)]));
  await open();
  expect(drawn()).toEqual(['0:9', '1:1', '2:2']);
  await press('Bullish');
  expect(server().calls(changeVote)).toHaveLength(1);
  expect(drawn()[0]).toBe('0:1');
  expect(screen.getByRole('button', { name: 'Bullish' })).toHaveAttribute('aria-disabled', 'true');
  await pressKey('ArrowRight');
  expect(server().calls(castVote)).toEqual([]);
  expect(drawn()[0]).toBe('0:1');
});

describe('taking a vote back [R46]', () => {
  test.each([
    ['by its button', () => press(/^Undo your vote on Project 1$/)],
    ['by Z', () => pressKey('z')],
  ])('%s: the card is back on top, numbers follow, and it is announced', async (_name, takeBack) => {
    await open();
    await press('Bullish');
    expect(drawn()).toEqual(['0:2', '1:3', '2:4']);
    await takeBack();
    await pass(100);
    expect(
      server()
        .calls(undoVote)
        .map(({ params }) => params),
    ).toEqual([{ projectId: '1' }]);
    expect(drawn().slice(0, 2)).toEqual(['0:1', '1:2']);
    expect(session.get().stats?.totalVotes).toBe(12);
    expect(announcement.get()).toBe('Took back your vote on Project 1');
    expect(pill()).toBeNull();
    expect(screen.getByText(/^24 votes until/)).toBeVisible();
  });

  test('Z does nothing before a vote, held down, with a modifier or where text is typed', async () => {
    await open();
    await pressKey('z');
    await press('Bullish');
    await pressKey('z', { ctrlKey: true });
    await pressKey('z', { repeat: true });
    const field = document.body.appendChild(document.createElement('input'));
    fireEvent.keyDown(field, { key: 'z' });
    field.remove();
    expect(server().calls(undoVote)).toEqual([]);
  });
});

describe('a link to a card [R48]', () => {
  const openAt = async (path: string) => {
    history.replaceState(null, '', path);
    await open();
    await pass(100);
  };

  test('deals it first, by its slug, and the address is the deck again', async () => {
    await openAt('/?card=project-3');
    expect(drawn()).toEqual(['0:3', '1:1', '2:2']);
    expect(location.pathname + location.search).toBe('/');
  });

  test('deals a card that was not among the first of the feed', async () => {
    server().respond(getProject, projectPageOf(40));
    server().respond(getOwnVote, {
      vote: null,
      canVote: 'yes',
      changeableFrom: null,
      undoableUntil: null,
      result: null,
    });
    await openAt('/?card=project-40');
    expect(drawn()[0]).toBe('0:40');
    expect(server().calls(castVote)).toEqual([]);
  });

  test.each([
    ['voted', 'You have already voted on it.'],
    ['own', "You can't vote on your own project."],
    ['expired', 'Its listing has expired.'],
  ] as const)('says why a card cannot be dealt: %s', async (canVote, words) => {
    server().respond(getProject, projectPageOf(40));
    server().respond(getOwnVote, { vote: null, canVote, changeableFrom: null, undoableUntil: null, result: null });
    await openAt('/?card=project-40');
    expect(toasts.get()[0]).toMatchObject({ title: 'Project 40 is not in your deck', description: words });
    expect(drawn()[0]).toBe('0:1');
  });

  test.each(['is under way', 'is counted meanwhile'])(
    'a card whose vote %s is not dealt a second time, though the server has said that it can be voted on',
    async (fate) => {
      const counts = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<void>();
      server().respond(castVote, async () => {
        await counts.promise;
        return { userStats: statsOf(13), votingStatus: statusOf(2), tokensEarned: 10, congratulation: null };
      });
      server().respond(getProject, projectPageOf(1));
      server().respond(getOwnVote, async () => {
        await answer.promise;
        return { vote: null, canVote: 'yes' as const, changeableFrom: null, undoableUntil: null, result: null };
      });
      await open();
      await press('Bullish');
      act(() => history.pushState(null, '', '/?card=project-1'));
      await pass(100);
      if (fate === 'is counted meanwhile') counts.resolve();
      await pass(100);
      answer.resolve();
      await pass(100);
      expect(toasts.get().map(({ description }) => description)).toEqual(['You have already voted on it.']);
      expect(drawn()).toEqual(['0:2', '1:3', '2:4']);
    },
  );

  test('says that there is no such project', async () => {
    server().reject(getProject, 404, { error: 'project_not_found', message: 'Project not found' });
    await openAt('/?card=nothing');
    expect(toasts.get()[0]?.description).toBe('There is no such project.');
  });
});

describe('the daily deck [R49]', () => {
  const voted = (id: number, withMajority: boolean): DailyCard =>
    dailyCardOf(id, { project: null, vote: { voteType: 'bullish', withMajority, bullishCount: 3, bearishCount: 1 } });
  const today = () => cards().querySelector('[data-today]')?.textContent;
  const spots = () => [...cards().querySelectorAll<HTMLElement>('[data-spot]')].map(({ dataset }) => dataset['spot']);

  test('its cards come first, and a dot says what became of each', async () => {
    server().respond(listProjects, feed(1, 2, 3, 4));
    server().respond(getDailyDeck, dailyOf([dailyCardOf(4, { kind: 'new' }), dailyCardOf(3), dailyCardOf(2)]));
    await open();
    expect(drawn()).toEqual(['0:4', '1:3', '2:2']);
    expect(within(screen.getByRole('article', { name: 'Project 4' })).getByText('New')).toBeVisible();
    expect(today()).toMatch(/^0 of 3 today·24 votes until \d\d:\d\d$/);
    await press('Bullish');
    await press('Skip');
    expect(today()).toMatch(/^2 of 3 today·/);
    expect(spots()).toEqual(['voted', 'skipped', 'open']);
    await pressKey('z');
    await pass(100);
    expect(spots()).toEqual(['open', 'skipped', 'open']);
  });

  test('ends with its summary; then the rest of the feed', async () => {
    server().respond(getDailyDeck, dailyOf([dailyCardOf(1), dailyCardOf(2)]));
    await open();
    await press('Bullish');
    expect(screen.queryByRole('region', { name: "Today's deck is done" })).toBeNull();
    server().respond(getDailyDeck, dailyOf([voted(1, true), voted(2, false)], { streak: 4 }));
    await press('Bullish');
    await pass(100);
    const summary = within(screen.getByRole('region', { name: "Today's deck is done" }));
    expect(summary.getByText('1 of 2')).toBeVisible();
    expect(summary.getByText('4 days')).toBeVisible();
    const results = within(summary.getByRole('region', { name: "Today's results" }));
    expect(results.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/projects/1',
      '/projects/2',
    ]);
    expect(summary.getByText(/^Next deck in/)).toContainElement(summary.getByRole('timer'));
    await pass(2_000);
    expect(announcement.get()).toContain("Today's deck is done");
    await pressKey('ArrowRight');
    expect(server().calls(castVote)).toHaveLength(2);
    await press('Keep swiping');
    expect(screen.queryByRole('region', { name: "Today's deck is done" })).toBeNull();
    await pressKey('ArrowRight');
    expect(server().calls(castVote)).toHaveLength(3);
  });

  test('has no summary over an empty stack; what others think is beside it', async () => {
    server().respond(listProjects, []);
    server().respond(getDailyDeck, dailyOf([voted(9, true)], { day: '2026-01-07' }));
    await open();
    expect(screen.getByText('All projects rated!')).toBeVisible();
    expect(screen.queryByRole('region', { name: "Today's deck is done" })).toBeNull();
    const results = within(screen.getByRole('region', { name: 'What others think' }));
    expect(results.getByRole('link', { name: /^Project 9/ })).toBeVisible();
  });

  test('its end is taken back with the last vote', async () => {
    server().respond(getDailyDeck, dailyOf([dailyCardOf(1)], { day: '2026-01-03' }));
    await open();
    await press('Bullish');
    expect(screen.getByRole('region', { name: "Today's deck is done" })).toBeVisible();
    await pressKey('z');
    await pass(100);
    expect(screen.queryByRole('region', { name: "Today's deck is done" })).toBeNull();
    expect(drawn()[0]).toBe('0:1');
  });

  test('says when votes return', async () => {
    server().respond(getDailyDeck, dailyOf([voted(9, true)], { day: '2026-01-04' }));
    server().respond(getVotingStatus, { ...statusOf(25), periodEndsAt: '2099-01-01T06:00:00.000Z' });
    await open();
    const summary = within(screen.getByRole('region', { name: "Today's deck is done" }));
    expect(summary.getByText(/^Votes return in/)).toBeVisible();
    expect(summary.getAllByRole('timer')).toHaveLength(2);
  });

  test('without votes left: what others think of the cards, and what is new', async () => {
    server().respond(getVotingStatus, statusOf(25));
    server().respond(listProjects, [
      projectOf(1, { createdAt: new Date(serverNow() - 86_400_000).toISOString() }),
      projectOf(2),
    ]);
    server().respond(getDailyDeck, dailyOf([voted(9, true), dailyCardOf(1)], { day: '2026-01-05' }));
    await open();
    const results = within(screen.getByRole('region', { name: 'What others think' }));
    expect(results.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Project 92 of 3 others voted like you',
    ]);
    const fresh = within(screen.getByRole('region', { name: 'New projects' }));
    expect(fresh.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Project 1DeFi']);
  });

  test('without it the deck is the feed', async () => {
    server().failSilently(getDailyDeck);
    await open();
    expect(drawn()).toEqual(['0:1', '1:2', '2:3']);
    expect(today()).toMatch(/^24 votes until/);
  });
});
