// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { listVersions, type ListingVersion } from '#shared/contract/versions.ts';
import { projectPageOf, TIME } from '../../testing/made-up.ts';
import { draw, pressToLoad, useTestPage } from '../../testing/screen.tsx';
import { Changes } from './changes.tsx';
import { VoteResult } from './vote-result.tsx';

const server = useTestPage();

const version = (number: number, part: Partial<ListingVersion>): ListingVersion => ({
  number,
  identity: number,
  createdAt: TIME,
  name: 'Quiet Frog',
  imageUrl: '/images/1.webp',
  twitterHandle: 'frog',
  website: null,
  category: 'Meme',
  description: 'Croaks',
  isBlanked: false,
  isSameProject: false,
  salt: 'A'.repeat(22),
  hash: 'A'.repeat(43),
  ...part,
});
const BLANK = { name: null, imageUrl: null, twitterHandle: null, category: null, description: null, salt: null };

test('the dialog shows each change of a listing before and after, side by side [R60]', async () => {
  const rows = [
    version(3, { name: 'Loud Frog', website: 'https://frog.example', isSameProject: true }),
    version(2, { name: 'Quiet Frog' }),
    version(1, { ...BLANK, isBlanked: true }),
  ];
  server().respond(listVersions, rows, { total: 3 });
  draw(<Changes project={projectPageOf(1, { changes: 2, name: 'Loud Frog' })} />);
  await pressToLoad(screen.getByRole('button', { name: 'Changed 2 times' }));
  const dialog = await screen.findByRole('dialog', { name: 'Changed 2 times' });
  const [newest, first] = await within(dialog).findAllByRole('listitem');
  expect(newest).toHaveTextContent(/Before.*Quiet Frog.*None.*After.*Loud Frog.*https:\/\/frog\.example/);
  expect(newest).toHaveTextContent('A moderator confirmed that this is the same project.');
  expect(first).toHaveTextContent(/A moderator removed this content.*After.*Quiet Frog/);
});

test('a listing that never changed has no button for its changes', () => {
  draw(<Changes project={projectPageOf(1)} />);
  expect(screen.queryByRole('button')).toBeNull();
});

test("a project's result says how many votes were cast before it was renamed, in place of the last 30 days [R60 R58]", () => {
  const changed = { at: TIME, what: ['name' as const], name: 'Quiet Frog', votes: 31 };
  const votes = { bullishCount: 40, bearishCount: 3, totalVotes: 43 };
  const now = { bullish: 14, bearish: 1 };
  draw(<VoteResult project={projectPageOf(1, { ...votes, now, changed })} />);
  expect(screen.getByText('31 of 43 votes were cast before it was renamed from Quiet Frog')).toBeVisible();
  expect(screen.queryByText('To flip it:')).toBeNull();
  expect(screen.queryByText(/^now /)).toBeNull();
  draw(<VoteResult project={projectPageOf(1, { ...votes, now })} />);
  expect(screen.getByText(/^now 93% of 15/)).toBeVisible();
});
