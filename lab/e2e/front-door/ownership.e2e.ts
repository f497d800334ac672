/**
 * An owner and a copycat each publish a coin of one name: both control their own, and a moderator says which one is the project's.
 * A listing of the catalogue goes to the wallet that holds the cap of its coin; once the cap is gone, the next look ends the proof.
 */
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';
import type { Browser, Page } from '@playwright/test';
import { sandboxChain } from '../chain.ts';
import { sandboxKeypair } from '../fixtures.ts';
import { setting } from '../setting.ts';
import { type Listing, plantListing } from '../listing.ts';
import { uniqueText } from '../unique.ts';
import {
  chooseInMenu,
  type Database,
  enter,
  enterAsAdmin,
  expect,
  expectToast,
  logo,
  press,
  signIn,
  signTransaction,
  test,
  walletDialog,
} from './door.ts';
import { endServer, startFurtherServer } from './further-server.ts';
import { confirmCoin } from './moderation.ts';
import { startOtherSite } from './other-site.ts';
import { expectScreenAlive, expectVisibleToPerson } from './see.ts';

const openFromPortfolio = async (page: Page, name: string): Promise<void> => {
  await chooseInMenu(page, 'Portfolio');
  await press(page.getByRole('link', { name, exact: true }));
  await expectScreenAlive(page, name);
};
const lineOf = (page: Page) => page.locator('[data-listing]');

async function makeCoin(page: Page, name: string): Promise<string> {
  await chooseInMenu(page, 'Portfolio');
  await press(page.getByRole('button', { name: `Update (5 SUI) ${name}` }));
  const update = page.getByRole('dialog', { name: 'Update Project' });
  await press(update.getByRole('button', { name: 'Make a coin of my own' }));
  await signTransaction(page);
  const coinType = update.getByRole('textbox', { name: 'Coin Type (optional)' });
  await expect(coinType).toHaveValue(/^0x[0-9a-f]{64}::coin::COIN$/);
  return coinType.inputValue();
}

async function claimByCoin(page: Page, name: string): Promise<void> {
  await makeCoin(page, name);
  const update = page.getByRole('dialog', { name: 'Update Project' });
  await press(update.getByRole('button', { name: 'Pay 5 SUI & Update' }));
  await signTransaction(page);
  await expectToast(page, 'Project updated!');
  await openFromPortfolio(page, name);
  await expectVisibleToPerson(lineOf(page).getByText('Ownership not proven'));
  await press(page.getByRole('button', { name: 'This is mine' }));
  await expectVisibleToPerson(lineOf(page).getByText(/^Controls 0x[0-9a-f]{2}…[0-9a-f]{2}::coin::COIN$/));
}

test("a coin of one's own proves control, a moderator's word makes it ownership, and a copycat only controls a copy [R70 R71]", async ({
  page,
  browser,
  database,
}) => {
  await page.goto('/');
  const [name, copy] = [`Coin ${uniqueText()}`, `Copy ${uniqueText()}`];
  await plantListing(database, { name, wallet: await signIn(page) });
  await claimByCoin(page, name);

  const copycat = await enter(browser);
  await plantListing(database, { name: copy, wallet: copycat.wallet });
  await claimByCoin(copycat.page, copy);

  const admin = await enterAsAdmin(browser, 'Moderation');
  await confirmCoin(admin, name);
  await admin.context().close();

  await page.bringToFront();
  await openFromPortfolio(page, name);
  await expectVisibleToPerson(lineOf(page).getByText('Ownership proven'));
  await copycat.page.bringToFront();
  await openFromPortfolio(copycat.page, copy);
  await expectVisibleToPerson(lineOf(copycat.page).getByText(/^Controls 0x/));
  await expect(copycat.page.getByRole('main').getByText(/Ownership proven/)).toHaveCount(0);
  await copycat.page.context().close();
});

async function openUnclaimed(page: Page, { slug, name }: Listing): Promise<void> {
  await page.goto(`/projects/${slug}`);
  await expectScreenAlive(page, name);
  await expectVisibleToPerson(lineOf(page).getByText('Unclaimed'));
}

/** The dialog says what the wallet must hold. */
async function claim(page: Page): Promise<void> {
  await press(page.getByRole('button', { name: 'This is mine' }));
  const dialog = page.getByRole('dialog', { name: /^Claim / });
  await expectVisibleToPerson(dialog.getByText(/^Your wallet must hold the TreasuryCap of /));
  await press(dialog.getByRole('button', { name: 'Claim this listing' }));
}

async function edit(page: Page, name: string, description: string): Promise<void> {
  await chooseInMenu(page, 'Portfolio');
  await expectVisibleToPerson(page.getByText(/^Free as part of the catalogue: nothing is due/));
  await press(page.getByRole('button', { name: `Update (5 SUI) ${name}` }));
  const update = page.getByRole('dialog', { name: 'Update Project' });
  await update.getByRole('textbox', { name: /^Description/ }).fill(description);
  await press(update.getByRole('button', { name: 'Pay 5 SUI & Update' }));
  // The page was loaded again: its wallet asks once more.
  await press(walletDialog(page).getByRole('button', { name: 'Approve' }));
  await signTransaction(page);
  await expectToast(page, 'Project updated!');
  await openFromPortfolio(page, name);
  await expectVisibleToPerson(page.getByText(description));
}

async function showBadge(page: Page, browser: Browser, { slug, name }: Listing, coinType: string): Promise<void> {
  await press(page.getByRole('link', { name: 'Insights' }));
  await expectScreenAlive(page, 'Insights');
  await expectVisibleToPerson(page.getByRole('button', { name: 'Copy HTML by coin' }));
  const snippet = await page.getByRole('textbox', { name: 'HTML by coin type', exact: true }).inputValue();
  expect(snippet).toContain(`/badge/coin/${coinType}.svg`);
  const site = await startOtherSite(snippet);
  const context = await browser.newContext();
  try {
    const other = await context.newPage();
    await other.goto(site.url);
    const badge = other.getByRole('img', { name: `${name} on Snapswipe` });
    await expect.poll(() => badge.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(360);
    await badge.click();
    await expect(other).toHaveURL(`${setting('E2E_URL')}/projects/${slug}`);
  } finally {
    await context.close();
    await site.stop();
  }
}

/** Sends the coin's TreasuryCap to a wallet that is not the site's user; the other two caps stay. */
async function sendCapAway(signer: Ed25519Keypair, coinType: string): Promise<void> {
  const chain = sandboxChain();
  const owner = signer.toSuiAddress();
  const { objects } = await chain.listOwnedObjects({ owner, type: `0x2::coin::TreasuryCap<${coinType}>` });
  expect(objects).toHaveLength(1);
  const transaction = new Transaction();
  transaction.transferObjects(
    objects.map(({ objectId }) => transaction.object(objectId)),
    new Ed25519Keypair().toSuiAddress(),
  );
  const sent = await chain.signAndExecuteTransaction({ transaction, signer });
  expect(sent.$kind).toBe('Transaction');
}

async function letWeekPass(database: Database, slug: string): Promise<void> {
  const client = await database.connect();
  try {
    await client.query('BEGIN');
    // The lock of the job: one that runs now may have listed the due proofs already.
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('job:recheck-ownership', 0))`);
    await client.query(
      `UPDATE ownerships SET checked_at = checked_at - interval '8 days' WHERE project_id = (SELECT id FROM projects WHERE slug = $1)`,
      [slug],
    );
    await client.query(`DELETE FROM job_runs WHERE name = 'recheck-ownership'`);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

const read = async (path: string): Promise<unknown> => (await fetch(`${setting('E2E_URL')}${path}`)).json();

/** Waits for the look: a server runs each job that is due when it starts, and the journeys' server runs it every ten minutes. */
async function expectLostAtNextLook(slug: string, coinType: string): Promise<void> {
  const server = await startFurtherServer({ PORT: '0' });
  try {
    await expect
      .poll(() => read(`/api/v1/projects/${slug}/ownership`))
      .toMatchObject({ proof: { state: 'lost', objectType: `0x2::coin::TreasuryCap<${coinType}>` } });
  } finally {
    await endServer(server);
  }
  await expect
    .poll(() => read(`/api/v1/lookup?coin=${encodeURIComponent(coinType)}`))
    .toMatchObject({
      slug,
      line: expect.stringMatching(/ · Ownership no longer proven$/),
      listing: { ownership: 'lost' },
    });
}

async function openFromNotice(page: Page, name: string): Promise<void> {
  await press(page.getByRole('banner').getByRole('button', { name: /^Notifications/ }));
  await press(page.getByRole('menuitem').filter({ hasText: `Your wallet no longer controls the coin of ${name}` }));
  await expectScreenAlive(page, name);
}

test('the wallet that made the coin of an unclaimed listing claims, edits and shows it until its cap is gone, and a stranger who names it in the form cannot [R71 R72 R74]', async ({
  page,
  browser,
  database,
  allowed,
  loads,
}) => {
  test.slow();
  allowed.push(/409.*\/ownership/, /403.*\/ownership/);
  await page.goto('/');
  const [own, name] = [`Own ${uniqueText()}`, `Field ${uniqueText()}`];
  await plantListing(database, { name: own, wallet: await signIn(page) });
  const coinType = await makeCoin(page, own);
  const listing = await plantListing(database, { name, coinType });

  // From a form that names the listing, without a wallet: the claim continues after the sign-in.
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto('/submit-project');
  await stranger.getByRole('textbox', { name: 'Project Name' }).fill(name.toUpperCase());
  const note = stranger.getByRole('status').filter({ hasText: 'It is listed already.' });
  await expectVisibleToPerson(note);
  await press(note.getByRole('link', { name: 'Yours? Claim it, free' }));
  const needed = stranger.getByRole('dialog', { name: `Claim ${name}?` });
  await expectVisibleToPerson(needed.getByText(/^Your wallet must hold the TreasuryCap of /));
  await signIn(stranger, { opener: needed.getByRole('button', { name: 'Connect Wallet' }) });
  await expectToast(stranger, 'Not claimed');
  await expect(needed).toHaveCount(0);
  await stranger.context().close();

  await page.bringToFront();
  loads.expected += 1;
  await openUnclaimed(page, listing);
  await claim(page);
  await expectToast(page, 'This listing is yours');
  await expectVisibleToPerson(lineOf(page).getByText('Ownership proven'));
  await edit(page, name, `Told by those who made ${name}`);
  await showBadge(page, browser, listing, coinType);

  await sendCapAway(await sandboxKeypair(page), coinType);
  await letWeekPass(database, listing.slug);
  await expectLostAtNextLook(listing.slug, coinType);
  await openFromNotice(page, name);
  await expectVisibleToPerson(lineOf(page).getByText('Ownership no longer proven'));
  await expectVisibleToPerson(page.getByRole('button', { name: 'This is mine' }));
});

const tookOver = /Taken over on /;

async function handOver(browser: Browser, name: string): Promise<void> {
  const admin = await enterAsAdmin(browser, 'Moderation');
  const claim = admin.getByRole('listitem').filter({ hasText: name });
  await expectVisibleToPerson(claim.getByText('We share the project'));
  await press(claim.getByRole('button', { name: `Hand over ${name}`, exact: true }));
  const dialog = admin.getByRole('dialog', { name: 'Hand over, keep the fee' });
  await dialog.getByLabel('Reason').fill('Its wallet holds the cap');
  await press(dialog.getByRole('button', { name: 'Hand over' }));
  await expectToast(admin, 'Listing handed over');
  await admin.context().close();
}

test("the wallet that holds the coin of a stranger's paid listing finds it on the landing page, claims it through the sign-in, and gets it from a moderator [R72]", async ({
  page,
  browser,
  database,
}) => {
  test.slow();
  await page.goto('/');
  const [own, name] = [`Own ${uniqueText()}`, `Paid ${uniqueText()}`];
  await plantListing(database, { name: own, wallet: await signIn(page) });
  const coinType = await makeCoin(page, own);
  const lister = await enter(browser);
  const listing = await plantListing(database, { name, wallet: lister.wallet });
  await database.query('UPDATE projects SET coin_type = $1, transaction_hash = slug WHERE id = $2', [
    coinType,
    listing.id,
  ]);

  // Two presses from the landing page to what the wallet must hold.
  await page.bringToFront();
  await press(page.getByRole('dialog', { name: 'Update Project' }).getByRole('button', { name: 'Cancel' }));
  await chooseInMenu(page, 'Disconnect Wallet');
  await press(logo(page));
  await page.getByRole('heading', { name: 'How It Works' }).scrollIntoViewIfNeeded();
  const search = page.getByRole('searchbox', { name: 'Name, coin or package' });
  await press(search);
  await search.fill(name);
  await press(page.getByRole('listitem').filter({ hasText: name }).getByRole('link', { name: 'This is mine' }));
  const dialog = page.getByRole('dialog', { name: `Claim ${name}?` });
  await expectVisibleToPerson(dialog.getByText(/^Your wallet must hold the TreasuryCap of .* a moderator decides/));
  await signIn(page, { opener: dialog.getByRole('button', { name: 'Connect Wallet' }) });
  await expectToast(page, 'Claimed');

  await lister.page.bringToFront();
  await lister.page.goto(`/projects/${listing.slug}`);
  await lister.page.getByLabel('Your answer').fill('We share the project');
  await press(lister.page.getByRole('button', { name: 'Send answer' }));
  await expectToast(lister.page, 'Answer sent');
  await lister.page.context().close();

  await handOver(browser, name);
  await page.bringToFront();
  await openFromPortfolio(page, name);
  await expectVisibleToPerson(lineOf(page).getByText(tookOver));
  await expectVisibleToPerson(lineOf(page).getByText('Ownership proven'));
});
