// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { getDailyDeck, type DailyCard } from '#shared/contract/daily-deck.ts';
import { recordEvent } from '#shared/contract/insights.ts';
import { getLeaderboard } from '#shared/contract/leaderboard.ts';
import { listPayments } from '#shared/contract/payments.ts';
import { getProject, listProjects, projectLeaderboard } from '#shared/contract/projects.ts';
import { listReviews } from '#shared/contract/reviews.ts';
import type { User } from '#shared/contract/types.ts';
import { getCalls, getStats, getVotingStatus, listVotes } from '#shared/contract/users.ts';
import { castVote, changeVote, getOwnVote, showResult, undoVote } from '#shared/contract/votes.ts';
import { announcement } from '../../lib/announce.ts';
import { LETTER_KEYS_KEY } from '../../lib/key-of.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { toasts } from '../../lib/toast.ts';
import {
  callsOf,
  dailyCardOf,
  dailyOf,
  historyVoteOf,
  ownVoteOf,
  projectOf,
  projectPageOf,
  reviewOf,
  statsOf,
  votingStatusOf,
  NOT_VOTED,
  countedVote,
  USER,
} from '../../testing/made-up.ts';
import { act, draw, pass, useTestPage } from '../../testing/screen.tsx';
import { lastVote } from '../../voting/last-vote.ts';
import { congratulation, reward } from '../../voting/reward.ts';
import { emptyDeck } from '../../deck/deck.ts';
import { deck } from './deck/vote.ts';
import { HomePage } from './home-page.tsx';

const server = useTestPage();
const feed = (...ids: number[]) => ids.map((id) => projectOf(id));
const later = (ms: number) => new Date(serverNow() + ms).toISOString();
const statusOf = (votes: number, periodEndsAt: string | null = later(3_600_000)) => votingStatusOf(votes, periodEndsAt);
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
  server().respond(getLeaderboard, { topVoters: [], currentUserRank: null, asOf: null, isInSteps: false });
  server().respond(projectLeaderboard, []);
  server().respond(listReviews, [], { total: 0 });
  server().respond(listPayments, [], { total: 0 });
  server().respond(listVotes, [], { total: 0 });
  server().respond(getDailyDeck, dailyOf());
  server().respond(getCalls, callsOf());
  server().respond(getOwnVote, ownVoteOf('bullish'));
  server().respond(showResult, ownVoteOf('bullish'));
  server().respond(castVote, countedVote(13, { votingStatus: statusOf(2) }));
  server().respond(undoVote, { userStats: statsOf(12), votingStatus: statusOf(1) });
});

async function open(): Promise<void> {
  draw(<HomePage />);
  await pass(300);
  // Parts that render some frames later call later.
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
const sent = () =>
  server()
    .calls(castVote)
    .map(({ body }) => body);

test('three cards follow the feed, and the top one has the texts and links of its project [S2.11 S2.12]', async () => {
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

test('each card on top counts a view, and its links count clicks [R50 S2.11 S2.12]', async () => {
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

test('arrow keys vote and skip with the focus in the deck or nowhere, and not when repeated or modified [R12 S2.11 S2.12]', async () => {
  await open();
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

test('an empty deck has no buttons to vote, and loads new projects on request [S2.14 S8.20 R11]', async () => {
  server().respond(listProjects, []);
  await open();
  expect(screen.getByText('All projects rated!')).toBeVisible();
  expect(cards()).toHaveAccessibleDescription('There is no card right now.');
  for (const name of ['Bullish', 'Bearish', 'Skip']) expect(screen.queryByRole('button', { name })).toBeNull();
  await pressKey('ArrowRight');
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

test('a full page that runs low loads more cards, and one that is not full does not [S2.14 R11]', async () => {
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

test('the limit disables the vote buttons, counts down, and reads the status at its end [S2.16 S9.4]', async () => {
  const endsAt = later(92_000);
  server().respond(getVotingStatus, statusOf(25, endsAt));
  await open();
  expect(screen.queryByRole('button', { name: 'Bullish' })).toBeNull();
  await press('Look at cards');
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
  // No poll is due; both countdowns share one call.
  await pass(1_500);
  expect(server().calls(getVotingStatus).length).toBe(asked + 1);
  expect(screen.getByText('25 votes left')).toBeVisible();
  expect(screen.getByText(/^Starts with your next vote, lasts 6 hours/)).toBeInTheDocument();
});

test('the congratulation closes by its button or a press beside it [S2.13 S2.17 R10]', async () => {
  await open();
  server().respond(castVote, countedVote(13, { congratulation: 1000 }));
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

const voterOf = (rank: number, totalVotes: number, user: User) => {
  const { id, username, walletAddress, avatarUrl } = user;
  const shown = { walletAddress, avatarUrl, totalVotes };
  return { ...shown, rank, name: username, user: { id, username, walletAddress, avatarUrl }, stats: { totalVotes } };
};

test('the panels beside the deck show each figure in its place [S2.15 S2.16 R85]', async () => {
  const other = { ...USER, id: 900, username: 'coral_reader', walletAddress: `0x${'ab'.repeat(32)}` };
  server().respond(getStats, {
    ...statsOf(41),
    bullishVotes: 26,
    bearishVotes: 15,
    bullishPercentage: 63,
    tokensEarned: 4_100,
    streak: 6,
  });
  server().respond(getVotingStatus, statusOf(16));
  server().respond(getLeaderboard, {
    topVoters: [voterOf(1, 500, other), voterOf(2, 41, USER)],
    currentUserRank: 17,
    asOf: '2026-11-25',
    isInSteps: true,
  });
  server().respond(
    projectLeaderboard,
    [91, 77, 52].map((bullishPercentage, at) => ({
      ...projectOf(at + 1, { totalVotes: 100 + at }),
      bullishPercentage,
      bullishVotes: bullishPercentage,
      bearishVotes: 100 + at - bullishPercentage,
      rank: at + 1,
      expired: false,
      now: null,
    })),
  );
  const reviews = [1, 2, 3, 4].map((id) => reviewOf(id));
  server().respond(listReviews, reviews, { total: 4 });
  await open();
  const stats = within(screen.getByRole('region', { name: 'Your Statistics' }));
  const figures = stats.getAllByRole('term').map((term) => term.parentElement?.textContent);
  expect(figures.slice(-4)).toEqual(['Total votes41', 'Bullish63%', 'Snaps earned4,100', 'Streak6 days']);
  expect(stats.getByText('Votes remaining').closest('[data-limit]')).toHaveTextContent(/remaining ?9/);
  const rowsOf = (name: string) =>
    within(screen.getByRole('region', { name }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  expect(rowsOf('Top Voters')).toEqual([
    expect.stringMatching(/^1.*coral_reader.*500\+ votes$/),
    expect.stringMatching(/^2.*\(you\).*41 votes$/),
  ]);
  expect(screen.getByText('Your rank')).toHaveTextContent(/#17$/);
  expect(screen.getByText('Other voters as of the end of 25 Nov 2026 (UTC)')).toBeVisible();
  expect(rowsOf('Project Reviews')).toEqual([1, 2, 3].map((id) => expect.stringMatching(`user${id}.*Word ${id}`)));
  expect(rowsOf('Top Projects')).toEqual([
    expect.stringMatching(/^1.*Project 1.*91% bullish.*100 votes/),
    expect.stringMatching(/^2.*Project 2.*77% bullish.*101 votes/),
    expect.stringMatching(/^3.*Project 3.*52% bullish.*102 votes/),
  ]);
});

test("the first vote of a day shows its streak, and when it ends in the reader's own time [R49]", async () => {
  server().respond(
    getDailyDeck,
    dailyOf(
      [1, 2, 3].map((id) => dailyCardOf(id)),
      { day: '2026-01-05' },
    ),
  );
  server().respond(getStats, { ...statsOf(12), currentStreak: 4, streak: 4 });
  const userStats = { ...statsOf(13), currentStreak: 5, streak: 5 };
  server().respond(castVote, { ...countedVote(13), userStats });
  await open();
  const clock = (iso: string) => new Date(iso).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const line = () => screen.getByText(/^Streak: vote again before/).textContent;
  expect(line()).toMatch(new RegExp(`before ${clock('2026-01-06T00:00:00Z')}$`));
  await press('Bullish');
  expect(screen.getByText('5-day streak')).toBeVisible();
  expect(announcement.get()).toBe('Voted bullish on Project 1, +10 Snaps. 5-day streak. Press Z to undo.');
  await press('Bullish');
  expect(screen.queryByText('5-day streak')).toBeNull();
  expect(announcement.get()).toBe('Voted bullish on Project 2, +10 Snaps. Press Z to undo.');
  await pass(1_000);
  expect(line()).toMatch(new RegExp(`before (Tue|Wed) ${clock('2026-01-07T00:00:00Z')}$`));
});

test('with no votes left only a card that asks about a vote can be answered [R57 R61]', async () => {
  server().respond(getVotingStatus, statusOf(25));
  server().respond(changeVote, { userStats: statsOf(12), votingStatus: statusOf(25), change: 'confirmed' });
  const asks = { kind: 'still_bullish', asksAbout: 'bullish' } as const;
  server().respond(getDailyDeck, dailyOf([dailyCardOf(9, asks), dailyCardOf(1)]));
  await open();
  expect(drawn()).toEqual(['0:9', '1:1', '2:2']);
  await press('Bullish');
  expect(server().calls(changeVote)).toHaveLength(1);
  await press('Look at cards');
  expect(drawn()[0]).toBe('0:1');
  expect(screen.getByRole('button', { name: 'Bullish' })).toHaveAttribute('aria-disabled', 'true');
  await pressKey('ArrowRight');
  expect(server().calls(castVote)).toEqual([]);
  expect(drawn()[0]).toBe('0:1');
});

test('Z undoes nothing before a vote, when repeated or modified, or in a text field [R46]', async () => {
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

const type = async (words: string) => {
  for (const letter of words.replaceAll(' ', '')) fireEvent.keyDown(document.body, { key: letter });
  await pass(400);
};

test('dictated letters skip and undo nothing once the letter keys are off, without storage too; arrows still vote [S2.12 R46]', async () => {
  await open();
  const letters = (state: string) => screen.getByRole('button', { name: `Z undo and S skip by letter: ${state}` });
  await type('is this safe');
  expect(drawn()[0]).toBe('0:4');
  fireEvent.click(letters('on'));
  expect(localStorage.getItem(LETTER_KEYS_KEY)).toBe('off');
  await pressKey('ArrowRight');
  expect(sent()).toMatchObject([{ projectId: 4 }]);
  await type('is this a zebra');
  expect(drawn()[0]).toBe('0:1');
  expect(server().calls(undoVote)).toEqual([]);
  localStorage.clear();
  cleanup();
  await open();
  fireEvent.click(letters('off'));
  expect(letters('on')).toBeInTheDocument();
});

const openAt = async (path: string) => {
  history.replaceState(null, '', path);
  await open();
  await pass(100);
};

test.each([
  ['voted', 'You have already voted on it'],
  ['own', "You can't vote on your own project"],
  ['expired', 'This listing has expired and takes no votes'],
] as const)('a link to a card that cannot be dealt shows the reason: %s [R48]', async (canVote, words) => {
  server().respond(getProject, projectPageOf(40));
  server().respond(getOwnVote, { ...NOT_VOTED, canVote });
  await openAt('/?card=project-40');
  expect(toasts.get()[0]).toMatchObject({ title: 'Project 40 is not in your deck', description: words });
  expect(drawn()[0]).toBe('0:1');
});

test('a link to a missing project shows an error [R48]', async () => {
  server().reject(getProject, 404, { error: 'project_not_found', message: 'Project not found' });
  await openAt('/?card=nothing');
  expect(toasts.get()[0]?.description).toBe('There is no such project.');
});

const voted = (id: number, voteType: 'bullish' | 'bearish' = 'bullish'): DailyCard =>
  dailyCardOf(id, { project: null, vote: { voteType, bullishCount: 3, bearishCount: 1 } });
const today = () => cards().querySelector('[data-today]')?.textContent;

test('the daily deck ends with its summary, and the feed follows [R49]', async () => {
  server().respond(getDailyDeck, dailyOf([dailyCardOf(1), dailyCardOf(2)]));
  await open();
  await press('Bullish');
  expect(screen.getByText('+10 TOKENS')).toBeVisible();
  expect(screen.queryByRole('region', { name: "Today's deck is done" })).toBeNull();
  server().respond(getDailyDeck, dailyOf([voted(1), voted(2, 'bearish'), voted(9)], { streak: 4 }));
  await press('Bullish');
  await pass(100);
  const summary = within(screen.getByRole('region', { name: "Today's deck is done" }));
  expect(summary.getByText('2 bullish, 1 bearish')).toBeVisible();
  expect(screen.queryByText('+10 TOKENS')).toBeNull();
  const link = { name: 'Your calls: 14 of 22 calls with the verified majority' };
  // The code of the line, then its read: on a busy machine each takes several turns.
  for (let turn = 0; turn < 100 && summary.queryByRole('link', link) === null; turn += 1) {
    await vi.dynamicImportSettled();
    await pass(100);
  }
  const calls = summary.getByRole('link', link);
  expect(calls).toHaveAttribute('href', '/portfolio#calls');
  expect(summary.getByText(/^4-day streak: vote again before/)).toBeVisible();
  expect(summary.getByRole('button', { name: 'Project 2 Bearish: 0 of 3 others voted like you' })).toBeVisible();
  expect(summary.getByRole('button', { name: 'Project 9 Bullish: 2 of 3 others voted like you' })).toBeVisible();
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

test('the strip of the day is filled from the left, in the order of the votes [R98]', async () => {
  server().respond(getDailyDeck, dailyOf([voted(9), ...[1, 2, 3, 4].map((id) => dailyCardOf(id))]));
  await open();
  const strip = () =>
    [...cards().querySelectorAll<HTMLElement>('[data-spot]')].map((spot) =>
      [
        spot.dataset['spot'],
        spot.querySelector<HTMLElement>('[data-stamp]')?.dataset['stamp'],
        spot.querySelector('img')?.getAttribute('src'),
      ]
        .filter(Boolean)
        .join(' '),
    );
  expect(strip()).toEqual(['voted bullish /images/9.webp', 'open', 'open', 'open', 'open']);
  await press('Skip');
  await press('Skip');
  await press('Bearish');
  expect(today()).toMatch(/^4 of 5 today/);
  await press('Bullish');
  expect(strip()).toEqual([
    'voted bullish /images/9.webp',
    'voted bearish /images/3.webp',
    'voted bullish /images/4.webp',
    'skipped',
    'skipped',
  ]);
});

test('the summary of the last card leads to the empty deck [R49 S2.14]', async () => {
  server().respond(listProjects, []);
  server().respond(getDailyDeck, dailyOf([voted(9)], { day: '2026-01-07' }));
  await open();
  expect(screen.getByRole('region', { name: "Today's deck is done" })).toBeVisible();
  await press('Close');
  expect(screen.getByText('All projects rated!')).toBeVisible();
  expect(screen.queryByRole('region', { name: "Today's deck is done" })).toBeNull();
});

test('calls that moved since the last visit are dealt over the deck, and go with the first key, once a day [R95]', async () => {
  HTMLElement.prototype.animate = () => ({ finished: Promise.resolve() }) as unknown as Animation;
  const call = {
    before: { bullish: 9, bearish: 9 },
    seen: { bullish: 60, bearish: 40 },
    now: { bullish: 48, bearish: 52 },
    isWithMajority: true,
  };
  const movedVotes = [31, 32, 33, 34].map((id) =>
    historyVoteOf(id, { call, changeableFrom: '2025-12-30T00:00:00.000Z' }),
  );
  server().respond(getCalls, callsOf({ since: '2025-12-28', moved: 6, movedVotes }));
  server().respond(getDailyDeck, dailyOf([dailyCardOf(1), dailyCardOf(2)], { day: '2026-01-09' }));
  const name = 'Since 28 Dec: 6 of your 41 calls moved';
  await open();
  for (let turn = 0; turn < 100 && screen.queryByRole('region', { name }) === null; turn += 1) {
    await vi.dynamicImportSettled();
    await pass(100);
  }
  const card = within(screen.getByRole('region', { name }));
  expect(announcement.get()).toContain(name);
  expect(card.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(
    [31, 32, 33].map((id) => `Project ${id}Changethen 60%now 48%`),
  );
  expect(card.getByRole('link', { name: 'Change your vote on Project 31' })).toHaveAttribute(
    'href',
    '/projects/project-31#change-vote',
  );
  await pressKey('ArrowRight');
  expect(screen.queryByRole('region', { name })).toBeNull();
  expect(sent()).toEqual([]);
  await pressKey('ArrowRight');
  expect(sent()).toHaveLength(1);
  cleanup();
  deck.set(emptyDeck(0));
  await open();
  expect(screen.queryByRole('region', { name })).toBeNull();
});

test('without a daily deck the feed is dealt [R49]', async () => {
  server().failSilently(getDailyDeck);
  await open();
  expect(drawn()).toEqual(['0:1', '1:2', '2:3']);
  expect(today()).toMatch(/^24 votes until/);
});

test('home polls each list at its own pace, and nothing in a hidden tab [S9.4 S7.10 S7.11]', async () => {
  await open();
  const counts = () =>
    [getStats, getVotingStatus, getLeaderboard, listReviews, projectLeaderboard].map(
      (one) => server().calls(one).length,
    );
  const before = counts();
  const since = () => counts().map((count, at) => count - (before[at] ?? 0));
  await pass(60_000);
  expect(since()).toEqual([12, 12, 2, 6, 2]);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await pass(60_000);
  expect(since()).toEqual([12, 12, 2, 6, 2]);
});
