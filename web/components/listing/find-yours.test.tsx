// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { findListed, searchProjects } from '#shared/contract/projects.ts';
import { projectOf } from '../../testing/made-up.ts';
import { draw, useTestPage } from '../../testing/screen.tsx';
import { FindYours } from './find-yours.tsx';

const server = useTestPage();
const type = (text: string) => userEvent.type(screen.getByRole('searchbox', { name: 'Name, coin or package' }), text);
const links = () => screen.queryAllByRole('link', { name: 'This is mine' }).map((link) => link.getAttribute('href'));

test('a team finds its listing by name or coin, with the door to its claim, unless ownership is proven [R72]', async () => {
  const row = (id: number, ownership: 'none' | 'proven') => {
    const project = projectOf(id);
    const counts = { bullishVotes: 0, bearishVotes: 0, bullishPercentage: 0, expired: false, rank: null, now: null };
    const trend = { bullish: 0, bearish: 0, weight: 0 };
    return { ...project, ...counts, trend, listing: { ...project.listing, ownership } };
  };
  server().respond(searchProjects, [row(1, 'none'), row(2, 'proven')], { total: 2 });
  draw(<FindYours />);
  await type('Project');
  expect(await screen.findByRole('link', { name: 'Project 2' })).toHaveAttribute('href', '/projects/project-2');
  expect(links()).toEqual(['/projects/project-1?claim']);
  expect(screen.getByText('Ownership proven')).toBeVisible();

  const frog = { by: 'coin' as const, slug: 'frog', name: 'Frog', since: '2026-11-03T00:00:00Z', isClaimable: true };
  server().respond(findListed, [frog]);
  await userEvent.clear(screen.getByRole('searchbox'));
  await type('0x2::frog::FROG');
  await screen.findByRole('link', { name: 'Frog' });
  expect(links()).toEqual(['/projects/frog?claim']);
  expect(server().calls(findListed)).toMatchObject([{ query: { coin: '0x2::frog::FROG' } }]);

  server().respond(findListed, []);
  await type('S');
  expect(await screen.findByText('No listing has this name, coin or package.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'List it for 15 SUI' })).toHaveAttribute('href', '/submit-project');
});
