/** An owner and a copycat each publish a coin of one name: both control their own, and a moderator says which one is the project's. */
import type { Browser, Page } from '@playwright/test';
import { uniqueText } from '../unique.ts';
import { chooseInMenu, type Door, expect, press, signIn, test } from './door.ts';
import { expectToast } from './screens-journeys.ts';
import { expectScreenAlive, expectVisibleToPerson } from './see.ts';

// A listing of the user's, as if it had been paid for days ago.
async function list(database: Door['database'], wallet: string, name: string): Promise<void> {
  await database.query(
    `WITH listing AS (
       INSERT INTO projects (slug, name, category, description, image_hash, twitter_handle, owner_id, created_at, expires_at)
       SELECT $2, $3, category, description, image_hash, twitter_handle, (SELECT id FROM users WHERE wallet_address = $1),
         now() - interval '10 days', now() + interval '20 days'
       FROM projects WHERE slug = 'paper-foxes' RETURNING id
     )
     INSERT INTO project_stats (project_id) SELECT id FROM listing`,
    [wallet, name.toLowerCase().replaceAll(' ', '-'), name],
  );
}

const signTransaction = (page: Page) =>
  press(page.getByRole('dialog', { name: 'Sign this transaction?' }).getByRole('button', { name: 'Sign' }));
const openFromPortfolio = async (page: Page, name: string): Promise<void> => {
  await chooseInMenu(page, 'Portfolio');
  await press(page.getByRole('link', { name, exact: true }));
  await expectScreenAlive(page, name);
};
const lineOf = (page: Page) => page.locator('[data-listing]');

/** Publishes a coin in the wallet, names it by a paid update, and proves that the wallet controls it. */
async function claimByCoin(page: Page, name: string): Promise<void> {
  await chooseInMenu(page, 'Portfolio');
  await press(page.getByRole('button', { name: `Update (5 SUI) ${name}` }));
  const update = page.getByRole('dialog', { name: 'Update Project' });
  await press(update.getByRole('button', { name: 'Make a coin of my own' }));
  await signTransaction(page);
  await expect(update.getByRole('textbox', { name: 'Coin Type (optional)' })).toHaveValue(
    /^0x[0-9a-f]{64}::coin::COIN$/,
  );
  await press(update.getByRole('button', { name: 'Pay 5 SUI & Update' }));
  await signTransaction(page);
  await expectToast(page, 'Project updated!');
  await openFromPortfolio(page, name);
  await expectVisibleToPerson(lineOf(page).getByText('Ownership not proven'));
  await press(page.getByRole('button', { name: 'Prove ownership' }));
  await expectVisibleToPerson(lineOf(page).getByText(/^Controls 0x[0-9a-f]{2}…[0-9a-f]{2}::coin::COIN$/));
}

async function enter(browser: Browser, options?: { admin: boolean }): Promise<{ page: Page; wallet: string }> {
  const page = await (await browser.newContext()).newPage();
  await page.goto('/');
  return { page, wallet: await signIn(page, options) };
}

async function setCoin(page: Page, name: string): Promise<void> {
  await chooseInMenu(page, 'Admin Panel');
  await page.getByLabel('Password').fill('snapswipe-e2e');
  await press(page.getByRole('button', { name: 'Login' }));
  await expectToast(page, 'Login Successful');
  await press(page.getByRole('tab', { name: 'Moderation' }));
  const search = page.getByRole('searchbox').first();
  await search.fill(name);
  await search.press('Enter');
  await press(page.getByRole('button', { name: `Coin of ${name}` }));
  const dialog = page.getByRole('dialog', { name: 'Set coin and package' });
  await expect(dialog.getByRole('textbox', { name: 'Coin Type (optional)' })).toHaveValue(/::coin::COIN$/);
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Named on its website');
  await press(dialog.getByRole('button', { name: 'Set coin' }));
  await expectToast(page, 'Coin set');
}

/** Declares: from a coin of one's own to proven ownership, which a copycat does not get. */
export function ownershipJourney(theme: 'light' | 'dark'): void {
  test.describe(() => {
    test.use({ colorScheme: theme });
    test(`a coin of one's own proves control, a moderator's word makes it ownership, and a copycat only controls a copy (${theme}) [R70 R71]`, async ({
      page,
      browser,
      database,
    }) => {
      await page.goto('/');
      const [name, copy] = [`Coin ${uniqueText()}`, `Copy ${uniqueText()}`];
      await list(database, await signIn(page), name);
      await claimByCoin(page, name);

      const copycat = await enter(browser);
      await list(database, copycat.wallet, copy);
      await claimByCoin(copycat.page, copy);

      const admin = await enter(browser, { admin: true });
      await setCoin(admin.page, name);
      await admin.page.context().close();

      await page.bringToFront();
      await openFromPortfolio(page, name);
      await expectVisibleToPerson(lineOf(page).getByText('Ownership proven'));
      await copycat.page.bringToFront();
      await openFromPortfolio(copycat.page, copy);
      await expectVisibleToPerson(lineOf(copycat.page).getByText(/^Controls 0x/));
      await expect(copycat.page.getByRole('main').getByText(/Ownership proven/)).toHaveCount(0);
      await copycat.page.context().close();
    });
  });
}
