// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { getProject } from '#shared/contract/projects.ts';
import { justListed } from '../../payments/just-listed.ts';
import { projectPageOf } from '../../testing/made-up.ts';
import { act, draw, toastShown, useTestPage } from '../../testing/screen.tsx';
import { JustListedHere } from './just-listed-here.tsx';

const server = useTestPage();

beforeEach(() => {
  justListed.set(null);
  server().respond(getProject, projectPageOf(5, { name: 'Tide & Pool', expiresAt: '2026-12-23T12:00:00.000Z' }));
});

async function open() {
  const user = userEvent.setup();
  draw(<JustListedHere />);
  expect(screen.queryByRole('dialog')).toBeNull();
  await act(async () => justListed.set(5));
  await screen.findByRole('dialog', { name: 'Your project is live!' });
  return user;
}

test('a new listing is celebrated with its card, its link, ways to share it, its badge, and what happens next [S2.24 R52]', async () => {
  const user = await open();
  expect(screen.getByRole('img', { name: 'Picture of Tide & Pool' })).toBeVisible();
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.click(screen.getByRole('button', { name: 'Copy link' }));
  await user.click(screen.getByRole('button', { name: 'Copy HTML' }));
  expect((await toastShown()).title).toBe('Copied to clipboard!');
  expect(written.mock.calls.map(([text]) => text)).toEqual([
    `${location.origin}/projects/project-5?from=link`,
    expect.stringContaining('alt="Tide &amp; Pool on Snapswipe"'),
  ]);
  const post = new URL(screen.getByRole<HTMLAnchorElement>('link', { name: /^Post on X/ }).href);
  expect([post.host, post.searchParams.get('url')]).toEqual([
    'x.com',
    `${location.origin}/projects/project-5?from=link`,
  ]);
  expect(screen.getByText(/The listing ends on .*23.*2026/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'See the insights' })).toHaveAttribute(
    'href',
    '/projects/project-5/insights',
  );
  expect(screen.getByRole('link', { name: 'Open its page' })).toHaveAttribute('href', '/projects/project-5');
});

test('the dialog for a new listing is shown once', async () => {
  const user = await open();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(justListed.get()).toBeNull();
});
