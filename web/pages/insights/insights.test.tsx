// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { getInsights, type Insights } from '#shared/contract/insights.ts';
import { listPayments } from '#shared/contract/payments.ts';
import { renewProject } from '#shared/contract/projects.ts';
import { dayText } from '#shared/text/day-text.ts';
import { queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session.ts';
import { ADMIN, projectOf, reasonsOf, STATS, USER } from '../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../testing/screen.tsx';
import { InsightsPage } from './insights-page.tsx';

const server = useTestPage();
const DAY_MS = 86_400_000;
const TODAY_MS = Date.UTC(2026, 2, 31);
const day = (daysAgo: number): string => new Date(TODAY_MS - daysAgo * DAY_MS).toISOString().slice(0, 10);
const NO_VOTERS = { bullish: 0, bearish: 0, verifiedBullish: null, verifiedBearish: null };
const NO_VIEWS = { deck: 0, page: 0, badge: 0, embed: 0, link: 0 };

const project = projectOf(1, {
  submittedBy: USER.walletAddress,
  bullishCount: 30,
  bearishCount: 10,
  totalVotes: 40,
  verified: { bullish: 18, bearish: 2 },
  figuresOn: day(1),
  expiresAt: new Date(Date.now() + 20 * DAY_MS).toISOString(),
});
const FULL: Insights = {
  project: { ...project, hidden: false, now: null },
  since: day(60),
  today: day(0),
  before: NO_VOTERS,
  events: [
    { day: day(40), views: { ...NO_VIEWS, page: 900 }, clicks: 1, shares: 1 },
    { day: day(9), views: { ...NO_VIEWS, deck: 50 }, clicks: 10, shares: 0 },
    { day: day(2), views: { ...NO_VIEWS, deck: 60, badge: 30, link: 10 }, clicks: 5, shares: 3 },
  ],
  votes: [
    {
      day: day(9),
      bullish: 10,
      bearish: 10,
      votes: 20,
      turnedBullish: 0,
      turnedBearish: 0,
      verifiedBullish: null,
      verifiedBearish: null,
    },
    {
      day: day(2),
      bullish: 30,
      bearish: 10,
      votes: 20,
      turnedBullish: 0,
      turnedBearish: 0,
      verifiedBullish: 18,
      verifiedBearish: 2,
    },
  ],
  reasons: [],
  changes: [
    { at: `${day(59)}T08:00:00.000Z`, what: ['picture'], name: null },
    { at: `${day(5)}T12:00:00.000Z`, what: ['name'], name: 'Quiet Frog' },
  ],
  place: { place: 3, of: 12 },
  medians: { listings: 12, votes: 15, views: 119.5, clicks: 0, shares: 2, share: 71 },
};
const EMPTY: Insights = {
  project: {
    ...projectOf(1, { submittedBy: USER.walletAddress, expiresAt: project.expiresAt }),
    hidden: false,
    now: null,
  },
  since: day(0),
  today: day(0),
  before: NO_VOTERS,
  events: [],
  votes: [],
  reasons: [],
  changes: [],
  place: null,
  medians: null,
};

function drawInsights(path = '/projects/project-1/insights'): void {
  history.replaceState(null, '', path);
  draw(<InsightsPage />);
}
async function open(insights: Insights, path?: string) {
  server().respond(getInsights, insights);
  const user = userEvent.setup();
  drawInsights(path);
  await screen.findByRole('heading', { level: 1, name: 'Insights' });
  return user;
}
/** Each line of the sums: 'Views100 +100% vs. before'. */
const lines = (title: string) =>
  within(screen.getByRole('region', { name: title }))
    .getAllByRole('row')
    .map(({ textContent }) => textContent);

test('insights show what closed days of a range brought, then and now, without zeros, and the address keeps the range [R50 R96 R94]', async () => {
  const today = { day: day(0), views: { ...NO_VIEWS, page: 7_000 }, clicks: 9, shares: 9 };
  const user = await open({ ...FULL, events: [...FULL.events, today] }, '/projects/project-1/insights?days=7');
  expect(lines('Your week')).toEqual([
    'Figure7 days up to 30 Mar 2026',
    'Bullish50% → 90% of 20 votes, now of 20 verified votes',
    'Votes+20 20 → 40 voters · ±0% vs. before',
    'Views100 +100% vs. before',
    'Link clicks5 5.0% of views · −50% vs. before',
    'Shares3 3.0% of views · new vs. before',
    'Verified20 of 40 votes',
    'Place3 of 12 in DeFi, by verified votes',
  ]);
  await user.click(screen.getByRole('radio', { name: 'All' }));
  expect(lines('All days')[3]).toBe('Views1,050 ');
  expect(location.search).toBe('?days=all');
  expect(document.title).toContain('Insights · ');
});

test("a month stands beside the category's medians, and says what is missing for a place [R96]", async () => {
  const before = { bullish: 9, bearish: 3, verifiedBullish: 9, verifiedBearish: 3 };
  const now = { bullish: 9, bearish: 2 };
  await open({
    ...FULL,
    before,
    events: FULL.events.slice(0, 2),
    place: null,
    project: { ...FULL.project, now, rankVotes: 4 },
  });
  expect(lines('Your month')).toEqual([
    'Figure30 days up to 30 Mar 2026Median',
    'Bullish75% → 90% of 12, now 20 verified votes71%',
    'Votes+40 12 → 40 voters · new vs. before15',
    'Views50 −94% vs. before120',
    'Link clicks10 20% of views · +900% vs. before',
    'Verified20 of 40 votes',
  ]);
  expect(screen.getByText(/^Median: of 12 listings in DeFi/)).toHaveTextContent(
    'A place takes 10 verified votes: 4 so far. Votes of the last 30 days: 82% of 11.',
  );
});

test('insights of a listing without views and votes have no card of zeros, and say when verified figures begin [R96 R92]', async () => {
  await open(EMPTY);
  expect(screen.getByText(/^No views and no votes yet/)).toHaveTextContent(/8 to 14 days after it signs in\.$/);
  for (const name of ['Your month', 'Day by day', 'Where views come from'])
    expect(screen.queryByRole('region', { name })).toBeNull();
});

const endsIn = (days: number): Insights => ({
  ...FULL,
  project: { ...FULL.project, expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() },
});
const renewButton = () => screen.queryByRole('button', { name: /^Renew/ });

test.each([
  ['in its last ten days', 9.9, '', 'Renew (15 SUI)'],
  ['when the owner asks', 20, '?renew', 'Renew (15 SUI)'],
  ['after its end', -1, '', 'Renew for 31 Days (15 SUI)'],
])(
  'the month says what the next days add and offers to renew the listing %s [R96 S2.30]',
  async (_when, days, query, label) => {
    server().respond(listPayments, []);
    await open(endsIn(days), `/projects/project-1/insights${query}`);
    expect(renewButton()).toHaveTextContent(label);
    expect(screen.getByRole('region', { name: 'The next 31 days' })).toHaveTextContent(
      /Everybody is asked again: 40 earlier voters, and all who are new\./,
    );
  },
);

test('the month of a hidden listing, of another owner, or more than ten days before the end offers no renewal [R96]', async () => {
  const { project: ending } = endsIn(1);
  for (const shown of [
    endsIn(10.1).project,
    { ...ending, hidden: true },
    { ...ending, submittedBy: `0x${'b'.repeat(64)}` },
  ]) {
    await open({ ...FULL, project: shown });
    expect(renewButton()).toBeNull();
    cleanup();
    queryClient.clear();
  }
});

test('the admin renews an own listing without a wallet, and the month shows its new end [R96 S6.3]', async () => {
  session.signedIn({ user: ADMIN, stats: STATS });
  server().respond(listPayments, []);
  const { project: ending } = endsIn(1);
  const own = { ...ending, submittedBy: ADMIN.walletAddress };
  const user = await open({ ...FULL, project: own }, '/projects/project-1/insights?renew');
  server().respond(renewProject, projectOf(1, { submittedBy: ADMIN.walletAddress }));
  server().respond(getInsights, { ...FULL, project: { ...own, expiresAt: endsIn(32).project.expiresAt } });
  await user.click(screen.getByRole('button', { name: 'Renew (FREE)' }));
  expect(await toastShown()).toMatchObject({ title: 'Project renewed!' });
  await waitFor(() => expect(renewButton()).toBeNull());
  expect(server().calls(renewProject)).toHaveLength(1);
});

test('insights show the newest reasons of each group and direction, and earlier weeks when asked for [R89 R50]', async () => {
  const reasons = [
    reasonsOf({ day: day(9), voters: 30 }),
    reasonsOf({ day: day(9), group: 'others', voters: 20 }),
    reasonsOf({ day: day(2) }),
  ];
  const user = await open({ ...FULL, reasons });
  const shown = screen.getByRole('region', { name: 'Why' });
  const samples = within(shown).getAllByText(/^Of /);
  expect(samples.map(({ textContent }) => textContent)).toEqual([
    'Of 41 verified voters, 29 Mar 2026',
    'Of 20 other voters, 22 Mar 2026',
    'Of 30 verified voters, 22 Mar 2026',
  ]);
  expect(samples.at(-1)).not.toBeVisible();
  await user.click(within(shown).getByText('Earlier weeks'));
  expect(samples.at(-1)).toBeVisible();
  cleanup();
  queryClient.clear();
  await open(EMPTY);
  expect(screen.queryByRole('region', { name: 'Why' })).toBeNull();
});

test('insights show how the share moved after a change of identity [R60 R50]', async () => {
  await open(FULL);
  const moves = within(screen.getByRole('region', { name: 'Share after each change' })).getAllByRole('listitem');
  expect(moves.map((move) => move.textContent)).toEqual([
    '26 Mar 2026: it was renamed from Quiet Frog50% of 20 before · 75% of 40 afterlikely 30–70% before, 60–86% after',
  ]);
  cleanup();
  queryClient.clear();
  await open(EMPTY);
  expect(screen.queryByText('Share after each change')).toBeNull();
});

test('insights tell votes by new voters from votes by returning ones [R50]', async () => {
  const [early, late] = FULL.votes;
  if (!early || !late) throw new Error('no days');
  const user = await open({ ...FULL, votes: [early, { ...late, votes: 26 }] }, '/projects/project-1/insights?days=7');
  expect(screen.getByText(/^20 votes by new voters, 6 by returning voters\./)).toBeVisible();
  await user.click(screen.getAllByText('Show the 7 days as a table')[1] as HTMLElement);
  const table = await screen.findByRole('region', { name: 'Votes by day, as a table' });
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Day', 'New voters', 'Returning voters']);
  expect(within(table).getByRole('row', { name: new RegExp(dayText(day(2))) })).toHaveTextContent(/20.*6$/);
});

test('insights list sources by views, and the CSV [R50]', async () => {
  await open(FULL, '/projects/project-1/insights?days=7');
  const sources = within(screen.getByRole('region', { name: 'Where views come from' })).getAllByRole('listitem');
  expect(sources.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Deck60 · 60%'),
    expect.stringContaining('Badge30 · 30%'),
    expect.stringContaining('Shared link10 · 10%'),
  ]);
  expect(screen.getByRole('link', { name: 'All days (CSV)' })).toHaveAttribute('href', '/api/projects/1/insights.csv');
});

test('a badge by coin type is offered when the catalogue or a moderator set the coin [R74]', async () => {
  const coinType = `0x${'a'.repeat(64)}::coin::COIN<0x2::sui::SUI>`;
  const withCoin = (coinSource: 'lister' | 'moderator'): Insights => ({
    ...FULL,
    project: { ...FULL.project, coinType, listing: { ...FULL.project.listing, coinSource } },
  });
  await open(withCoin('moderator'));
  const snippet = screen.getByRole<HTMLInputElement>('textbox', { name: 'HTML by coin type' }).value;
  expect(snippet).toContain(`/badge/coin/0x${'a'.repeat(64)}::coin::COIN%3C0x2::sui::SUI%3E.svg"`);
  cleanup();
  queryClient.clear();
  await open(withCoin('lister'));
  expect(screen.queryByRole('textbox', { name: 'HTML by coin type' })).toBeNull();
});

test('a new listing is celebrated for a day [R50]', async () => {
  const listed = (agoMs: number): Insights => ({
    ...FULL,
    project: { ...FULL.project, createdAt: new Date(Date.now() - agoMs).toISOString() },
  });
  await open(listed(DAY_MS / 24));
  expect(screen.getByRole('region', { name: 'Your project is live!' })).toBeVisible();
  cleanup();
  queryClient.clear();
  await open(listed(2 * DAY_MS));
  expect(screen.queryByRole('region', { name: 'Your project is live!' })).toBeNull();
});
test('the link of the activity list celebrates the listing once [R50]', async () => {
  await open(FULL, '/projects/project-1/insights?welcome');
  expect(screen.getByRole('region', { name: 'Your project is live!' })).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: '7 days' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Your project is live!' })).toBeNull());
});

test('insights are closed to a user of another wallet [R50]', async () => {
  server().reject(getInsights, 403, {
    error: 'not_owner',
    message: 'Only the owner of the project sees its insights',
  });
  drawInsights();
  expect(await screen.findByRole('heading', { name: 'For the owner only' })).toBeVisible();
});
