// @vitest-environment happy-dom
/** The voting home: cards, buttons and keys, votes left, rewards, the blocks beside the deck. */
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getDailyDeck } from '#shared/contract/daily-deck.ts';
import { getLeaderboard } from '#shared/contract/leaderboard.ts';
import { recordEvent } from '#shared/contract/insights.ts';
import { listPayments } from '#shared/contract/payments.ts';
import { type LeaderboardRow, listProjects, projectLeaderboard } from '#shared/contract/projects.ts';
import { listReviews } from '#shared/contract/reviews.ts';
import type { UserStats } from '#shared/contract/types.ts';
import { getStats, getVotingStatus, listVotes } from '#shared/contract/users.ts';
import { castVote, showResult } from '#shared/contract/votes.ts';
import { announcement } from '../../lib/announce.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { session } from '../../lib/session.ts';
import { ADDRESS, dailyOf, ownVoteOf, projectOf, STATS, TIME, USER, votingStatusOf } from '../../testing/made-up.ts';
import { act, draw, pass, useTestPage } from '../../testing/screen.tsx';
import { toasts } from '../../lib/toast.ts';
import { emptyDeck } from './deck/deck.ts';
import { HomePage } from './home-page.tsx';
import { congratulation, lastVote, reward } from '../../voting/last-vote.ts';
import { deck } from './deck/vote.ts';

const server = useTestPage();
const HOUR_MS = 3_600_000;
const later = (ms: number) => new Date(serverNow() + ms).toISOString();
const statusOf = (votes: number, periodEndsAt: string | null = later(HOUR_MS)) => votingStatusOf(votes, periodEndsAt);
const statsOf = (totalVotes: number): UserStats => ({ ...STATS, totalVotes });
const row = (id: number, changes: Partial<LeaderboardRow> = {}): LeaderboardRow => ({
  ...projectOf(id),
  bullishVotes: 3,
  bearishVotes: 1,
  bullishPercentage: 75,
  confidence: 0.5,
  expired: false,
  rank: id,
  ...changes,
});

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

/** A card that has counted as the `votes`-th vote. */
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
  // What is drawn some frames later asks later.
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

  test('counts a view of each card that comes to lie on top, and clicks on its links [R50]', async () => {
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

  test('fits the room below what stands above it', async () => {
    const main = document.body.appendChild(document.createElement('main'));
    main.id = 'main';
    vi.spyOn(main, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 90.4, 400, 600));
    await open();
    expect(cards().style.getPropertyValue('--deck-top')).toBe('90px');
    main.remove();
  });

  test('each button sends its own vote, lets the card fly to its side, and says so', async () => {
    await open();
    respondToVotes(1);
    await press('Bearish');
    expect(sent()).toEqual([{ userId: 7, projectId: 1, voteType: 'bearish', tokensEarned: 10 }]);
    expect(String(animated[0]?.frames.at(-1)?.['transform'])).toMatch(/^translate3d\(-/);
    expect(announcement.get()).toMatch(/^Voted bearish on Project 1, \+10 Snaps/);
    expect(drawn()).toEqual(['0:2', '1:3', '2:4']);
    expect(cards().querySelector('[data-leaving="bearish"]')).not.toBeNull();
    await act(async () => animated[0]?.end());
    expect(cards().querySelector('[data-leaving]')).toBeNull();
    respondToVotes(2);
    await press('Bullish');
    expect(sent()[1]).toMatchObject({ projectId: 2, voteType: 'bullish' });
    expect(String(animated[1]?.frames.at(-1)?.['transform'])).toMatch(/^translate3d\(\d/);
  });

  test('Skip moves the card to the back and sends nothing', async () => {
    await open();
    await press('Skip');
    expect(drawn()).toEqual(['0:2', '1:3', '2:4']);
    expect(deck.get().queue.map(({ id }) => id)).toEqual([2, 3, 4, 1]);
    expect(announcement.get()).toBe('Skipped Project 1');
    expect(animated[0]?.frames[0]).toEqual({ transform: 'none', opacity: 1 });
    expect(sent()).toEqual([]);
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

  test('a second vote within 300 ms is none [S5.2]', async () => {
    await open();
    respondToVotes(1);
    fireEvent.click(screen.getByRole('button', { name: 'Bullish' }));
    await pass(299);
    fireEvent.click(screen.getByRole('button', { name: 'Bullish' }));
    expect(sent()).toHaveLength(1);
    await pass(1);
    fireEvent.click(screen.getByRole('button', { name: 'Bullish' }));
    expect(sent()).toHaveLength(2);
    await pass(400);
  });

  /** Drags the card on top to the side by so many pixels. */
  async function swipe(px: number): Promise<string> {
    const card = cards().querySelector<HTMLElement>('[data-depth="0"]') as HTMLElement;
    card.setPointerCapture = () => undefined;
    const at = (x: number) => ({ pointerId: 1, isPrimary: true, button: 0, buttons: 1, clientX: x, clientY: 0 });
    fireEvent.pointerDown(card, at(0));
    fireEvent.pointerMove(card, at(px / 2));
    fireEvent.pointerMove(card, at(px));
    await pass(20);
    const { transform } = card.style;
    fireEvent.pointerUp(card, { ...at(px), buttons: 0 });
    await pass(400);
    return transform;
  }

  test('a swipe votes for its side, and the card flies on from where it was let go', async () => {
    await open();
    respondToVotes(1);
    expect(await swipe(-150)).toContain('translate3d(-150.0px');
    expect(sent()).toMatchObject([{ projectId: 1, voteType: 'bearish' }]);
    expect(animated[0]?.frames[0]).toMatchObject({ transform: expect.stringContaining('translate3d(-150.0px') });
  });

  test('without votes left the card resists a swipe', async () => {
    server().respond(getVotingStatus, statusOf(25));
    await open();
    expect(await swipe(150)).toContain('translate3d(45.0px');
    expect(sent()).toEqual([]);
    expect(drawn()[0]).toBe('0:1');
  });

  test('without motion cards only fade', async () => {
    vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
    await open();
    await press('Skip');
    expect(animated[0]?.frames).toEqual([{ opacity: 1 }, { opacity: 0 }]);
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

  test('a feed that cannot be read says so and can be read again', async () => {
    server().failSilently(listProjects);
    await open();
    expect(screen.getByRole('alert')).toHaveTextContent('Failed to fetch projects');
    server().respond(listProjects, feed(5));
    await press('Try again');
    expect(drawn()).toEqual(['0:5']);
    expect(screen.queryByRole('alert')).toBeNull();
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
  test('are counted on both places; the marks, the limit and the end of the period are shown', async () => {
    const endsAt = later(HOUR_MS);
    server().respond(getVotingStatus, statusOf(1, endsAt));
    await open();
    expect(screen.getByText('24 of 25 votes left')).toBeVisible();
    const panel = screen.getByRole('heading', { name: 'Votes remaining' }).closest('[data-limit]') as HTMLElement;
    expect(panel.dataset['limit']).toBe('open');
    expect(within(panel).getByText('24')).toBeVisible();
    expect(within(panel).getByText('25')).toBeVisible();
    expect(panel.querySelectorAll('.bg-accent')).toHaveLength(24);
    expect(panel.querySelector('time')).toHaveAttribute('datetime', endsAt);
  });

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
    expect(screen.getByText('25 of 25 votes left')).toBeVisible();
    expect(screen.getByText(/^It begins with your next vote and lasts 6 hours/)).toBeInTheDocument();
  });

  test('a status that cannot be read says so in both places and can be read again; an old one is marked as old', async () => {
    server().failSilently(getVotingStatus);
    await open();
    expect(screen.getAllByText('Failed to fetch voting status.')).toHaveLength(2);
    server().respond(getVotingStatus, statusOf(3));
    const [again] = screen.getAllByRole('button', { name: 'Try again' });
    fireEvent.click(again as HTMLElement);
    await pass(200);
    expect(screen.getByText('22 of 25 votes left')).toBeVisible();
    server().failSilently(getVotingStatus);
    await pass(5_100);
    expect(screen.getByText(/^Failed to fetch voting status\. These numbers may be out of date/)).toBeVisible();
    expect(screen.getByText('22 of 25 votes left')).toBeVisible();
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
  const popup = () => screen.queryByText('+10 TOKENS');

  test("'+10 TOKENS' shows for two seconds after each vote", async () => {
    await open();
    respondToVotes(1);
    fireEvent.click(screen.getByRole('button', { name: 'Bullish' }));
    await pass(100);
    expect(popup()).not.toBeNull();
    await pass(1_800);
    expect(popup()).not.toBeNull();
    await pass(300);
    expect(popup()).toBeNull();
    respondToVotes(2);
    await press('Bullish');
    expect(popup()).not.toBeNull();
    await pass(1_000);
    respondToVotes(3);
    await press('Bullish');
    // A newer one has its own two seconds.
    await pass(1_000);
    expect(popup()).not.toBeNull();
    await pass(1_000);
    expect(popup()).toBeNull();
  });

  test('the congratulation is a party for the eye: pieces of its own colors fly to all sides', async () => {
    await open();
    act(() => congratulation.set(1000));
    const pieces = [...document.querySelectorAll<HTMLElement>('dialog [aria-hidden] > span')];
    expect(pieces).toHaveLength(40);
    const ways = pieces.map(({ style }) =>
      ['--to-x', '--to-y'].map((name) => Number.parseFloat(style.getPropertyValue(name))),
    );
    for (const side of [0, 1]) {
      const to = ways.map((way) => way[side] ?? 0);
      expect(Math.min(...to)).toBeLessThan(-100);
      expect(Math.max(...to)).toBeGreaterThan(100);
    }
    const colors = pieces.map(({ className }) => /bg-\w+/.exec(className)?.[0]);
    expect(new Set(colors).size).toBe(5);
    expect(colors).not.toContain(undefined);
    act(() => congratulation.set(null));
  });

  test('a reward of an earlier visit is not shown again', async () => {
    reward.set({ id: 3, tokens: 10 });
    await open();
    expect(popup()).toBeNull();
  });

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

describe('beside the deck [S2.15 S2.16]', () => {
  test('statistics are those of the server', async () => {
    server().respond(getStats, { ...STATS, totalVotes: 1234, bullishPercentage: 75, tokensEarned: 12340, streak: 1 });
    await open();
    const panel = screen.getByRole('region', { name: 'Your Statistics' });
    const figure = (name: string) => within(panel).getByText(name).closest('div')?.querySelector('dd')?.textContent;
    expect(['Total votes', 'Bullish', 'Snaps earned', 'Streak'].map(figure)).toEqual([
      '1,234',
      '75%',
      '12,340',
      '1 day',
    ]);
    server().failSilently(getStats);
    await pass(5_100);
    expect(within(panel).getByText(/^Failed to fetch user stats\. These numbers/)).toBeVisible();
  });

  test('top voters with their votes, the own one marked, and the own rank', async () => {
    const voter = (rank: number, id: number, username: string | null) => ({
      rank,
      name: username,
      walletAddress: ADDRESS,
      avatarUrl: null,
      totalVotes: 2000 - rank,
      user: { id, username, walletAddress: ADDRESS, avatarUrl: null },
      stats: { totalVotes: 2000 - rank },
    });
    server().respond(getLeaderboard, { topVoters: [voter(1, 3, 'ana'), voter(2, USER.id, null)], currentUserRank: 2 });
    await open();
    const panel = within(screen.getByRole('region', { name: 'Top Voters' }));
    const [first, second] = panel.getAllByRole('listitem');
    expect(first).toHaveTextContent(/ana1,999/);
    expect(second).toHaveTextContent(/0x1200\.\.\.cdef \(you\)1,998/);
    expect(first?.textContent).not.toContain('you');
    expect([first, second].map((item) => item?.classList.contains('bg-accent-soft'))).toEqual([false, true]);
    expect(panel.getByTitle('0x1200...cdef (you)')).toBeVisible();
    expect(panel.getByTitle('ana')).toBeVisible();
    expect(panel.getByText('#2')).toBeVisible();
    expect(server().calls(getLeaderboard)[0]?.query).toEqual({ userId: '7' });
  });

  test('without a rank there is a dash; a list that fails says so', async () => {
    await open();
    expect(screen.getByText('–', { selector: '.display' })).toBeVisible();
  });

  test('a list that fails says so in its place', async () => {
    server().failSilently(getLeaderboard);
    server().failSilently(projectLeaderboard);
    server().failSilently(listReviews);
    await open();
    expect(screen.getByText('Failed to fetch leaderboard')).toBeVisible();
    expect(screen.getByText('Failed to fetch top projects')).toBeVisible();
    expect(screen.getByText('Failed to fetch reviews')).toBeVisible();
    // Nothing is on its way any longer.
    for (const name of ['Top Voters', 'Top Projects', 'Project Reviews'])
      expect(screen.getByRole('region', { name }).querySelector('.shimmer')).toBeNull();
  });

  test('a list that is on its way is drawn in outline', async () => {
    const never = () => new Promise<never>(() => undefined);
    server().respond(getLeaderboard, never);
    server().respond(projectLeaderboard, never);
    server().respond(listReviews, never);
    await open();
    for (const name of ['Top Voters', 'Top Projects', 'Project Reviews'])
      expect(screen.getByRole('region', { name }).querySelector('.shimmer')).not.toBeNull();
  });

  test('the first projects with their share, and those without votes', async () => {
    server().respond(projectLeaderboard, [row(1, { totalVotes: 4 }), row(2, { totalVotes: 0, bullishPercentage: 0 })]);
    await open();
    const panel = within(screen.getByRole('region', { name: 'Top Projects' }));
    const [first, second] = panel.getAllByRole('listitem');
    expect(first).toHaveTextContent(/Project 175% bullish·4 votes/);
    expect(second).toHaveTextContent('No votes yet');
    expect(within(first as HTMLElement).getByRole('link')).toHaveAttribute('href', '/projects/project-1');
    expect(panel.getByRole('link', { name: 'View Full Leaderboard' })).toHaveAttribute('href', '/leaderboard');
    expect(server().calls(projectLeaderboard)[0]?.query).toEqual({ limit: '3' });
  });

  test('reviews follow the card on top', async () => {
    const review = (id: number, content: string) => ({
      id,
      content,
      createdAt: TIME,
      user: { username: 'ana', walletAddress: ADDRESS, avatarUrl: null },
      reply: null,
    });
    server().respond(listReviews, ({ params }) =>
      params['id'] === '1' ? [1, 2, 3, 4, 5, 6].map((id) => review(id, `Word ${id}`)) : [],
    );
    await open();
    const panel = within(screen.getByRole('region', { name: 'Project Reviews' }));
    const texts = panel.getAllByRole('listitem').map(({ textContent }) => /Word \d/.exec(textContent)?.[0]);
    expect(texts).toEqual(['Word 1', 'Word 2', 'Word 3']);
    await press('Skip');
    expect(panel.getByText('No reviews for this project yet')).toBeVisible();
  });

  test('without a card the reviews say where they would be', async () => {
    server().respond(listProjects, []);
    await open();
    expect(screen.getByText('Reviews of the current project appear here')).toBeVisible();
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
