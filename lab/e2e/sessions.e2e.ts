import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import type { Page } from '@playwright/test';
import { responseError, expect, OWN_READS_401, signInOverHttp, test } from './fixtures.ts';
import { failSilently } from './made-up.ts';

const cardOf = (page: Page) => page.getByRole('region', { name: 'Where you are signed in' });

test('/profile lists sessions with their devices; one is ended by its button, others by a dialog [R1]', async ({
  page,
  newUser,
  allowed,
}) => {
  allowed.push(...OWN_READS_401);
  const keypair = new Ed25519Keypair();
  const [phone, tablet] = [await signInOverHttp(keypair), await signInOverHttp(keypair)];
  await newUser(keypair);
  const works = async ({ cookie, id }: typeof phone): Promise<boolean> => {
    const response = await fetch(new URL(`/api/users/${id}/stats`, page.url()), {
      headers: { cookie: `snapswipe_session=${cookie}` },
    });
    return response.status === 200;
  };
  await page.goto('/profile');
  const rows = cardOf(page).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText('This device');
  await expect(rows.first()).toContainText('Last seen now');
  await expect(rows.nth(1)).toContainText('Unknown browser');
  await expect(rows.nth(1)).toContainText(/Signed in .+ · Last seen .+ ago/);

  await rows.nth(1).getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByText('That session has ended.').first()).toBeVisible();
  await expect(rows).toHaveCount(2);
  expect([await works(phone), await works(tablet)].filter(Boolean)).toHaveLength(1);

  await cardOf(page).getByRole('button', { name: 'Sign out everywhere' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign out everywhere?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(rows).toHaveCount(2);
  await cardOf(page).getByRole('button', { name: 'Sign out everywhere' }).click();
  await dialog.getByRole('button', { name: 'Only other devices' }).click();
  await expect(rows).toHaveCount(1);
  expect([await works(phone), await works(tablet)]).toEqual([false, false]);

  await cardOf(page).getByRole('button', { name: 'Sign out everywhere' }).click();
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page.getByRole('heading', { name: 'Please connect your wallet' })).toBeVisible();
  expect((await page.context().cookies()).filter(({ name }) => name === 'snapswipe_session')).toEqual([]);
});

test('a list of sessions that cannot be read shows an error and comes back with a second try', async ({
  page,
  newUser,
  allowed,
}) => {
  allowed.push(responseError(503, '/api/auth/sessions'));
  await newUser();
  await page.route('**/api/auth/sessions', (route) => failSilently(route));
  await page.goto('/profile');
  await expect(cardOf(page).getByText('Failed to fetch sessions')).toBeVisible();
  await page.unroute('**/api/auth/sessions');
  await cardOf(page).getByRole('button', { name: 'Try again' }).click();
  await expect(cardOf(page).getByRole('listitem')).toHaveCount(1);
});
