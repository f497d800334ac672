// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { listVersions, type ListingVersion, moderateVersion } from '#shared/contract/versions.ts';
import { TIME } from '../../../testing/made-up.ts';
import { draw, pressToLoad, toastShown, useTestPage } from '../../../testing/screen.tsx';
import { adminToken } from '../admin-session.ts';
import { ProjectVersions } from './project-versions.tsx';

const server = useTestPage();
const PROJECT = {
  id: 4,
  slug: 'frog',
  name: 'Loud Frog',
  owner: 'ana',
  hiddenAt: null,
  hiddenReason: null,
  coinType: null,
  coinMinimum: 1,
  packageId: null,
};

const version = (number: number, name: string): ListingVersion => ({
  number,
  identity: number,
  createdAt: TIME,
  name,
  imageUrl: '/images/1.webp',
  twitterHandle: 'frog',
  website: null,
  category: 'Meme',
  description: 'Croaks',
  isBlanked: false,
  isSameProject: false,
  salt: 'A'.repeat(22),
  hash: 'A'.repeat(43),
});

beforeEach(() => {
  adminToken.set('token');
  server().respond(listVersions, [version(2, 'Loud Frog'), version(1, 'Quiet Frog')], { total: 2 });
  server().respond(moderateVersion, { success: true });
});

/** Presses an act in the comparison, and gives a reason. */
async function decide(press: string, dialog: string): Promise<void> {
  const user = userEvent.setup();
  const comparison = await screen.findByRole('dialog', { name: 'Changed 1 time' });
  await user.click((await within(comparison).findAllByRole('button', { name: press })).at(-1) ?? document.body);
  const asked = within(await screen.findByRole('dialog', { name: dialog }));
  await user.type(asked.getByRole('textbox', { name: 'Reason' }), 'Announced');
  await user.click(asked.getByRole('button', { name: press }));
}

const open = (changes: { hiddenAt?: string } = {}) => {
  draw(<ProjectVersions project={{ ...PROJECT, ...changes }} />);
  return pressToLoad(screen.getByRole('button', { name: 'Versions of Loud Frog' }));
};

test('confirms the same project with a reason [R60]', async () => {
  await open();
  await decide('Same project', 'Confirm the same project');
  expect(await toastShown()).toMatchObject({ title: 'Confirmed as the same project' });
  expect(server().calls(moderateVersion)).toMatchObject([
    { params: { id: '4', number: '2' }, body: { act: 'same_project', reason: 'Announced' } },
  ]);
});

test('blanks what a listing was before a change, and what it shows only once it is hidden [R60]', async () => {
  await open();
  expect(await screen.findAllByRole('button', { name: 'Blank this content' })).toHaveLength(1);
  await decide('Blank this content', 'Blank this content');
  expect(await toastShown()).toMatchObject({ title: 'Content blanked' });
  expect(server().calls(moderateVersion)).toMatchObject([{ params: { number: '1' }, body: { act: 'blank' } }]);
});

test('offers to blank the present version of a hidden listing [R60]', async () => {
  await open({ hiddenAt: TIME });
  expect(await screen.findAllByRole('button', { name: 'Blank this content' })).toHaveLength(2);
});
