// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getProject } from '#shared/contract/projects.ts';
import { recordEvent } from '#shared/contract/insights.ts';
import { listReviews, postReview } from '#shared/contract/reviews.ts';
import { getStanding } from '#shared/contract/standing.ts';
import { getProjectTrend, listSimilar } from '#shared/contract/trends.ts';
import { VERIFIED_BEGINS } from '#shared/figures/when-counts.ts';
import { bullishPercentage } from '#shared/rules.ts';
import { getStats, getVotingStatus } from '#shared/contract/users.ts';
import { getOwnVote } from '#shared/contract/votes.ts';
import { queries, queryClient } from '../../lib/queries.ts';
import { refreshAfterOrder } from '../../payments/refresh.ts';
import { session } from '../../lib/session.ts';
import {
  ADDRESS,
  lastVoteOf,
  NOT_VOTED,
  ownVoteOf,
  projectPageOf,
  reasonsOf,
  reviewOf,
  STATS,
  USER,
  votingStatusOf,
  standingOf,
} from '../../testing/made-up.ts';
import { act, draw, useTestPage, toastShown } from '../../testing/screen.tsx';
import { lastVote, update } from '../../voting/last-vote.ts';
import { ProjectPage } from './project-page.tsx';
import type { ProjectView } from './project-view.ts';

const server = useTestPage();
const RICH = { ...STATS, tokenBalance: 12_000 };
const PROJECT = projectPageOf(1, {
  bullishCount: 3,
  bearishCount: 1,
  totalVotes: 4,
  website: 'https://tradeport.xyz/p',
  bullishPercentage: 75,
});
beforeEach(() => {
  session.signedIn({ user: USER, stats: RICH });
  server().respond(getProject, PROJECT);
  server().respond(getStats, RICH);
  server().respond(getOwnVote, NOT_VOTED);
  server().respond(getVotingStatus, votingStatusOf(0, null));
  server().respond(listReviews, [reviewOf(2), reviewOf(1)], { total: 2 });
  server().respond(getProjectTrend, { days: [], figuresOn: null });
  server().respond(listSimilar, []);
});

function drawProject(path = '/projects/project-1'): void {
  history.replaceState(null, '', path);
  draw(<ProjectPage />);
}

async function open(path?: string) {
  const user = userEvent.setup();
  drawProject(path);
  await screen.findByRole('heading', { level: 1 });
  return user;
}

test('only owner and admin see the link to the insights [R50]', async () => {
  const find = () => screen.queryByRole('link', { name: /^(?:Insights|Your month)$/ });
  await open();
  expect(find()).toBeNull();
  cleanup();
  queryClient.clear();
  server().respond(getProject, { ...PROJECT, submittedBy: USER.walletAddress });
  await open();
  expect(find()).toHaveAttribute('href', '/projects/project-1/insights');
});

const listing = (changes: Partial<ProjectView['listing']>) => {
  server().respond(getProject, { ...PROJECT, listing: { ...PROJECT.listing, ...changes } });
  drawProject();
  return screen.findByText(/^(Paid|Free) listing|^Catalogue/);
};

test('a listing shows its source, lister and date, and that ownership is not proven [R70]', async () => {
  const line = await listing({ source: 'paid' });
  expect(line.textContent).toBe('Paid listing by 0x0000...0000 since 1 Jan 2026 · Ownership not proven');
});

test('a listing shows proven, lost, accepted and unclaimed ownership [R70 R71]', async () => {
  const texts = {
    proven: 'Ownership proven',
    lost: 'Ownership no longer proven',
    accepted: 'Ownership accepted by the admin',
    unclaimed: 'Unclaimed',
  } as const;
  for (const [ownership, text] of Object.entries(texts)) {
    const line = await listing({ source: 'catalogue', ownership: ownership as keyof typeof texts });
    expect(line.textContent).toBe(`Catalogue since 1 Jan 2026 · ${text}`);
    cleanup();
    queryClient.clear();
  }
});

describe('figures that are counted for the owner [R50]', () => {
  const stay = (event: Event) => event.preventDefault();
  const clicks = ['click', 'auxclick'];
  beforeEach(() => {
    for (const type of clicks) document.addEventListener(type, stay);
  });
  afterEach(() => {
    for (const type of clicks) document.removeEventListener(type, stay);
  });
  const counted = () =>
    server()
      .calls(recordEvent)
      .map(({ params, body }) => ({ ...params, ...(body as object) }));

  test('a shared link counts one view for each project, and clicks on its links', async () => {
    const user = await open('/projects/project-1?from=link');
    for (const name of [/Twitter/, /Launchpad/]) await user.click(screen.getByRole('link', { name }));
    await user.pointer({ keys: '[MouseMiddle]', target: screen.getByRole('link', { name: /Twitter/ }) });
    const click = { id: '1', kind: 'click', source: 'link' };
    await waitFor(() => expect(counted()).toEqual([{ id: '1', kind: 'view', source: 'link' }, click, click, click]));
  });
  test('a page without a shared link counts one view without a source', async () => {
    const user = await open();
    await act(() => queryClient.refetchQueries());
    await user.click(screen.getByRole('link', { name: /Twitter/ }));
    await waitFor(() =>
      expect(counted()).toEqual([
        { id: '1', kind: 'view', source: 'page' },
        { id: '1', kind: 'click', source: 'page' },
      ]),
    );
  });
  test('views by the owner and of a hidden project do not count', async () => {
    server().respond(getProject, { ...PROJECT, submittedBy: USER.walletAddress });
    const user = await open();
    await user.click(screen.getByRole('link', { name: /Twitter/ }));
    cleanup();
    queryClient.clear();
    server().respond(getProject, { ...PROJECT, hidden: true });
    await open();
    cleanup();
    queryClient.clear();
    server().respond(getProject, { ...PROJECT, id: 2 });
    await open();
    await waitFor(() => expect(counted()).toEqual([{ id: '2', kind: 'view', source: 'page' }]));
  });
});

const drawWith = async (changes: Partial<ProjectView>) => {
  server().respond(getProject, { ...PROJECT, ...changes });
  await open();
  return screen.getByRole('region', { name: 'Votes' });
};
const many = { bullishCount: 60, bearishCount: 26, totalVotes: 86 };

const NUMBERS = /[\d.,]+(?:–[\d.,]+)?/g;
/** Numbers beside the percentage before anything is pressed, without the day and the counts of S2.33. */
const numbersBeside = (votes: HTMLElement) => {
  const [beforeCounts = ''] = (votes.textContent ?? '').split(/\d+ Bullish/);
  return beforeCounts
    .replace(/last 30 days|as of .*/g, '')
    .match(NUMBERS)
    ?.slice(1);
};
const now = { bullish: 2, bearish: 9 };

test('the share of ten verified votes comes first, with its day and four numbers at most beside it [R44 R58 R94]', async () => {
  const votes = await drawWith({ ...many, verified: { bullish: 4, bearish: 6 }, now });
  expect(votes).toHaveTextContent(
    /^40% bullish of 10 verified votes\s*likely 17–69% 70% of all votes last 30 days: 18% as of 21 Nov 2026\s*60 Bullish\s*26 Bearish/,
  );
  expect(numbersBeside(votes)).toEqual(['10', '17–69', '70', '18']);
  // For machines: docs/use/verify.md.
  expect(votes.querySelector('data[itemprop="share"]')).toHaveAttribute('value', '40% bullish of 10 verified votes');
});
test('below ten verified votes the share of all comes first, with the number of verified ones beside it [R44]', async () => {
  const votes = await drawWith({ ...many, verified: { bullish: 3, bearish: 6 }, now });
  expect(votes).toHaveTextContent(/^70% bullish of 86 votes\s*likely 59–78% 9 verified last 30 days: 18%/);
  expect(numbersBeside(votes)).toEqual(['86', '59–78', '9', '18']);
});
test("'How we know' has every other figure of the share, and what it costs to change it [R44 R58]", async () => {
  const nextAbove = { id: 2, slug: 'above', name: 'Above', verified: { bullish: 20, bearish: 2 }, votesToRank: 0 };
  const votes = await drawWith({ ...many, verified: { bullish: 9, bearish: 3 }, now, nextAbove });
  const first = within(votes).getByText(/^To flip it:/);
  expect(first).not.toBeVisible();
  await userEvent.setup().click(within(votes).getByText('How we know'));
  expect(first).toBeVisible();
  for (const words of [
    '75% bullish of 12 verified votes, 70% of all 86 votes.',
    'Given, changed or confirmed in the last 30 days: 18% of 11, likely 5–48%.',
    'To flip it: 7 more verified wallets, 6 SUI held for weeks (not spent).',
    'To pass Above, the next in Verified: 5 more verified wallets, 5 SUI held.',
    'Each wallet holds its SUI on 6 days of each of 5 weeks to verify a vote for good. ' +
      'One coin serves one wallet at a time, or 6 coins 7 wallets.',
  ])
    expect(votes).toHaveTextContent(words);
  // A verifier asks where any other percentage comes from.
  const percents = new Set(votes.textContent?.match(/\d+(?:–\d+)?%/g));
  const shares = ['75%', '47–91%', '70%', '18%', '5–48%'];
  expect([...percents].toSorted()).toEqual(shares.toSorted());
  expect(within(votes).getByRole('link', { name: 'Above' })).toHaveAttribute('href', '/projects/above');
  expect(within(votes).getByRole('link', { name: 'Verified' })).toHaveAttribute('href', '/leaderboard?sort=verified');
  expect(within(votes).getByRole('link', { name: 'How votes are checked' })).toHaveAttribute('href', '/trust');
});
test('a listing without verified votes says when its verified figures begin [R92 R94]', async () => {
  const votes = await drawWith({ ...many, verified: { bullish: 0, bearish: 0 } });
  expect(within(votes).getByText(VERIFIED_BEGINS)).toBeVisible();
  expect(votes).not.toHaveTextContent('To flip it');
});
test('a share just below half reads 49% and names what lifts it to 50% [R44]', async () => {
  const counts = { bullish: 99, bearish: 101 };
  const votes = await drawWith({
    bullishCount: 99,
    bearishCount: 101,
    totalVotes: 200,
    bullishPercentage: bullishPercentage(99, 101),
    verified: counts,
  });
  expect(votes).toHaveTextContent('49% bullish');
  expect(votes).toHaveTextContent('49% of all votes');
  expect(votes).toHaveTextContent('To flip it: 2 more verified wallets, 2 SUI held for weeks (not spent).');
  expect(votes).not.toHaveTextContent('50% bullish');
});
test('a project without votes shows no evidence and no cost, and invites a visitor to be the first [R44]', async () => {
  const none = { bullishCount: 0, bearishCount: 0, totalVotes: 0 };
  expect((await drawWith(none)).textContent).toBe(`No votes yet0 Bullish0 Bearish${VERIFIED_BEGINS}`);
  cleanup();
  queryClient.clear();
  session.drawAs(undefined);
  const votes = await drawWith({ ...none, expiresAt: new Date(Date.now() + 86_400_000).toISOString() });
  expect(votes.textContent).toBe(`No votes yetBe the first: +10 Snaps0 Bullish0 Bearish${VERIFIED_BEGINS}`);
});

const reasons = [
  reasonsOf({ direction: 'bullish', voters: 12, team: 8, token: 0, risk: 0, community: 0, product: 6 }),
  reasonsOf(),
  reasonsOf({ group: 'others', voters: 20, day: '2026-03-22' }),
];
const why = () => screen.queryByRole('region', { name: 'Why' });

test('a voter whose vote is final sees why others voted, with the voters and the day of each figure [R89]', async () => {
  server().respond(getOwnVote, ownVoteOf('bullish'));
  server().respond(getProject, { ...PROJECT, reasons });
  await open();
  const shown = await screen.findByRole('region', { name: 'Why' });
  expect(shown).toHaveTextContent(
    'WhyBullishTeam67%Product50%Of 12 verified voters, 29 Mar 2026' +
      'BearishToken41%Community29%Team22%Risk10%Of 41 verified voters, 29 Mar 2026Other voters' +
      'BearishToken85%Community60%Team45%Risk20%Of 20 other voters, 22 Mar 2026',
  );
  const other = within(shown).getByText(/^Of 20/);
  expect(other).not.toBeVisible();
  await userEvent.setup().click(within(shown).getByText('Other voters'));
  expect(other).toBeVisible();
  const widths = [...shown.querySelectorAll<HTMLElement>('.bg-bull')].map(({ style }) => style.width);
  expect(widths).toEqual(['67%', '50%']);
  expect(within(shown).getByRole('link')).toHaveAttribute('href', '/trust');
});
test('reasons are hidden from a voter until their own vote is final [R89 R59]', async () => {
  server().respond(getProject, { ...PROJECT, reasons, expiresAt: new Date(Date.now() + 86_400_000).toISOString() });
  await open();
  expect(why()).toBeNull();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Bullish' })).not.toHaveAttribute('aria-disabled'));
  expect(why()).toBeNull();
  act(() => lastVote.set(lastVoteOf({ project: PROJECT, isCounted: false })));
  expect(await screen.findByText(/^You voted/)).toBeVisible();
  expect(why()).toBeNull();
  act(() => void queryClient.setQueryData(queries.ownVote(USER.id, 1).queryKey, ownVoteOf('bullish')));
  act(() => update(1, { isCounted: true, phase: 'final', result: { bullishCount: 37, bearishCount: 6 } }));
  await waitFor(() => expect(why()).toBeVisible());
});
test('reasons stay hidden from a user whose own vote could not be read [R89]', async () => {
  server().respond(getProject, { ...PROJECT, reasons });
  server().failSilently(getOwnVote);
  await open();
  expect(await screen.findByRole('button', { name: /try again/i })).toBeVisible();
  expect(why()).toBeNull();
});
test('a visitor sees why others voted, at once where none are verified, and nothing where too few gave reasons [R89]', async () => {
  session.drawAs(undefined);
  server().respond(getProject, { ...PROJECT, reasons: reasons.slice(2) });
  await open();
  expect(screen.getByText('Of 20 other voters, 22 Mar 2026')).toBeVisible();
  cleanup();
  queryClient.clear();
  server().respond(getProject, PROJECT);
  await open();
  expect(why()).toBeNull();
});

test('a hidden project without votes or website shows neither, and no share button [S2.33]', async () => {
  server().respond(getProject, {
    ...PROJECT,
    bullishCount: 0,
    bearishCount: 0,
    totalVotes: 0,
    website: null,
    hidden: true,
  });
  await open();
  expect(screen.getAllByText(/No votes yet/)).toHaveLength(1);
  expect(screen.queryByText(/^(To (flip|decide) it|likely)/)).toBeNull();
  expect(screen.queryByRole('region', { name: 'Votes' })?.querySelector('.bg-bull')).toBeNull();
  expect(screen.queryByRole('link', { name: /^Launchpad/ })).toBeNull();
  expect(screen.getByText('Hidden from everyone else')).toBeVisible();
  expect(screen.getByText('Reviews are hidden together with the project.')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Share' })).toBeNull();
  expect(server().calls(listReviews)).toEqual([]);
});

test('an updated project is read again [S2.33]', async () => {
  await open();
  cleanup();
  server().respond(getProject, { ...PROJECT, description: 'Told again' });
  refreshAfterOrder();
  await open();
  expect(await screen.findByText('Told again')).toBeVisible();
});

const button = () => screen.getByRole('button', { name: /^Post Review/ });

test('below the price of a review a sentence is offered instead, after a vote, and posted for 100 Snaps [R89 S2.34 S5.6]', async () => {
  server().respond(getStats, { ...RICH, tokenBalance: 2_500 });
  const user = await open();
  expect(screen.queryByRole('textbox', { name: 'Your review' })).toBeNull();
  expect(await screen.findByText(/^Vote on this project first/)).toBeVisible();
  expect(screen.queryByRole('form', { name: 'One sentence' })).toBeNull();
  server().respond(getStanding, standingOf({ state: 'standing' }));
  act(
    () => void queryClient.setQueryData(queries.ownVote(USER.id, 1).queryKey, { ...ownVoteOf('bullish'), reasons: [] }),
  );
  const form = within(await screen.findByRole('form', { name: 'One sentence' }));
  const submit = form.getByRole('button', { name: 'Post sentence (100 Snaps)' });
  const field = form.getByRole('textbox', { name: 'Your sentence' });
  await user.type(field, 'e\u0323\u0324\u0325\u0326');
  await user.click(submit);
  expect(await toastShown('Too many marks')).toMatchObject({ variant: 'destructive' });
  expect(server().calls(postReview)).toEqual([]);
  await user.clear(field);
  await user.type(field, 'They answer.');
  server().respond(postReview, { ...reviewOf(3), isSentence: true, userStats: { ...RICH, tokenBalance: 2_400 } });
  await user.click(submit);
  expect(await toastShown('Sentence posted!')).toMatchObject({ description: '100 Snaps have been burned' });
  expect(server().calls(postReview)[0]?.body).toMatchObject({ content: 'They answer.', isSentence: true });
  expect(field).toHaveValue('');
});

test.each([
  ['a vote', undefined, RICH, standingOf(), /^Vote on this project first\./],
  ['enough Snaps', [], { ...RICH, tokenBalance: 90 }, standingOf(), /^You have 90 Snaps; each vote earns 10\./],
  ['a verified wallet', [], RICH, standingOf({ state: 'no_standing' }), /^Your wallet is not verified yet\./],
] as const)(
  'a voter without %s reads both conditions of a sentence, in place of a field [R89]',
  async (_what, reasons, stats, standing, text) => {
    server().respond(getStats, stats);
    server().respond(getStanding, standing);
    await open();
    const own = { ...ownVoteOf('bullish'), reasons: reasons && [...reasons] };
    act(() => void queryClient.setQueryData(queries.ownVote(USER.id, 1).queryKey, own));
    const note = await screen.findByText(text);
    expect(note).toHaveTextContent('A sentence: 100 Snaps and a verified wallet (7 days).');
    expect(screen.queryByRole('textbox', { name: 'Your sentence' })).toBeNull();
  },
);

test('a typed review stays when the balance falls below the price, with the reason [S5.6]', async () => {
  const user = await open();
  await user.type(screen.getByRole('textbox', { name: 'Your review' }), 'Good');
  const { queryKey } = queries.stats(USER.id);
  act(() => void queryClient.setQueryData(queryKey, { ...RICH, tokenBalance: 9_999 }));
  await waitFor(() => expect(button()).toBeDisabled());
  expect(screen.getByRole('textbox', { name: 'Your review' })).toHaveValue('Good');
  expect(button()).toHaveAccessibleDescription(/^You need at least 10000 tokens/);
});

test('owners read one line instead of a form that they may not use [S2.34 S5.6 R15]', async () => {
  server().respond(getProject, { ...PROJECT, submittedBy: ADDRESS });
  server().respond(listReviews, [], { total: 0 });
  await open();
  expect(screen.getByText('You cannot review your own project.')).toBeVisible();
  expect(screen.getByText('No reviews yet.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Post Review/ })).toBeNull();
});

test('a listing of the catalogue has no clock while it is listed [R72]', async () => {
  const expiresAt = new Date(Date.now() + 10 * 86_400_000).toISOString();
  server().respond(getProject, { ...PROJECT, expiresAt });
  await open();
  expect(screen.getByText(/remaining$/)).toBeVisible();
  cleanup();
  server().respond(getProject, {
    ...PROJECT,
    expiresAt,
    listing: { ...PROJECT.listing, source: 'catalogue', ownership: 'unclaimed' },
  });
  refreshAfterOrder();
  await open();
  await waitFor(() => expect(screen.queryByText(/remaining$/)).toBeNull());
});

test('a visitor connects a wallet to review [S2.35 S2.34 S5.6]', async () => {
  await open();
  act(() => session.lost(session.era()));
  act(() => void session.walletChanged('0x9'));
  expect(await screen.findByRole('button', { name: 'Connect Wallet to Post Reviews' })).toBeVisible();
});

test('a review that is empty, too long or not posted stays in the field with a toast; a posted one leaves it [S2.34 S8.5 S8.14]', async () => {
  const user = await open();
  const field = screen.getByRole('textbox', { name: 'Your review' });
  await user.click(button());
  expect(await toastShown()).toMatchObject({ title: 'Review cannot be empty', variant: 'destructive' });
  await user.click(field);
  await user.paste('🦑'.repeat(201));
  await user.click(button());
  expect(await toastShown('Review too long')).toMatchObject({ description: 'Maximum 200 characters allowed' });
  expect(server().calls(postReview)).toEqual([]);
  await user.clear(field);
  await user.type(field, 'Good and plain.');
  server().failSilently(postReview);
  await user.click(button());
  expect(await toastShown('Failed to post review')).toMatchObject({ variant: 'destructive' });
  expect(field).toHaveValue('Good and plain.');
  server().respond(postReview, { ...reviewOf(3), userStats: { ...RICH, tokenBalance: 2_000 } });
  await user.click(button());
  expect(await toastShown('Review posted!')).toMatchObject({ description: '10000 tokens have been burned' });
  await waitFor(() => expect(field).not.toBeInTheDocument());
});
