import type { Page } from '@playwright/test';
import { OWN_READS_401, WALLET_REJECTED } from '../fixtures.ts';
import { expectActionInSight } from '../fit.ts';
import { expectDeckAlive, projectSeen, voteAsPerson } from './deck.ts';
import {
  accountButton,
  chooseInMenu,
  expect,
  messageDialog,
  pickWallet,
  press,
  signIn,
  signInDialog,
  test,
  walletDialog,
} from './door.ts';
import { expectScreenAlive, expectVisibleToPerson } from './see.ts';

const LOOK_MS = 500;
const HEADLINE = 'Swipe. Vote. Earn.';

async function signInDespiteRejections(page: Page): Promise<string> {
  await pickWallet(page);
  await press(walletDialog(page).getByRole('button', { name: 'Reject' }));
  const connect = page.getByRole('dialog', { name: 'Connect Wallet' });
  await expectVisibleToPerson(connect.getByText('Connection failed'));
  const retry = connect.getByRole('button', { name: 'Retry Connection' });
  await expectActionInSight(retry, 'Retry Connection');
  await press(retry);
  await press(walletDialog(page).getByRole('button', { name: 'Approve' }));
  const signing = signInDialog(page).getByRole('button', { name: /^(Sign in|Try Again)$/ });
  await expectActionInSight(signing, 'Sign in without votes');
  await press(signing);
  await press(messageDialog(page).getByRole('button', { name: 'Reject' }));
  await expectVisibleToPerson(signInDialog(page).getByText('You declined the request in your wallet.'));
  await expectActionInSight(signing, 'Try Again');
  await press(signing);
  await press(messageDialog(page).getByRole('button', { name: 'Sign' }));
  await expect(page.getByRole('dialog')).toHaveCount(0);
  return (await accountButton(page).getAttribute('title')) ?? '';
}

test('a wallet that says no can be asked again; disconnecting and connecting again leads to the same deck [S2.10 S4.1 R1]', async ({
  page,
  database,
  allowed,
  loads,
}) => {
  allowed.push(WALLET_REJECTED, ...OWN_READS_401);
  await page.goto('/');
  const wallet = await signInDespiteRejections(page);
  await expectDeckAlive(page, LOOK_MS);
  await voteAsPerson(page, database, wallet, { direction: 'bearish', by: 'button' });

  await chooseInMenu(page, 'Disconnect Wallet');
  await expectScreenAlive(page, HEADLINE);
  expect(await signIn(page)).toBe(wallet);
  await expectDeckAlive(page, LOOK_MS);

  await press(page.getByRole('contentinfo').getByRole('link', { name: 'Leaderboard' }));
  await expectScreenAlive(page, 'Project Leaderboard');
  loads.expected += 1;
  await page.reload();
  await expectScreenAlive(page, 'Project Leaderboard');
  await page.goBack();
  await expectDeckAlive(page, LOOK_MS);
  await voteAsPerson(page, database, wallet, { direction: 'bullish', by: 'swipe' });

  await chooseInMenu(page, 'Disconnect Wallet');
  await expectScreenAlive(page, HEADLINE);
});

test('signing out in a second tab shows in the first one, which continues after one signature [S4.2]', async ({
  page,
  context,
  allowed,
}) => {
  allowed.push(...OWN_READS_401);
  await page.goto('/');
  await signIn(page);
  await expectDeckAlive(page, LOOK_MS);
  const { id } = await projectSeen(page);
  const [second] = await Promise.all([
    context.waitForEvent('page'),
    page
      .getByRole('contentinfo')
      .getByRole('link', { name: 'Leaderboard' })
      .click({ modifiers: ['ControlOrMeta'] }),
  ]);
  await second.bringToFront();
  await expectScreenAlive(second, 'Project Leaderboard');
  await chooseInMenu(second, 'Disconnect Wallet');
  await expectVisibleToPerson(second.getByRole('banner').getByRole('button', { name: 'Connect Wallet' }));
  await expectScreenAlive(second, 'Project Leaderboard');

  await page.bringToFront();
  const offer = page.getByRole('alert').filter({ hasText: 'Your session has ended' });
  await expectVisibleToPerson(offer);
  // This tab is still connected with the wallet, which asks for its signature at once.
  await press(offer.getByRole('button', { name: 'Sign in again' }));
  await press(messageDialog(page).getByRole('button', { name: 'Sign' }));
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(offer).toHaveCount(0);
  await expectDeckAlive(page, LOOK_MS);
  expect((await projectSeen(page)).id).toBe(id);
});
