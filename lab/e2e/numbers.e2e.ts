/** Each figure of a screen is in its place: all are different, so that no two can be mistaken for one another. */
import type { Locator, Page } from '@playwright/test';
import { getLeaderboard } from '#shared/contract/leaderboard.ts';
import { getProject, type listProjects, listWalletProjects, projectLeaderboard } from '#shared/contract/projects.ts';
import { listReviews } from '#shared/contract/reviews.ts';
import { getStats, getVotingStatus } from '#shared/contract/users.ts';
import type { ResponseOf } from '#shared/endpoint.ts';
import { expect, test, topCard, withoutFirstData } from './fixtures.ts';
import { ownResponse, respond, SHOWN } from './made-up.ts';
import { stopTime } from './still-time.ts';

const STATS = {
  tokenBalance: 1_230,
  totalVotes: 41,
  bullishVotes: 26,
  bearishVotes: 15,
  currentStreak: 6,
  bullishPercentage: 63,
  tokensEarned: 4_100,
  streak: 6,
};

const giveStats = (page: Page) => page.route('**/stats', (route) => respond(route, getStats, STATS));

const figure = (place: Locator, term: string): Locator =>
  place.locator('dl > div').filter({ has: place.page().getByText(term, { exact: true }) });

const voter = (rank: number, id: number, name: string | null, address: string, totalVotes: number) => {
  const user = { id, username: name, walletAddress: address, avatarUrl: null };
  return { rank, name, walletAddress: address, avatarUrl: null, totalVotes, user, stats: { totalVotes } };
};

test('the panels beside the deck show statistics, votes left, top voters, own rank, reviews and top projects [S2.15 S2.16 R85]', async ({
  page,
  newUser,
}) => {
  const me = await newUser();
  const other = `0x${'ab'.repeat(32)}`;
  const periodEndsAt = new Date(Date.now() + 7_200_000).toISOString();
  await giveStats(page);
  await page.route('**/voting-status', (route) =>
    respond(route, getVotingStatus, { votesRemaining: 9, totalVotes: 16, totalVotesAllowed: 25, periodEndsAt }),
  );
  await page.route('**/api/leaderboard?*', (route) =>
    respond(route, getLeaderboard, {
      topVoters: [voter(1, 900_001, 'coral_reader', other, 500), voter(2, me.id, null, me.address, 41)],
      currentUserRank: 17,
      asOf: '2026-11-25',
      isInSteps: true,
    }),
  );
  await page.route('**/api/projects/leaderboard/all?limit=3', async (route) => {
    const rows = await ownResponse(route, projectLeaderboard);
    const shares = [91, 77, 52].map((bullishPercentage, i) => ({
      bullishPercentage,
      totalVotes: 100 + i,
      rank: i + 1,
    }));
    await respond(
      route,
      projectLeaderboard,
      rows.map((row, i) => ({ ...row, slug: `top-${i + 1}`, name: `Top ${i + 1}`, ...shares[i] })),
    );
  });
  await page.route('**/reviews', (route) =>
    respond(
      route,
      listReviews,
      [1, 2, 3, 4].map((id) => ({
        id,
        content: `Opinion ${id}`,
        createdAt: new Date().toISOString(),
        user: { username: `reader_${id}`, walletAddress: other, avatarUrl: null },
        reply: null,
      })),
    ),
  );
  await withoutFirstData(page, '/');
  await page.goto('/');
  await expect(topCard(page)).toBeVisible();
  const stats = page.getByRole('region', { name: 'Your Statistics' });
  for (const [term, value] of [
    ['Total votes', '41'],
    ['Bullish', '63%'],
    ['Snaps earned', '4,100'],
    ['Streak', '6 days'],
  ] as const)
    await expect(figure(stats, term).locator('dd')).toHaveText(value);
  await expect(stats.getByRole('heading', { name: 'Votes remaining' }).locator('xpath=..')).toHaveText(
    /remaining\s*9$/,
  );
  await expect(stats.locator('time')).toHaveAttribute('datetime', periodEndsAt);
  await expect(page.getByText(/^9 votes until \d\d:\d\d$/)).toBeVisible();

  const voters = stats.getByRole('region', { name: 'Top Voters' });
  await expect(voters.getByRole('listitem')).toHaveText([
    /1.*coral_reader.*500\+ votes$/,
    new RegExp(`2.*${me.address.slice(0, 6)}\\.\\.\\.${me.address.slice(-4)} \\(you\\).*41 votes$`),
  ]);
  await expect(voters.getByText('Your rank')).toHaveText(/#17$/);
  await expect(voters.getByText('Other voters as of the end of 25 Nov 2026 (UTC)')).toBeVisible();

  const aside = page.getByRole('complementary', { name: 'Reviews and top projects' });
  const reviews = aside.getByRole('region', { name: 'Project Reviews' });
  await expect(reviews.getByRole('listitem')).toHaveText([
    /reader_1.*Opinion 1/,
    /reader_2.*Opinion 2/,
    /reader_3.*Opinion 3/,
  ]);
  const top = aside.getByRole('region', { name: 'Top Projects' }).getByRole('listitem');
  await expect(top).toHaveText([
    /1.*Top 1.*91% bullish.*100 votes/,
    /2.*Top 2.*77% bullish.*101 votes/,
    /3.*Top 3.*52% bullish.*102 votes/,
  ]);
  await expect(top.nth(1).getByRole('link')).toHaveAttribute('href', '/projects/top-2');
});

test('portfolio, own projects and profile show their figures [S2.25 S2.27 S2.29]', async ({ page, newUser }) => {
  await newUser();
  await giveStats(page);
  await page.route('**/api/projects/wallet/*', async (route) => {
    const listed = (await (await page.request.get('/api/projects')).json()) as ResponseOf<typeof listProjects>;
    const counts = { bullishCount: 83, bearishCount: 29, totalVotes: 112, ...SHOWN };
    await respond(
      route,
      listWalletProjects,
      listed.slice(0, 1).map((project) => ({ ...project, ...counts })),
    );
  });
  await page.goto('/portfolio');
  for (const [title, value] of [
    ['Total Tokens', '1,230'],
    ['Total Votes', '41'],
    ['Bullish Votes', '26'],
    ['Bearish Votes', '15'],
  ] as const) {
    const card = page.locator('.panel').filter({ has: page.getByRole('heading', { level: 2, name: title }) });
    await expect(card.locator('p').first()).toHaveText(value);
  }
  const own = page.getByRole('article').first();
  await expect(own.getByText('83 bullish')).toBeVisible();
  await expect(own.getByText('29 bearish')).toBeVisible();

  await page.goto('/profile');
  const stats = page.getByRole('region', { name: 'Your Statistics' });
  for (const [term, value] of [
    ['Total votes', '41'],
    ['Bullish', '63%'],
    ['Snaps', '1,230'],
    ['Streak', '6 days'],
  ] as const)
    await expect(figure(stats, term).locator('dd')).toHaveText(value);
});

test('the page of a project shows what the voters say, and its times advance without a reload [S2.33 S2.36 S4.6]', async ({
  page,
}) => {
  await page.clock.install();
  const user = { username: 'reader', walletAddress: `0x${'ab'.repeat(32)}`, avatarUrl: null };
  const review = { id: 1, content: 'Just now', createdAt: new Date().toISOString(), user, reply: null };
  await page.route('**/reviews', (route) => respond(route, listReviews, [review]));
  await page.route('**/api/projects/hexloom', async (route) => {
    const project = await ownResponse(route, getProject);
    const counts = { bullishCount: 83, bearishCount: 29, totalVotes: 112, bullishPercentage: 74 };
    await respond(route, getProject, { ...project, ...counts, verified: { bullish: 2, bearish: 1 }, now: null });
  });
  await withoutFirstData(page, '/projects/hexloom');
  await page.goto('/projects/hexloom');
  const votes = page.getByRole('region', { name: 'Votes' });
  await expect(votes.getByText('74%', { exact: true })).toBeVisible();
  await expect(votes.getByText('of 112 votes', { exact: true })).toBeVisible();
  await expect(votes.getByRole('listitem')).toHaveText(['83 Bullish', '29 Bearish']);
  const left = page.getByText(/^\d+d \d+h remaining$/);
  const before = await left.innerText();
  await expect(page.getByText(/^(less than a|1) minute ago$/)).toBeVisible();
  // No response may set the page's clock by the server's while it is moved, not even a pending one.
  await stopTime(page);
  await page.route('**/api/**', () => undefined);
  await page.clock.fastForward(3_600_000);
  await expect(left).not.toHaveText(before);
  await expect(page.getByText('about 1 hour ago')).toBeVisible();
});
