import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import type { Page } from '@playwright/test';
import { SESSION_CACHE_KEY } from '#shared/constants.ts';
import { expect, insertVotes, signInOverHttp, test } from './fixtures.ts';

const cacheOf = (page: Page) => page.evaluate((key) => localStorage.getItem(key), SESSION_CACHE_KEY);

async function forgeCache(page: Page, id: number, walletAddress: string): Promise<void> {
  const links = { avatarUrl: null, twitterLink: null, telegramLink: null, discordLink: null };
  const counters = { totalVotes: 1, bullishVotes: 1, bearishVotes: 0, currentStreak: 1 };
  const more = { tokenBalance: 999_999, bullishPercentage: 100, tokensEarned: 10, streak: 1 };
  const cache = { user: { id, username: null, walletAddress, ...links }, stats: { ...counters, ...more } };
  await page.addInitScript(
    ([key, text]) => {
      if (sessionStorage.getItem('forged')) return;
      sessionStorage.setItem('forged', 'once');
      localStorage.setItem(key ?? '', text ?? '');
    },
    [SESSION_CACHE_KEY, JSON.stringify(cache)],
  );
}

test('signing in stores user and stats, which the next visit gets with its page [S3.1 S3.2 S7.2]', async ({
  page,
  signIn,
}) => {
  await page.goto('/');
  await signIn();
  const stored = JSON.parse((await cacheOf(page)) ?? '{}') as { user: Record<string, unknown>; stats: object };
  expect(stored).toMatchObject({
    user: { id: expect.any(Number), walletAddress: expect.any(String), username: null },
    stats: { tokenBalance: 0, totalVotes: 0, bullishVotes: 0, bearishVotes: 0, currentStreak: 0 },
  });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.evaluate((key) => {
    const copy = JSON.parse(localStorage.getItem(key) ?? '{}') as { stats: { tokenBalance: number } };
    copy.stats.tokenBalance = 999_999;
    localStorage.setItem(key, JSON.stringify(copy));
  }, SESSION_CACHE_KEY);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Project cards' })).toBeVisible();
  expect(JSON.parse((await cacheOf(page)) ?? '{}')).toMatchObject(stored);
  expect(asked).not.toContain('/api/auth/wallet');
});

test("a forged session in local storage opens nothing, and the server's answer removes it [S6.4 R3 R4]", async ({
  page,
  database,
  allowed,
}) => {
  // Reads that were sent before the first of these responses came.
  allowed.push(/status of 401 \(Unauthorized\)/);
  const victim = await signInOverHttp(new Ed25519Keypair());
  const secret = `https://t.me/only_mine_${victim.id}`;
  await database.query('UPDATE users SET telegram_link = $2 WHERE id = $1', [victim.id, secret]);
  await insertVotes(database, victim.id, 'SELECT id FROM projects ORDER BY id LIMIT 1');
  await forgeCache(page, victim.id, victim.address);
  const leaked: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith(`/api/users/${victim.id}/`) && response.ok()) leaked.push(pathname);
  });
  await page.goto('/profile');
  await expect(page.getByRole('heading', { name: 'Please connect your wallet' })).toBeVisible();
  await expect.poll(() => cacheOf(page)).toBeNull();
  await expect(page.getByText(secret)).toHaveCount(0);
  await expect(page.locator(`input[value="${secret}"]`)).toHaveCount(0);
  await expect(page.getByRole('banner').getByText('999,999')).toHaveCount(0);
  for (const path of ['stats', 'voting-status', 'votes', 'activity']) {
    const response = await page.request.get(`/api/users/${victim.id}/${path}`);
    expect(response.status(), path).toBe(401);
  }
  expect(leaked).toEqual([]);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Swipe. Vote. Earn.' })).toBeVisible();
});

test('a visitor reads landing page, leaderboard and projects; every other screen asks to connect [S6.1]', async ({
  page,
}) => {
  for (const [path, heading] of [
    ['/leaderboard', 'Project Leaderboard'],
    ['/projects/tidepool-swap', 'Tidepool Swap'],
    ['/', 'Swipe. Vote. Earn.'],
    ['/subscription', 'Please connect your wallet'],
    ['/profile', 'Please connect your wallet'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  }
  for (const path of ['/submit-project', '/portfolio']) {
    await page.goto(path);
    const main = page.getByRole('main');
    await expect(main.getByText(/connect your wallet/i).first()).toBeVisible();
    await expect(main.getByRole('button', { name: 'Connect Wallet' }).first()).toBeVisible();
  }
});
