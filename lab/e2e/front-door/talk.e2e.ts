/** An owner and a reviewer talk, and a report is resolved: each in a browser of their own, all by pressing. */
import type { Page } from '@playwright/test';
import { giveStandingAndSnaps, grantTokens } from '../fixtures.ts';
import { plantListing } from '../listing.ts';
import {
  chooseInMenu,
  type Database,
  enter,
  enterAsAdmin,
  expect,
  expectToast,
  followNotice,
  look,
  press,
  signIn,
  test,
} from './door.ts';
import { expectContentAlive, expectScreenAlive, expectVisibleToPerson } from './see.ts';

// The price of a review, which takes a thousand votes, is prepared.
async function idOf(database: Database, wallet: string): Promise<number> {
  const { rows } = await database.query<{ id: string }>('SELECT id FROM users WHERE wallet_address = $1', [wallet]);
  return Number(rows[0]?.id);
}

async function report(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name });
  await press(dialog.getByText('Spam or advertising'));
  await look(page);
  await press(dialog.getByRole('button', { name: 'Send report' }));
  await expectToast(page, 'Report sent');
}

async function review(page: Page, name: string): Promise<void> {
  await expectScreenAlive(page, name);
  await page.getByLabel('Your review').fill('Where is the harbor?');
  const post = page.getByRole('button', { name: /^Post Review/ });
  await expect(post).toBeEnabled();
  await press(post);
  await expectToast(page, 'Review posted!');
}

/** A vote, its result, and a sentence about it. Standing, which takes a week, is prepared. */
async function sentence(page: Page, database: Database, wallet: string): Promise<void> {
  await giveStandingAndSnaps(database, wallet, 100);
  const form = page.getByRole('form', { name: 'One sentence' });
  await expectVisibleToPerson(page.getByText(/^Vote on this project first/));
  await press(page.getByRole('region', { name: 'Your vote' }).getByRole('button', { name: 'Bullish' }));
  await press(page.getByRole('button', { name: /result$/i }).first());
  await form.getByLabel('Your sentence').fill('They answer every question');
  await press(form.getByRole('button', { name: 'Post sentence (100 Snaps)' }));
  await expectToast(page, 'Sentence posted!');
  await expectVisibleToPerson(page.getByRole('listitem').filter({ hasText: 'They answer every question' }).first());
}

async function reply(page: Page, name: string): Promise<void> {
  await chooseInMenu(page, 'Portfolio');
  await followNotice(page, `${name} has a new review`);
  await expectScreenAlive(page, name);
  const item = page.getByRole('listitem').filter({ hasText: 'Where is the harbor?' });
  await expect(item).toBeFocused();
  await press(item.getByRole('button', { name: 'Reply from the project' }));
  await page.getByLabel(`Reply from ${name}`).fill('Behind the lighthouse.');
  await press(item.getByRole('button', { name: 'Post reply' }));
  await expectToast(page, 'Reply posted');
  await expectVisibleToPerson(item.getByText('Behind the lighthouse.'));
}

async function dismissReport(page: Page, name: string): Promise<void> {
  const row = page.getByRole('region', { name: 'Reports' }).getByRole('listitem').filter({ hasText: name });
  await expectVisibleToPerson(row.getByText('Behind the lighthouse.'));
  await look(page);
  await press(row.getByRole('button', { name: /^Dismiss/ }));
  await page.getByRole('dialog').getByLabel('Reason').fill('It is an answer');
  await press(page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }));
  await expectToast(page, 'Reports dismissed');
  await expect(row).toHaveCount(0);
}

test('an owner answers a review, its author sees the bell and the reply, and a report is resolved [R51 R33]', async ({
  page,
  browser,
  database,
}) => {
  const owner = await enter(browser);
  const { name, slug } = await plantListing(database, { wallet: owner.wallet });
  await page.goto(`/projects/${slug}`);
  const reviewer = await signIn(page);
  await grantTokens(database, await idOf(database, reviewer), 10_000);
  await review(page, name);
  await reply(owner.page, name);
  await owner.page.context().close();

  await chooseInMenu(page, 'Leaderboard');
  await followNotice(page, `${name} replied to your review`);
  await expectVisibleToPerson(page.getByText('Behind the lighthouse.'));
  await expectContentAlive(page);
  await press(page.getByRole('button', { name: `Report the reply from ${name}` }));
  await report(page, `Report the reply from ${name}`);

  await sentence(page, database, reviewer);

  const admin = await enterAsAdmin(browser, 'Moderation');
  await dismissReport(admin, name);
  await admin.context().close();
  await chooseInMenu(page, 'Portfolio');
  await followNotice(page, `Your report of a reply of ${name} was reviewed: it stays`);
  await expectScreenAlive(page, name);
});
