// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ListedProject, searchProjects } from '#shared/contract/projects.ts';
import { getDirections } from '#shared/contract/votes.ts';
import { isSort } from '#shared/listings/sort-names.ts';
import { compareKeys, rankAt, rankedBy, SORT_KEYS } from '#shared/figures/sorts.ts';
import { NO_TREND } from '#shared/figures/trending.ts';
import { queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session.ts';
import { projectOf } from '../../testing/made-up.ts';
import { draw, useTestPage } from '../../testing/screen.tsx';
import { LeaderboardPage } from './leaderboard-page.tsx';

const server = useTestPage();
const row = (rank: number, changes: Partial<ListedProject> = {}): ListedProject => ({
  ...projectOf(rank, { totalVotes: 4 }),
  now: null,
  bullishVotes: 3,
  bearishVotes: 1,
  bullishPercentage: 75,
  expired: false,
  rank,
  trend: NO_TREND,
  ...changes,
});
const PAGE_ROWS = 100;
/** The server has these, and lists them as it is asked to; a cursor is the number of rows before it. */
function list(rows: ListedProject[]): void {
  server().respondInPages(searchProjects, ({ query }) => {
    const sort = String(query['sort']);
    if (!isSort(sort)) throw new Error(`no such order: ${sort}`);
    const order = rankedBy(
      sort,
      rows.toSorted((one, other) => compareKeys(SORT_KEYS[sort](one), SORT_KEYS[sort](other))),
    );
    const found = order.rows
      .map((project, index) => ({ ...project, rank: rankAt(index, order) }))
      .filter(
        ({ name, category }) =>
          name.includes(query['search'] ?? '') && (query['category'] === undefined || category === query['category']),
      );
    const start = Number(query['cursor'] ?? 0);
    const nextCursor = start + PAGE_ROWS < found.length ? String(start + PAGE_ROWS) : undefined;
    return { body: found.slice(start, start + PAGE_ROWS), nextCursor, total: found.length };
  });
}
const names = () => screen.getAllByRole('listitem').map((item) => within(item).getByRole('link').textContent);

const withVerified = (id: number, bullish: number, changes: Partial<ListedProject> = {}) =>
  row(id, { verified: { bullish, bearish: 0 }, ...changes });
const EARLY = 'Early days: places change with every vote';

test('projects without ten verified votes follow under their own heading with their number of votes [R27]', async () => {
  list([
    withVerified(1, 9),
    withVerified(2, 30),
    withVerified(3, 10),
    withVerified(4, 11, { rankVotes: 1 }),
    withVerified(5, 12),
  ]);
  const user = userEvent.setup();
  draw(<LeaderboardPage />);
  const heading = await screen.findByRole('heading', { name: 'New: not ranked yet' });
  expect(names()).toEqual([2, 3, 5, 1, 4].map((id) => `Project ${id}`));
  const [ranked, unranked] = screen.getAllByRole('list');
  expect(heading.compareDocumentPosition(ranked as HTMLElement)).toBe(Node.DOCUMENT_POSITION_PRECEDING);
  expect(within(ranked as HTMLElement).getAllByTitle(/ place/)).toHaveLength(3);
  expect(within(unranked as HTMLElement).queryByTitle(/ place/)).toBeNull();
  expect(within(unranked as HTMLElement).getByText('9 of 10 verified votes')).toBeVisible();
  expect(within(unranked as HTMLElement).getByText('1 of 10 verified votes')).toBeVisible();
  expect(screen.queryByText(EARLY)).toBeNull();
  await user.click(screen.getByRole('link', { name: 'Verified' }));
  expect(screen.getByRole('heading', { name: 'New: not ranked yet' })).toBeVisible();
  for (const order of ['New', 'Trending']) {
    await user.click(screen.getByRole('link', { name: order }));
    expect(screen.queryByRole('heading', { name: 'New: not ranked yet' })).toBeNull();
    expect(screen.queryByTitle(/ place/)).toBeNull();
  }
});

test('the first three of a whole ranking are cards, every other list and one of two is of lines [S2.37]', async () => {
  list([1, 2, 3, 4, 5].map((id) => withVerified(id, 10 + id)));
  const user = userEvent.setup();
  draw(<LeaderboardPage />);
  const lengths = () => screen.getAllByRole('list').map((part) => within(part).getAllByRole('listitem').length);
  expect(await screen.findByTitle('4th place')).toHaveTextContent('4');
  expect(names()).toEqual([1, 2, 3, 4, 5].map((id) => `Project ${id}`));
  expect(lengths()).toEqual([3, 2]);
  await user.click(screen.getByRole('link', { name: 'New' }));
  expect(lengths()).toEqual([5]);
  cleanup();
  queryClient.clear();
  history.replaceState(null, '', '/leaderboard');
  list([row(1), row(2)]);
  draw(<LeaderboardPage />);
  expect(await screen.findByTitle('2nd place, silver')).toHaveTextContent('2nd');
  expect(lengths()).toEqual([2]);
});

test('a young site ranks all projects, and says that places change [R27]', async () => {
  list([withVerified(1, 9), withVerified(2, 30), withVerified(3, 10)]);
  draw(<LeaderboardPage />);
  expect(await screen.findByText(EARLY)).toBeVisible();
  expect(screen.getAllByTitle(/ place/)).toHaveLength(3);
  expect(screen.queryByText(/\d of 10 verified votes/)).toBeNull();
  expect(screen.queryByRole('heading', { name: 'New: not ranked yet' })).toBeNull();
});

test('rows say which way the user voted, and nothing to a visitor [R91]', async () => {
  list([row(1), row(2), row(3)]);
  server().respond(getDirections, { bullish: [3], bearish: [1] });
  draw(<LeaderboardPage />);
  expect(await screen.findByText('You: bearish')).toBeVisible();
  const said = () => screen.getAllByRole('listitem').map((item) => /You: (bull|bear)ish/.exec(item.textContent)?.[0]);
  expect(said()).toEqual(['You: bearish', undefined, 'You: bullish']);
  cleanup();
  queryClient.clear();
  session.drawAs(undefined);
  draw(<LeaderboardPage />);
  expect(await screen.findAllByRole('listitem')).toHaveLength(3);
  expect(said()).toEqual([undefined, undefined, undefined]);
});

describe('search and categories', () => {
  beforeEach(() => list([row(1), row(2, { category: 'NFT' }), row(12)]));

  test('an order that is pressed right after the last letter stays, with the search', async () => {
    const user = userEvent.setup();
    draw(<LeaderboardPage />);
    expect(await screen.findAllByRole('listitem')).toHaveLength(3);
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), '12');
    await user.click(screen.getByRole('link', { name: 'New' }));
    expect(await screen.findByText('1 project found')).toBeVisible();
    expect(location.search).toBe('?sort=new&search=12');
    expect(screen.getByRole('link', { name: 'New' })).toHaveAttribute('aria-current', 'page');
  });

  test('category and search come from the address, and no result links to all projects', async () => {
    history.replaceState(null, '', '/leaderboard?category=NFT&search=Project&sort=new');
    const user = userEvent.setup();
    draw(<LeaderboardPage />);
    expect(await screen.findByText('1 project found')).toBeVisible();
    expect(names()).toEqual(['Project 2']);
    expect(screen.getByRole('combobox', { name: 'Category' })).toHaveValue('NFT');
    const search = screen.getByRole('searchbox', { name: 'Search' });
    expect(search).toHaveValue('Project');
    await user.selectOptions(screen.getByRole('combobox'), 'DAO');
    expect(await screen.findByText('No project found')).toBeVisible();
    expect(location.search).toBe('?sort=new&category=DAO&search=Project');
    await user.click(screen.getByRole('button', { name: 'Show all projects' }));
    expect(await screen.findAllByRole('listitem')).toHaveLength(3);
    expect(search).toHaveValue('');
    expect(location.search).toBe('?sort=new');
  });

  test('an unknown category is not requested, and a long search is cut', async () => {
    history.replaceState(null, '', `/leaderboard?category=defi&search=${'x'.repeat(500)}`);
    draw(<LeaderboardPage />);
    expect(await screen.findByText('No project found')).toBeVisible();
    expect(server().calls(searchProjects)[0]?.query).toEqual({
      sort: 'bullish',
      limit: '100',
      search: 'x'.repeat(100),
    });
  });
});

test('the large number of a row is the one that the order goes by, and the share of all stands small beside it [R44 S2.37]', async () => {
  history.replaceState(null, '', '/leaderboard?sort=verified');
  list([
    withVerified(1, 10, { bullishPercentage: 99 }),
    withVerified(2, 30, { bullishPercentage: 50 }),
    withVerified(3, 20),
  ]);
  draw(<LeaderboardPage />);
  await screen.findAllByRole('listitem');
  const large = () => [...document.querySelectorAll('li .display:not([data-medal])')].map((one) => one.textContent);
  expect(large()).toEqual(['≥88%', '≥83%', '≥72%'].map((bound) => `${bound} bullish, of verified votes`));
  await userEvent.click(screen.getByRole('link', { name: 'New' }));
  expect(large()).toEqual([]);
  expect(screen.getByText('99%')).toBeVisible();
});

test('new projects show their date, and trending ones their verified votes', async () => {
  list([row(1), row(2, { trend: { bullish: 4, bearish: 1, weight: 30 } })]);
  const user = userEvent.setup();
  draw(<LeaderboardPage />);
  await user.click(await screen.findByRole('link', { name: 'Trending' }));
  expect(await screen.findByText('5 verified votes in 7 days')).toBeVisible();
  expect(names()).toEqual(['Project 2', 'Project 1']);
  await user.click(screen.getByRole('link', { name: 'New' }));
  expect((await screen.findAllByText(/^listed/))[0]).toBeVisible();
});
