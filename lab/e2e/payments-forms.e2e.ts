import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { expectAccessible } from './accessibility.ts';
import { responseError, expect, test } from './fixtures.ts';
import { reject } from './made-up.ts';
import { addOwnProject, failWith, openPayments, sendAgain, signPayment, takeUp, toastOf } from './paying.ts';
import { uniqueText } from './unique.ts';

const payButton = (page: Page) => page.getByRole('button', { name: 'Pay 15 SUI & Submit Project' });

async function fillForm(page: Page, name: string): Promise<void> {
  const buffer = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#0e6ea0' } })
    .png()
    .toBuffer();
  await page.getByRole('textbox', { name: 'Project Name' }).fill(name);
  await page.getByRole('combobox', { name: 'Category' }).selectOption('Meme');
  await page.getByRole('textbox', { name: 'Description' }).fill('A reef where memes grow into coral');
  await page.getByRole('textbox', { name: 'X Account Link' }).fill('https://x.com/coralreef');
  await page.getByLabel('Project Image').setInputFiles({ name: 'coral.png', mimeType: 'image/png', buffer });
  await expect(page.getByAltText('Preview of the project')).toBeVisible();
}

test('a listing whose payment was not sent keeps what was typed and no live pay button, and is cleared once it is paid [S4.7 R16]', async ({
  page,
  newPayer,
  database,
  allowed,
}) => {
  const name = `Kept ${uniqueText()}`;
  const { address } = await newPayer();
  await page.goto('/submit-project');
  await fillForm(page, name);
  allowed.push(responseError(403, '/api/payments/*/execute'));
  await page.route('**/api/payments/*/execute', failWith(403));
  await payButton(page).click();
  await signPayment(page);
  await expect(openPayments(page).getByText('Not sent yet')).toBeVisible();
  await expect(openPayments(page).getByText(`New listing of ${name}, 15 SUI.`)).toBeVisible();
  await expect(payButton(page)).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Project Name' })).toHaveValue(name);
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Not sent yet' })).toBeDisabled();
  await expect(page.getByRole('textbox', { name: 'Project Name' })).toHaveValue(name);
  await sendAgain(page);
  await expect(page.getByRole('textbox', { name: 'Project Name' })).toHaveValue('');
  await takeUp(database, address);
  await page.waitForURL((url) => url.pathname === '/');
  await expect(toastOf(page).getByText('Project submitted successfully!')).toBeVisible({ timeout: 40_000 });
  const { rowCount } = await database.query('SELECT 1 FROM projects WHERE name = $1', [name]);
  expect(rowCount).toBe(1);
});

test('a paid listing rejected with 429 goes home as received, and is listed once [S8.10 R16]', async ({
  page,
  newPayer,
  database,
  allowed,
}) => {
  const name = `Limited ${uniqueText()}`;
  const { address } = await newPayer();
  await page.goto('/submit-project');
  await fillForm(page, name);
  allowed.push(responseError(429, '/api/projects'));
  await page.route('**/api/projects', (route) =>
    route.request().method() === 'POST'
      ? reject(route, 429, { error: 'rate_limited', message: 'Too many requests.' })
      : route.fallback(),
  );
  await payButton(page).click();
  await signPayment(page);
  await expect(toastOf(page).getByText('Payment received, finishing…')).toBeVisible();
  await page.waitForURL((url) => url.pathname === '/');
  await expect(openPayments(page).getByText('Payment received, finishing…')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Payment received, finishing…' })).toBeDisabled();
  await takeUp(database, address);
  await expect(toastOf(page).getByText('Project submitted successfully!')).toBeVisible({ timeout: 40_000 });
  await expect(payButton(page)).toBeEnabled();
  const { rowCount } = await database.query('SELECT 1 FROM projects WHERE name = $1', [name]);
  expect(rowCount).toBe(1);
});

test('a paid update rejected with 401 closes its dialog as received, and is done once [S8.11 R16]', async ({
  page,
  newPayer,
  database,
  allowed,
}) => {
  const { id, address } = await newPayer();
  const name = await addOwnProject(database, id);
  await page.goto('/portfolio');
  allowed.push(responseError(401, '/api/projects/*/update'));
  await page.route('**/api/projects/*/update', (route) =>
    reject(route, 401, { error: 'not_signed_in', message: 'User not logged in' }),
  );
  await page.getByRole('button', { name: `Update (5 SUI) ${name}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Update Project' });
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Grown up');
  await dialog.getByRole('button', { name: 'Pay 5 SUI & Update' }).click();
  await signPayment(page);
  await expect(toastOf(page).getByText('Payment received, finishing…')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  // The page took the 401 for the end of the session; the payment is here again after the next sign-in.
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await expect(page.getByRole('button', { name: `Update (5 SUI) ${name}` })).toHaveCount(0);
  await takeUp(database, address);
  await expect(page.getByText('Grown up')).toBeVisible({ timeout: 40_000 });
  await expect(page.getByRole('button', { name: `Update (5 SUI) ${name}` })).toBeEnabled();
});
