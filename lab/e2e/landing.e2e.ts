import { YELLOW_FROM_PERCENT } from '#shared/constants.ts';
import { listProjects } from '#shared/contract/projects.ts';
import type { ResponseOf } from '#shared/endpoint.ts';
import { expectAccessible } from './accessibility.ts';
import { responseError, changeHtml, expect, test, topCardOf } from './fixtures.ts';
import { ownResponse, reject, respond } from './made-up.ts';

test('shows a visitor what this is, with live example cards [S1.2 S2.18 S9.8]', async ({ page }) => {
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

test('the badge of a card is green from 50 percent on, red below, and neutral before the first vote [S1.2]', async ({
  page,
}) => {
  await page.route('**/api/projects', async (route) => {
    const projects = await ownResponse(route, listProjects);
    const counts = [
      [1, 1],
      [49, 51],
      [0, 0],
    ] as const;
    const body = projects.slice(0, 3).map((project, i) => {
      const [bullishCount, bearishCount] = counts[i] ?? [0, 0];
      return { ...project, bullishCount, bearishCount, totalVotes: bullishCount + bearishCount };
    });
    await respond(route, listProjects, body);
  });
  await page.goto('/');
  const how = page.getByRole('region', { name: 'How It Works' });
  expect(YELLOW_FROM_PERCENT).toBe(50);
  const fifty = how.getByText('50% bullish', { exact: true });
  const fortyNine = how.getByText('49% bullish', { exact: true });
  const none = how.getByText('No votes yet', { exact: true });
  const lightOf = (place: typeof fifty) => place.evaluate((badge) => getComputedStyle(badge).color);
  const probe = (token: string) =>
    page.evaluate((name) => {
      const element = document.body.appendChild(document.createElement('i'));
      element.style.color = `var(${name})`;
      const { color } = getComputedStyle(element);
      element.remove();
      return color;
    }, token);
  await expect(fifty).toBeVisible();
  expect(await lightOf(fifty)).toBe(await probe('--c-bull'));
  expect(await lightOf(fortyNine)).toBe(await probe('--c-bear'));
  expect(await lightOf(none)).toBe(await probe('--c-muted'));
  await expect(how.getByText(/^0% bullish/)).toHaveCount(0);
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

test('links that a deployment has not set are not shown [S1.2]', async ({ page }) => {
  await changeHtml(page, '/', (html) => html.replace(/"(chatUrl|socialUrl)":"[^"]*"/g, '"$1":null'));
  await page.goto('/');
  const footer = page.getByRole('navigation', { name: 'Footer' });
  await expect(footer.getByRole('link', { name: 'Leaderboard' })).toBeVisible();
  await expect(footer.getByRole('link', { name: /Chat group|Follow us/ })).toHaveCount(0);
});

test('without projects, and when they cannot be read [S2.18 S8.2]', async ({ page, allowed }) => {
  allowed.push(responseError(503, '/api/projects'));
  await page.route('**/api/projects', (route) => reject(route, 503, { error: 'x', message: 'y' }));
  await page.goto('/');
  const how = page.getByRole('region', { name: 'How It Works' });
  await expect(how.getByText('Failed to fetch preview projects')).toBeVisible();
  await page.unroute('**/api/projects');
  await page.route('**/api/projects', (route) => respond(route, listProjects, []));
  await how.getByRole('button', { name: 'Try again' }).click();
  await expect(how.getByText('No projects yet')).toBeVisible();
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

test('the main network needs no banner [R21]', async ({ page }) => {
  await changeHtml(page, '/', (html) => html.replace('"network":"localnet"', '"network":"mainnet"'));
  await page.goto('/');
  await expect(page.getByRole('complementary', { name: 'Network' })).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('the voting home: axe finds nothing in either theme [S2.11]', async ({ page, newUser }) => {
  await newUser();
  await page.goto('/');
  await expect(topCardOf(page)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Top Projects' }).getByRole('listitem')).toHaveCount(3);
  await expectAccessible(page);
});
