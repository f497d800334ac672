// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { acceptOwnership, setCoin } from '#shared/contract/ownership.ts';
import type { Role } from '#shared/roles.ts';
import { session } from '../../../lib/session.ts';
import { STATS, USER } from '../../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../../testing/screen.tsx';
import { adminToken } from '../admin-session.ts';
import { ProjectCoin } from './project-coin.tsx';

const server = useTestPage();
const COIN = `0x${'7'.repeat(64)}::coin::COIN`;
const PROJECT = {
  id: 4,
  slug: 'frog',
  name: 'Loud Frog',
  owner: 'ana',
  hiddenAt: null,
  hiddenReason: null,
  coinType: COIN,
  coinMinimum: 1,
  packageId: null,
};

beforeEach(() => {
  adminToken.set('token');
  server().respond(setCoin, { success: true });
  server().respond(acceptOwnership, { success: true });
});

function open(role: Role): void {
  session.signedIn({ user: { ...USER, role }, stats: STATS });
  draw(<ProjectCoin project={PROJECT} />);
}
const acceptButton = () => screen.queryByRole('button', { name: 'Accept ownership of Loud Frog' });

/** Gives a reason in the open dialog, and decides. */
async function decide(title: string, action: string): Promise<void> {
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  await userEvent.type(dialog.getByRole('textbox', { name: 'Reason' }), 'On its website');
  await userEvent.click(dialog.getByRole('button', { name: action }));
}

test('a moderator confirms or changes the coin that the lister typed, with a reason [R71]', async () => {
  open('moderator');
  expect(acceptButton()).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Coin of Loud Frog' }));
  const typed = await screen.findByRole('textbox', { name: 'Coin Type (optional)' });
  expect(typed).toHaveValue(COIN);
  const minimum = screen.getByRole('textbox', { name: 'Holders have at least (whole units)' });
  await userEvent.clear(minimum);
  await userEvent.type(minimum, '500');
  await decide('Set coin and package', 'Set coin');
  expect(await toastShown()).toMatchObject({ title: 'Coin set' });
  expect(server().calls(setCoin)).toMatchObject([
    { params: { id: '4' }, body: { coinType: COIN, coinMinimum: 500, packageId: '', reason: 'On its website' } },
  ]);
});

test('only the owner of the site accepts ownership by hand [R71]', async () => {
  open('owner');
  await userEvent.click(acceptButton() ?? document.body);
  await decide('Accept ownership by hand', 'Accept ownership');
  expect(await toastShown()).toMatchObject({ title: 'Ownership accepted' });
  expect(server().calls(acceptOwnership)).toMatchObject([{ body: { reason: 'On its website' } }]);
});
