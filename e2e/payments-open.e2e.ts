import { SuiGrpcClient } from '@mysten/sui/grpc';
import type { Page, Route } from '@playwright/test';
import type { Pool } from 'pg';
import sharp from 'sharp';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

const FEE_MIST = 15_000_000_000n;
/** More than one transaction can cost in gas here. */
const GAS_MIST = 50_000_000n;
const chain = () => new SuiGrpcClient({ network: 'localnet', baseUrl: process.env.E2E_RPC_URL ?? '' });
const balanceMist = async (owner: string) => BigInt((await chain().getBalance({ owner })).balance.balance);

const toastOf = (page: Page) => page.getByRole('region', { name: /Notification/ });
const openPayments = (page: Page) => page.getByRole('region', { name: 'Open payments' });
const renewButton = (page: Page, name: string) => page.getByRole('button', { name: `Renew (15 SUI) ${name}` });

/** After a load of the page the wallet is asked for first; then it shows what it is to sign. */
async function sign(page: Page): Promise<void> {
  const connect = page.getByRole('dialog', { name: 'Connect to Snapswipe?' }).getByRole('button', { name: 'Approve' });
  const transaction = page.getByRole('dialog', { name: 'Sign this transaction?' });
  await expect(connect.or(transaction)).toBeVisible();
  if (await connect.isVisible()) await connect.click();
  await transaction.getByRole('button', { name: 'Sign' }).click();
}

async function walletOf(page: Page): Promise<{ id: number; address: string }> {
  const cached = await page.evaluate(() => localStorage.getItem('snapswipe_user'));
  const { user } = JSON.parse(cached ?? 'null') as { user: { id: number; walletAddress: string } };
  return { id: user.id, address: user.walletAddress };
}

interface Owner {
  address: string;
  name: string;
  beforeMist: bigint;
}

/** A signed-in owner of one project, on the portfolio; the wallet is the sandbox's own. */
async function ownerOnPortfolio(page: Page, database: Pool, signIn: () => Promise<void>): Promise<Owner> {
  await page.goto('/leaderboard');
  await signIn();
  const { id, address } = await walletOf(page);
  const name = `Owned ${Date.now()}`;
  await database.query(
    `WITH project AS (
       INSERT INTO projects (slug, name, category, description, image_hash, twitter_handle, owner_id, expires_at)
       SELECT $2, $3, category, description, image_hash, twitter_handle, $1, now() + interval '10 days' FROM projects LIMIT 1
       RETURNING id
     ) INSERT INTO project_stats (project_id) SELECT id FROM project`,
    [id, name.toLowerCase().replace(' ', '-'), name],
  );
  await page.goto('/portfolio');
  await expect(renewButton(page, name)).toBeEnabled();
  return { address, name, beforeMist: await balanceMist(address) };
}

/** Once paid, and not twice. */
async function expectPaidOnce({ address, beforeMist }: Owner): Promise<void> {
  const paid = beforeMist - (await balanceMist(address));
  expect(paid).toBeGreaterThanOrEqual(FEE_MIST);
  expect(paid).toBeLessThan(FEE_MIST + GAS_MIST);
}

/** The browser's own console lines about the responses that a journey makes up. */
function dropMadeUp(complaints: string[]): void {
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !/Failed to load resource/.test(text)));
}

const failWith = (status: number) => (route: Route) =>
  status === 0
    ? route.abort('internetdisconnected')
    : route.fulfill({ status, json: { error: 'injected', message: 'Something in between said no.' } });

for (const status of [401, 403, 409, 429, 500, 0]) {
  test(`after the chain took the money, ${status || 'a lost connection'} on the renewal is no failure: one payment, renewed [S8.12 R16]`, async ({
    page,
    context,
    signIn,
    database,
    complaints,
  }) => {
    const owner = await ownerOnPortfolio(page, database, signIn);
    await page.route('**/api/projects/*/renew', failWith(status));
    await renewButton(page, owner.name).click();
    await sign(page);
    await expect(toastOf(page).getByText('Payment received, finishing…')).toBeVisible();
    // The server's job comes to it in the end only.
    const tryAgain = (when: string) =>
      database.query(
        `UPDATE payments SET next_try_at = ${when} FROM users WHERE users.id = user_id AND wallet_address = $1`,
        [owner.address],
      );
    await tryAgain("now() + interval '1 hour'");
    await expect(toastOf(page).getByText('Renewal failed')).toHaveCount(0);
    await expect(openPayments(page).getByText('Payment received, finishing…')).toBeVisible();
    await expect(renewButton(page, owner.name)).toHaveCount(0);
    // Neither after a reload nor in a second tab is there another button.
    await page.reload();
    const second = await context.newPage();
    await second.goto('/portfolio');
    for (const tab of [page, second]) {
      await expect(openPayments(tab).getByText('Payment received, finishing…')).toBeVisible();
      await expect(tab.getByRole('heading', { name: owner.name })).toBeVisible();
      await expect(renewButton(tab, owner.name)).toHaveCount(0);
      await expect(tab.getByRole('button', { name: /Payment received, finishing/ })).toBeDisabled();
    }
    await tryAgain('now()');
    await expect(page.getByText('40d 23h remaining')).toBeVisible({ timeout: 40_000 });
    await expect(openPayments(page)).toHaveCount(0);
    await expect(renewButton(page, owner.name)).toBeEnabled();
    await expectPaidOnce(owner);
    // The browser tells of responses that this journey makes up.
    dropMadeUp(complaints);
  });
}

test('an execution that never got a response is not sent yet: kept over home and reload, sent again, paid once [R16]', async ({
  page,
  signIn,
  database,
  complaints,
}) => {
  const owner = await ownerOnPortfolio(page, database, signIn);
  await page.route('**/api/payments/*/execute', failWith(0));
  await renewButton(page, owner.name).click();
  await sign(page);
  await expect(toastOf(page).getByText('Not sent yet')).toBeVisible();
  await expect(page.getByText('Payment received')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Not sent yet' })).toBeDisabled();
  await expectAccessible(page);
  await page.goto('/');
  await expect(openPayments(page).getByText('Not sent yet')).toBeVisible();
  expect(owner.beforeMist - (await balanceMist(owner.address))).toBe(0n);
  await page.unroute('**/api/payments/*/execute');
  await openPayments(page).getByRole('button', { name: 'Send again' }).click();
  await expect(openPayments(page).getByText('Payment received, finishing…')).toBeVisible();
  await expect(toastOf(page).getByText('Project renewed!')).toBeVisible({ timeout: 40_000 });
  await expect(openPayments(page)).toHaveCount(0);
  await expectPaidOnce(owner);
  dropMadeUp(complaints);
});

test('what was not sent can be given up: nothing is paid, not even by a request that comes late [R16]', async ({
  page,
  signIn,
  database,
  complaints,
}) => {
  const owner = await ownerOnPortfolio(page, database, signIn);
  let late: { url: string; data: unknown } | null = null;
  await page.route('**/api/payments/*/execute', async (route) => {
    late ??= { url: route.request().url(), data: route.request().postDataJSON() as unknown };
    await route.abort('internetdisconnected');
  });
  await renewButton(page, owner.name).click();
  await sign(page);
  await openPayments(page).getByRole('button', { name: 'Cancel payment' }).click();
  await expect(toastOf(page).getByText('Payment cancelled')).toBeVisible();
  await expect(openPayments(page)).toHaveCount(0);
  await expect(renewButton(page, owner.name)).toBeEnabled();
  const { url, data } = late ?? { url: '', data: null };
  expect((await page.request.post(url, { data })).status()).toBe(409);
  expect(await balanceMist(owner.address)).toBe(owner.beforeMist);
  dropMadeUp(complaints);
});

test('a digest that nobody has seen is being looked for, never received [R17]', async ({ page, newUser }) => {
  const { address: submittedBy } = await newUser();
  await page.goto('/portfolio');
  const digest = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';
  const image = await sharp({ create: { width: 60, height: 80, channels: 3, background: '#0e6ea0' } })
    .png()
    .toBuffer();
  const imageUrl = `data:image/png;base64,${image.toString('base64')}`;
  const listing = { name: 'Foghorn', category: 'DeFi', description: 'Unseen', twitterHandle: 'foghornreef', imageUrl };
  const claimed = await page.request.post('/api/projects', {
    data: { ...listing, submittedBy, transactionHash: digest },
  });
  expect(await claimed.json()).toMatchObject({ status: 'pending', phase: 'looking' });
  await page.reload();
  await expect(openPayments(page).getByText('Looking for your payment')).toBeVisible();
  await expect(page.getByText('Payment received')).toHaveCount(0);
  await expectAccessible(page);
});

test('two tabs: while one is paying, the other does not open the wallet [R16]', async ({
  page,
  context,
  signIn,
  database,
}) => {
  const owner = await ownerOnPortfolio(page, database, signIn);
  const second = await context.newPage();
  await second.goto('/portfolio');
  await expect(renewButton(second, owner.name)).toBeEnabled();
  await renewButton(page, owner.name).click();
  await expect(page.getByRole('dialog', { name: /Sign this transaction|Connect to Snapswipe/ })).toBeVisible();
  await renewButton(second, owner.name).click();
  await expect(toastOf(second).getByText('Payment in progress')).toBeVisible();
  await expect(second.getByRole('dialog')).toHaveCount(0);
  await sign(page);
  await expect(toastOf(page).getByText('Project renewed!')).toBeVisible();
  await expectPaidOnce(owner);
});
