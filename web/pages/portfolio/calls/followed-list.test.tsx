// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { followProject, getFollows } from '#shared/contract/follows.ts';
import { getProjectTrend } from '#shared/contract/trends.ts';
import { getCalls, getStats, listVotes } from '#shared/contract/users.ts';
import { callsOf, STATS, USER } from '../../../testing/made-up.ts';
import { draw, useTestPage } from '../../../testing/screen.tsx';
import { Calls } from './calls.tsx';

const server = useTestPage();
const named = (id: number, name: string) => ({ id, slug: `slug-${id}`, name, turn: null });
const TURN = { day: '2026-01-07', bullish: 46, bearish: 54, bullishBefore: 58, bearishBefore: 42 };
const PROJECTS = [
  { ...named(1, 'Hexloom'), turn: TURN },
  ...Array.from({ length: 10 }, (_, at) => named(at + 2, `Star ${at + 2}`)),
];
const day = (date: string, verifiedBullish: number) => ({
  day: date,
  bullish: 0,
  bearish: 0,
  votes: 0,
  turnedBullish: 0,
  turnedBearish: 0,
  verifiedBullish,
  verifiedBearish: 10,
});

test('a filter shows the followed projects with share and 30 days, and keeps a row that was unfollowed [R91]', async () => {
  server().respond(getCalls, callsOf());
  server().respond(listVotes, [], { total: 0 });
  server().respond(getStats, STATS);
  server().respond(getFollows, { projects: PROJECTS });
  const days = [day('2025-11-01', 30), day('2026-01-06', 10)];
  server().respond(getProjectTrend, { days, figuresOn: '2026-01-07' });
  const user = userEvent.setup();
  // Where the notice of several turns leads.
  history.replaceState(null, '', '/portfolio#follows');
  draw(<Calls userId={USER.id} />);
  const rows = () => within(screen.getByRole('list', { name: 'Projects you follow' })).getAllByRole('listitem');
  await screen.findByText('50% bullish, 58% a week before');
  expect(rows()).toHaveLength(10);
  const points = rows()[0]?.querySelector('polyline')?.getAttribute('points')?.split(' ');
  expect([points?.length, points?.[0], points?.at(-1)]).toEqual([30, '0,8', '96,16']);
  await user.click(screen.getByRole('button', { name: 'Show all 11' }));
  expect(rows()).toHaveLength(11);
  server().respond(followProject, { projects: PROJECTS.slice(1) });
  await user.click(screen.getByRole('button', { name: 'Follow Hexloom' }));
  await waitFor(() => expect(server().calls(followProject)).toMatchObject([{ body: { follows: false } }]));
  const first = within(rows()[0] ?? document.body);
  expect(first.getByRole('button', { name: 'Follow Hexloom' })).toHaveAttribute('aria-pressed', 'false');
  await user.click(screen.getByRole('button', { name: 'Followed' }));
  expect(await screen.findByText('No votes yet.')).toBeVisible();
});
