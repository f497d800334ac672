import type { listProjects } from '#shared/contract/projects.ts';
import type { ResponseOf } from '#shared/endpoint.ts';
import { expectAccessible } from './accessibility.ts';
import { responseError, expect, test, topCardOf } from './fixtures.ts';

test('the landing page shows a visitor what this is, with live example cards [S1.2 S2.18 S9.8]', async ({ page }) => {
  const listed = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/projects');
  await page.goto('/');
  await expect(page).toHaveTitle('Snapswipe · Swipe. Vote. Earn.');
  await expect(page.getByRole('heading', { level: 1, name: 'Swipe. Vote. Earn.' })).toBeVisible();
  await expect(page.getByText('25 votes every 6 hours')).toBeVisible();

  const projects = (await (await listed).json()) as ResponseOf<typeof listProjects>;
  const how = page.getByRole('region', { name: 'How It Works' });
  const cards = how.getByRole('list').last().getByRole('listitem');
  await expect(cards).toHaveCount(3);
  for (const [i, project] of projects.slice(0, 3).entries()) {
    const card = cards.nth(i);
    await expect(card.getByRole('heading', { name: project.name })).toBeVisible();
    await expect(card.getByText(project.description)).toBeVisible();
    await expect(card.getByText(`${project.totalVotes.toLocaleString()} vote`)).toBeVisible();
    await expect(card.getByRole('link')).toHaveAttribute('href', `/projects/${project.slug}`);
    await card.scrollIntoViewIfNeeded();
    const picture = card.locator('img');
    await expect(picture).toHaveAttribute('src', /^\/images\/[0-9a-f]+\.webp$/);
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }

  await expect(page.getByRole('region', { name: 'Votes you can check' })).toBeVisible();
  const start = page.getByRole('region', { name: 'Ready to Get Started?' });
  await start.getByRole('button', { name: 'Connect Wallet' }).click();
  await expect(page.getByRole('dialog', { name: 'Connect Wallet' })).toBeVisible();
});

test('the footer links to the chat group and the social account of the deployment [S1.2 R26]', async ({ page }) => {
  await page.goto('/');
  const footer = page.getByRole('navigation', { name: 'Footer' });
  for (const [name, href] of [
    ['Chat group', 'https://chat.example/snapswipe'],
    ['Follow us', 'https://x.com/snapswipe'],
  ] as const) {
    const link = footer.getByRole('link', { name });
    await expect(link).toHaveAttribute('href', href);
    await expect(link).toHaveAttribute('target', '_blank');
    await expect(link).toHaveAttribute('rel', 'noopener nofollow ugc');
  }
});

test('a network that is not the main one is named on every page [R21]', async ({ page, allowed }) => {
  allowed.push(responseError(404, '/nowhere'));
  for (const path of ['/', '/leaderboard', '/nowhere']) {
    await page.goto(path);
    await expect(page.getByRole('complementary', { name: 'Network' })).toHaveText(
      'Sui localnet: test network, no real value',
    );
  }
});

test('axe finds nothing on the voting home in either theme [S2.11]', async ({ page, newUser }) => {
  await newUser();
  await page.goto('/');
  await expect(topCardOf(page)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Top Projects' }).getByRole('listitem')).toHaveCount(3);
  await expectAccessible(page);
});
