// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { acceptOwnership, setCoin } from '#shared/contract/ownership.ts';
import { listVersions, type ListingVersion, moderateVersion } from '#shared/contract/versions.ts';
import type { Role } from '#shared/people/roles.ts';
import { session } from '../../../lib/session.ts';
import { STATS, TIME, USER } from '../../../testing/made-up.ts';
import { draw, pressToLoad, toastShown, useTestPage } from '../../../testing/screen.tsx';
import { adminToken } from '../admin-session.ts';
import { giveReason } from '../testing/give-reason.ts';
import { ProjectCoin } from './project-coin.tsx';
import { ProjectVersions } from './project-versions.tsx';

const server = useTestPage();
const COIN = `0x${'7'.repeat(64)}::coin::COIN`;
const PROJECT = {
  id: 4,
  slug: 'frog',
  name: 'Loud Frog',
  owner: 'ana',
  hiddenAt: null,
  hiddenReason: null,
  coinType: null,
  packageId: null,
};

beforeEach(() => adminToken.set('token'));

beforeEach(() => {
  server().respond(setCoin, { success: true });
  server().respond(acceptOwnership, { success: true });
});

function openCoin(role: Role): void {
  session.signedIn({ user: { ...USER, role }, stats: STATS });
  draw(<ProjectCoin project={{ ...PROJECT, coinType: COIN }} />);
}
const acceptButton = () => screen.queryByRole('button', { name: 'Accept ownership of Loud Frog' });

test('a moderator confirms or changes the coin that the lister typed, with a reason [R71]', async () => {
  openCoin('moderator');
  expect(acceptButton()).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Coin of Loud Frog' }));
  const typed = await screen.findByRole('textbox', { name: 'Coin Type (optional)' });
  expect(typed).toHaveValue(COIN);
  await giveReason('Set coin and package', 'On its website', 'Set coin');
  expect(await toastShown()).toMatchObject({ title: 'Coin set' });
  expect(server().calls(setCoin)).toMatchObject([
    { params: { id: '4' }, body: { coinType: COIN, packageId: '', reason: 'On its website' } },
  ]);
});

test('only the owner of the site accepts ownership by hand [R71]', async () => {
  openCoin('owner');
  await userEvent.click(acceptButton() ?? document.body);
  await giveReason('Accept ownership by hand', 'On its website', 'Accept ownership');
  expect(await toastShown()).toMatchObject({ title: 'Ownership accepted' });
  expect(server().calls(acceptOwnership)).toMatchObject([{ body: { reason: 'On its website' } }]);
});

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
  blankedAt: null,
  sameAt: null,
  apartAt: null,
  salt: 'A'.repeat(22),
  hash: 'A'.repeat(43),
});

beforeEach(() => {
  server().respond(listVersions, [version(2, 'Loud Frog'), version(1, 'Quiet Frog')], { total: 2 });
  server().respond(moderateVersion, { success: true });
});

/** Presses an act in the comparison, and gives a reason. */
async function decide(press: string, dialog: string): Promise<void> {
  const user = userEvent.setup();
  const comparison = await screen.findByRole('dialog', { name: 'Changed once' });
  await user.click((await within(comparison).findAllByRole('button', { name: press })).at(-1) ?? document.body);
  await giveReason(dialog, 'On its website', press);
}

const openVersions = (changes: { hiddenAt?: string } = {}) => {
  draw(<ProjectVersions project={{ ...PROJECT, ...changes }} />);
  return pressToLoad(screen.getByRole('button', { name: 'Versions of Loud Frog' }));
};

test.each([
  {
    title: 'a moderator confirms the same project with a reason [R60]',
    isSameProject: false,
    press: 'Same project',
    dialog: 'Confirm the same project',
    done: 'Confirmed as the same project',
    act: 'same_project',
  },
  {
    title: 'a moderator takes a confirmation back with a reason [R60]',
    isSameProject: true,
    press: 'Not the same project',
    dialog: 'Take the confirmation back',
    done: 'Confirmation taken back',
    act: 'other_project',
  },
])('$title', async ({ isSameProject, press, dialog, done, act }) => {
  const versions = [{ ...version(2, 'Loud Frog'), isSameProject }, version(1, 'Quiet Frog')];
  server().respond(listVersions, versions, { total: 2 });
  await openVersions();
  await decide(press, dialog);
  expect(await toastShown()).toMatchObject({ title: done });
  expect(server().calls(moderateVersion)).toMatchObject([
    { params: { id: '4', number: '2' }, body: { act, reason: 'On its website' } },
  ]);
});

test('a moderator blanks the content before a change; the present content of a shown listing cannot be blanked [R60]', async () => {
  await openVersions();
  expect(await screen.findAllByRole('button', { name: 'Blank this content' })).toHaveLength(1);
  await decide('Blank this content', 'Blank this content');
  expect(await toastShown()).toMatchObject({ title: 'Content blanked' });
  expect(server().calls(moderateVersion)).toMatchObject([{ params: { number: '1' }, body: { act: 'blank' } }]);
});

test('the present content of a hidden listing can be blanked [R60]', async () => {
  await openVersions({ hiddenAt: TIME });
  expect(await screen.findAllByRole('button', { name: 'Blank this content' })).toHaveLength(2);
});
