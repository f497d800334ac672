// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getDailyDeck, type DailyCard } from '#shared/contract/daily-deck.ts';
import { getLeaderboard } from '#shared/contract/leaderboard.ts';
import { recordEvent } from '#shared/contract/insights.ts';
import { listPayments } from '#shared/contract/payments.ts';
import { getProject, listProjects, projectLeaderboard } from '#shared/contract/projects.ts';
import { listReviews } from '#shared/contract/reviews.ts';
import { getStats, getVotingStatus, listVotes } from '#shared/contract/users.ts';
import { castVote, changeVote, getOwnVote, showResult, undoVote } from '#shared/contract/votes.ts';
import { announcement } from '../../lib/announce.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { session } from '../../lib/session.ts';
import {
  countedOf,
  dailyCardOf,
  dailyOf,
  NOT_VOTED,
  ownVoteOf,
  projectOf,
  projectPageOf,
  statsOf,
  votingStatusOf,
} from '../../testing/made-up.ts';
import { act, draw, pass, useTestPage } from '../../testing/screen.tsx';
import { toasts } from '../../lib/toast.ts';
import { emptyDeck } from '../../deck/deck.ts';
import { HomePage } from './home-page.tsx';
import { congratulation, lastVote, reward } from '../../voting/last-vote.ts';
import { deck } from './deck/vote.ts';

const server = useTestPage();
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
const HOUR_MS = 3_600_000;
const later = (ms: number) => new Date(serverNow() + ms).toISOString();
const statusOf = (votes: number, periodEndsAt: string | null = later(HOUR_MS)) => votingStatusOf(votes, periodEndsAt);

const animated: Array<{ element: HTMLElement; frames: Keyframe[]; end: () => void }> = [];
const feed = (...ids: number[]) => ids.map((id) => projectOf(id));

beforeEach(() => {
  vi.useFakeTimers({ toFake: [...TIMED] });
  animated.length = 0;
  HTMLElement.prototype.animate = function animate(this: HTMLElement, frames) {
    const { promise, resolve } = Promise.withResolvers<Animation>();
    const animation = { finished: promise, cancel: () => undefined } as unknown as Animation;
    animated.push({ element: this, frames: frames as Keyframe[], end: () => resolve(animation) });
    return animation;
  };
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
  server().respond(undoVote, { userStats: statsOf(12), votingStatus: statusOf(1) });
  respondToVotes(1);
});

const respondToVotes = (votes: number, bonus: number | null = null) =>
  server().respond(castVote, countedOf(12 + votes, statusOf(1 + votes), bonus));

async function open(): Promise<void> {
  draw(<HomePage />);
  await pass(300);
  // Parts that are drawn some frames later make their calls later.
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
const sent = () =>
  server()
    .calls(castVote)
    .map(({ body }) => body);

describe('the deck [S2.11 S2.12]', () => {
  test('the deck shows three cards in the order of the feed, the first one with text and links [S2.12]', async () => {
    server().respond(listProjects, [
      projectOf(1, { website: 'https://tradeport.xyz/p', totalVotes: 1 }),
      ...feed(2, 3, 4),
    ]);
    await open();
    expect(drawn()).toEqual(['0:1', '1:2', '2:3']);
    expect(server().calls(listProjects)[0]?.query).toEqual({ userId: '7', limit: '10' });
    const top = within(screen.getByRole('article', { name: 'Project 1' }));
    expect(top.getByRole('link', { name: 'Project 1 , details' })).toHaveAttribute('href', '/projects/project-1');
    expect(top.getByRole('link', { name: /@project_1/ })).toHaveAttribute('href', 'https://x.com/project_1');
    expect(top.getByRole('link', { name: 'View on Marketplace' })).toHaveAttribute('href', 'https://tradeport.xyz/p');
    expect(top.getByText('1 vote')).toBeVisible();
    expect(cards()).toHaveAccessibleDescription(/^Project 1 is on top\. Arrow right votes bullish/);
    const inert = [...cards().querySelectorAll('article')].map((card) => card.hasAttribute('inert'));
    expect(inert).toEqual([false, true, true]);
  });

  test('the deck counts a view of each card on top and clicks on its links [R50]', async () => {
    const counted = () =>
      server()
        .calls(recordEvent)
        .map(({ params, body }) => ({ ...params, ...(body as object) }));
    await open();
    expect(counted()).toEqual([{ id: '1', kind: 'view', source: 'deck' }]);
    await press('Skip');
    const link = within(screen.getByRole('article', { name: 'Project 2' })).getByRole('link', { name: /@project_2/ });
    link.addEventListener('click', (event) => event.preventDefault());
    fireEvent.click(link);
    await pass(300);
    expect(counted().slice(1)).toEqual(
      expect.arrayContaining([
        { id: '2', kind: 'view', source: 'deck' },
        { id: '2', kind: 'click', source: 'deck' },
      ]),
    );
    expect(counted()).toHaveLength(3);
  });

  test('arrow keys vote and skip where the focus is in the deck or nowhere; repeated, modified and foreign ones do not [R12]', async () => {
    await open();
    respondToVotes(1);
    const key = async (target: Element, init: KeyboardEventInit) => {
      const taken = !fireEvent.keyDown(target, init);
      await pass(400);
      return taken;
    };
    expect(await key(document.body, { key: 'ArrowLeft', repeat: true })).toBe(true);
    for (const held of ['shiftKey', 'ctrlKey', 'altKey', 'metaKey'])
      expect(await key(document.body, { key: 'ArrowLeft', [held]: true })).toBe(false);
    expect(await key(document.body, { key: 'ArrowUp' })).toBe(false);
    const elsewhere = document.body.appendChild(document.createElement('input'));
    expect(await key(elsewhere, { key: 'ArrowLeft' })).toBe(false);
    elsewhere.remove();
    expect(sent()).toEqual([]);
    expect(await key(document.body, { key: 'ArrowLeft' })).toBe(true);
    expect(await key(cards(), { key: 'ArrowRight' })).toBe(true);
    expect(sent()).toMatchObject([
      { projectId: 1, voteType: 'bearish' },
      { projectId: 2, voteType: 'bullish' },
    ]);
    expect(await key(cards(), { key: 's' })).toBe(true);
    expect(drawn()[0]).toBe('0:4');
    const main = document.body.appendChild(document.createElement('main'));
    main.id = 'main';
    expect(await key(main, { key: 'ArrowDown' })).toBe(true);
    main.remove();
  });

  test('a vote that fails brings its card back on top, marked with its side, and says why [S8.3]', async () => {
    await open();
    server().reject(castVote, 503, { error: 'unavailable', message: 'The database does not respond' });
    await press('Bearish');
    expect(drawn()[0]).toBe('0:1');
    expect(cards().querySelector('[data-depth="0"]')).toHaveAttribute('data-returned', 'bearish');
    expect(cards().querySelector('[data-leaving]')).toBeNull();
    expect(toasts.get()[0]).toMatchObject({ title: 'Vote Failed', description: 'The database does not respond' });
    // It flies back to its place.
    expect(animated.at(-1)?.frames.at(-1)).toMatchObject({ transform: 'none', opacity: 1 });
  });
});

describe('a deck that is empty, fails, or runs low [S2.14 R11]', () => {
  test('an empty deck has no live button, and a toast says what Load New Projects found [S2.14]', async () => {
    server().respond(listProjects, []);
    await open();
    expect(screen.getByText('All projects rated!')).toBeVisible();
    expect(cards()).toHaveAccessibleDescription('There is no card right now.');
    for (const name of ['Bullish', 'Bearish', 'Skip'])
      expect(screen.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
    await press('Bullish');
    expect(sent()).toEqual([]);
    await press('Load New Projects');
    expect(toasts.get()[0]).toMatchObject({ title: 'No new projects' });
    server().failSilently(listProjects);
    await press('Load New Projects');
    expect(toasts.get()[0]).toMatchObject({
      title: 'Error',
      description: 'Failed to fetch projects',
      variant: 'destructive',
    });
    server().respond(listProjects, feed(8, 9));
    await press('Load New Projects');
    expect(toasts.get()[0]).toMatchObject({
      title: 'New projects loaded!',
      description: 'Found 2 new project(s) to vote on.',
    });
    expect(drawn()).toEqual(['0:8', '1:9']);
  });

  test('a full feed that runs low is read again with more cards, and a shorter one is not [R11]', async () => {
    const page = (from: number, length: number) => feed(...Array.from({ length }, (_, at) => from + at));
    server().respond(listProjects, ({ query }) => (query['limit'] === '10' ? page(1, 10) : page(1, 12)));
    await open();
    const limits = () =>
      server()
        .calls(listProjects)
        .map(({ query }) => query['limit']);
    expect(limits()).toEqual(['10']);
    for (let skipped = 0; skipped < 4; skipped += 1) await press('Skip');
    expect(limits()).toEqual(['10']);
    await press('Skip');
    expect(limits()).toEqual(['10', '20']);
    expect(deck.get().queue).toHaveLength(12);
    for (let skipped = 0; skipped < 7; skipped += 1) await press('Skip');
    expect(limits()).toEqual(['10', '20']);
  });
});

describe('votes left [S2.16 S9.4]', () => {
  test('the limit turns the buttons off, and its end reads the status at once [S2.16 S9.4]', async () => {
    const endsAt = later(92_000);
    server().respond(getVotingStatus, statusOf(25, endsAt));
    await open();
    expect(screen.getAllByText('Rate limit reached')).toHaveLength(2);
    expect(screen.getByRole('button', { name: 'Bullish' })).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByRole('button', { name: 'Skip' })).not.toHaveAttribute('aria-disabled');
    const times = () => screen.getAllByRole('timer').map(({ textContent }) => textContent);
    await pass(1_000);
    const [first = ''] = times();
    expect(first).toBe('1m 31s');
    expect(times()).toEqual([first, first]);
    await pass(10_000);
    expect(times()).toEqual(['1m 21s', '1m 21s']);
    await press('Bullish');
    expect(sent()).toEqual([]);
    await pass(79_400);
    const asked = server().calls(getVotingStatus).length;
    server().respond(getVotingStatus, () => new Promise((resolve) => setTimeout(() => resolve(statusOf(0, null)), 50)));
    // No poll is due; both places ask, in one call.
    await pass(1_500);
    expect(server().calls(getVotingStatus).length).toBe(asked + 1);
    expect(screen.getByText('25 votes left')).toBeVisible();
    expect(screen.getByText(/^It begins with your next vote and lasts 6 hours/)).toBeInTheDocument();
  });
});

describe('rewards [S2.13 S2.17 R10]', () => {
  test('the congratulation stays until its button or the backdrop is pressed [S2.17 R10]', async () => {
    await open();
    respondToVotes(1, 1000);
    await press('Bullish');
    const party = () => document.querySelector('dialog');
    expect(party()?.open).toBe(true);
    expect(party()).toHaveAccessibleName('Congratulations!');
    expect(screen.getByText('1000')).toBeVisible();
    fireEvent.click(screen.getByText('Congratulations!'));
    expect(party()?.open).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: 'Keep swiping' }));
    await pass(100);
    expect(party()).toBeNull();
    expect(congratulation.get()).toBeNull();
    act(() => congratulation.set(1000));
    fireEvent.click(party() as HTMLElement);
    await pass(100);
    expect(party()).toBeNull();
  });
});

test('an ended session keeps the cards and disables every button until the next sign-in [R4]', async () => {
  await open();
  act(() => session.lost(session.era()));
  await pass(100);
  expect(drawn()).toEqual(['0:1', '1:2', '2:3']);
  expect(screen.getByText('Sign in again to vote')).toBeVisible();
  for (const name of ['Bullish', 'Bearish', 'Skip'])
    expect(screen.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
  fireEvent.keyDown(document.body, { key: 'ArrowLeft' });
  await press('Skip');
  expect(drawn()).toEqual(['0:1', '1:2', '2:3']);
  expect(sent()).toEqual([]);
  expect(screen.queryByRole('region', { name: 'Your Statistics' })).toBeNull();
});

const pressKey = async (key: string, changes: KeyboardEventInit = {}) => {
  fireEvent.keyDown(document.body, { key, ...changes });
  await pass(400);
};
const pill = () => cards().querySelector<HTMLElement>('[data-vote-pill]');

test('the first vote of a day shows the streak, and the next one does not', async () => {
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
  test('the result of a vote appears when its undo is over, and not before [R47 R59]', async () => {
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
  ])('an undo %s returns the card to the top, updates the numbers, and is announced [R46]', async (_name, takeBack) => {
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
});

describe('a link to a card [R48]', () => {
  const openAt = async (path: string) => {
    history.replaceState(null, '', path);
    await open();
    await pass(100);
  };

  test('a link to a card deals it first and then shows the address of the deck [R48]', async () => {
    await openAt('/?card=project-3');
    expect(drawn()).toEqual(['0:3', '1:1', '2:2']);
    expect(location.pathname + location.search).toBe('/');
  });

  test('a link deals a card that the feed lacks [R48]', async () => {
    server().respond(getProject, projectPageOf(40));
    server().respond(getOwnVote, NOT_VOTED);
    await openAt('/?card=project-40');
    expect(drawn()[0]).toBe('0:40');
    expect(server().calls(castVote)).toEqual([]);
  });

  test.each([
    ['voted', 'You have already voted on it'],
    ['own', "You can't vote on your own project"],
    ['expired', 'This listing has expired and takes no votes'],
  ] as const)('a toast says why a linked card is not dealt: %s [R48]', async (canVote, words) => {
    server().respond(getProject, projectPageOf(40));
    server().respond(getOwnVote, { vote: null, canVote, changeableFrom: null, undoableUntil: null, result: null });
    await openAt('/?card=project-40');
    expect(toasts.get()[0]).toMatchObject({ title: 'Project 40 is not in your deck', description: words });
    expect(drawn()[0]).toBe('0:1');
  });

  test.each(['is pending', 'was counted'])(
    'a linked card whose vote %s during the read is not dealt a second time [R48]',
    async (fate) => {
      const counts = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<void>();
      server().respond(castVote, async () => {
        await counts.promise;
        return countedOf(13, statusOf(2));
      });
      server().respond(getProject, projectPageOf(1));
      server().respond(getOwnVote, async () => {
        await answer.promise;
        return NOT_VOTED;
      });
      await open();
      await press('Bullish');
      act(() => history.pushState(null, '', '/?card=project-1'));
      await pass(100);
      if (fate === 'was counted') counts.resolve();
      await pass(100);
      answer.resolve();
      await pass(100);
      expect(toasts.get().map(({ description }) => description)).toEqual(['You have already voted on it']);
      expect(drawn()).toEqual(['0:2', '1:3', '2:4']);
    },
  );

  test('a link to a missing project shows a toast [R48]', async () => {
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

  test('cards of the day come first, and each dot shows the state of its card [R49]', async () => {
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

  test('the deck of the day ends with its summary, and the feed continues [R49]', async () => {
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

  test('an undo of the last vote removes the summary of the day [R49]', async () => {
    server().respond(getDailyDeck, dailyOf([dailyCardOf(1)], { day: '2026-01-03' }));
    await open();
    await press('Bullish');
    expect(screen.getByRole('region', { name: "Today's deck is done" })).toBeVisible();
    await pressKey('z');
    await pass(100);
    expect(screen.queryByRole('region', { name: "Today's deck is done" })).toBeNull();
    expect(drawn()[0]).toBe('0:1');
  });

  test('the home shows results and new projects when no votes are left [R49]', async () => {
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

  test('the deck is the feed when the deck of the day cannot be read [R49]', async () => {
    server().failSilently(getDailyDeck);
    await open();
    expect(drawn()).toEqual(['0:1', '1:2', '2:3']);
    expect(today()).toMatch(/^24 votes until/);
  });
});
