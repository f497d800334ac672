// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { followProject, getFollows } from '#shared/contract/follows.ts';
import { USER } from '../../testing/made-up.ts';
import { draw, useTestPage } from '../../testing/screen.tsx';
import { FollowedProjects } from './followed.tsx';

const server = useTestPage();
const named = (id: number, name: string) => ({ id, slug: `slug-${id}`, name, turn: null });
const TURN = { day: '2026-11-27', bullish: 46, bearish: 54, bullishBefore: 58, bearishBefore: 42 };
const PROJECTS = [{ ...named(1, 'Hexloom'), turn: TURN }, ...[2, 3, 4, 5, 6].map((id) => named(id, `Star ${id}`))];

test('the list says what turned, shows all, and keeps a row that was unfollowed [R91]', async () => {
  server().respond(getFollows, { projects: PROJECTS });
  const user = userEvent.setup();
  draw(<FollowedProjects userId={USER.id} />);
  const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  await screen.findByRole('link', { name: 'Hexloom' });
  expect(rows().slice(0, 3)).toEqual(['Hexloom46% bullish, 58% a week before', 'Star 2', 'Star 3']);
  await user.click(screen.getByRole('button', { name: 'Show all 6' }));
  expect(rows()).toHaveLength(6);
  server().respond(followProject, { projects: PROJECTS.slice(1) });
  await user.click(screen.getByRole('button', { name: 'Follow Hexloom' }));
  await waitFor(() => expect(server().calls(followProject)).toMatchObject([{ body: { follows: false } }]));
  const first = within(screen.getAllByRole('listitem')[0] ?? document.body);
  expect(first.getByRole('button', { name: 'Follow Hexloom' })).toHaveAttribute('aria-pressed', 'false');
});
