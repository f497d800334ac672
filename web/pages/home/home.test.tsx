// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getDailyDeck } from '#shared/contract/daily-deck.ts';
import { getLeaderboard } from '#shared/contract/leaderboard.ts';
import { recordEvent } from '#shared/contract/insights.ts';
import { listPayments } from '#shared/contract/payments.ts';
import { listProjects, projectLeaderboard } from '#shared/contract/projects.ts';
import { listReviews } from '#shared/contract/reviews.ts';
import type { UserStats } from '#shared/contract/types.ts';
import { getStats, getVotingStatus, listVotes } from '#shared/contract/users.ts';
import { castVote, showResult } from '#shared/contract/votes.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { session } from '../../lib/session.ts';
import { dailyOf, ownVoteOf, projectOf, STATS, votingStatusOf } from '../../testing/made-up.ts';
import { act, draw, pass, useTestPage } from '../../testing/screen.tsx';
import { toasts } from '../../lib/toast.ts';
import { emptyDeck } from '../../deck/deck.ts';
import { HomePage } from './home-page.tsx';
import { congratulation, lastVote, reward } from '../../voting/last-vote.ts';
import { deck } from './deck/vote.ts';

const server = useTestPage();
const HOUR_MS = 3_600_000;
const later = (ms: number) => new Date(serverNow() + ms).toISOString();
const statusOf = (votes: number, periodEndsAt: string | null = later(HOUR_MS)) => votingStatusOf(votes, periodEndsAt);
const statsOf = (totalVotes: number): UserStats => ({ ...STATS, totalVotes });

const animated: Array<{ element: HTMLElement; frames: Keyframe[]; end: () => void }> = [];
const feed = (...ids: number[]) => ids.map((id) => projectOf(id));

beforeEach(() => {
  vi.useFakeTimers({
    toFake: [
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'requestAnimationFrame',
      'cancelAnimationFrame',
      'Date',
      'performance',
    ],
  });
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
  server().respond(showResult, ownVoteOf('bullish'));
});

const respondToVotes = (votes: number, bonus: number | null = null) =>
  server().respond(castVote, {
    userStats: statsOf(12 + votes),
    votingStatus: statusOf(1 + votes),
    tokensEarned: 10,
    congratulation: bonus,
  });

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
const press = async (name: string) => {
  fireEvent.click(screen.getByRole('button', { name }));
  await pass(300);
  await pass(100);
};
const sent = () =>
  server()
    .calls(castVote)
    .map(({ body }) => body);

describe('the deck [S2.11 S2.12]', () => {
  test('three cards in the order of the feed; the first one has the words and links of its project', async () => {
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

  test('counts a view of each card that reaches the top, and clicks on its links [R50]', async () => {
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
  test('no card: nothing can be pressed, and new projects are loaded on request, with a word about what came', async () => {
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

  test('a full page that runs low is asked for with more cards; one that is not full is not', async () => {
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
  test('at the limit the buttons are off and both countdowns count; at its end the status is read at once, not at the next poll', async () => {
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

  test('polls: statistics and votes left every five seconds, reviews every ten, voters and projects every thirty', async () => {
    await open();
    const counts = () =>
      [getStats, getVotingStatus, getLeaderboard, listReviews, projectLeaderboard].map(
        (one) => server().calls(one).length,
      );
    const before = counts();
    const since = () => counts().map((count, at) => count - (before[at] ?? 0));
    await pass(60_000);
    expect(since()).toEqual([12, 12, 2, 6, 2]);
  });
});

describe('rewards [S2.13 S2.17 R10]', () => {
  test('the congratulation stays until it is closed: by its button or a press beside it', async () => {
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

test('when the session has ended, the cards stay and nothing can be done before the next sign-in', async () => {
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
