import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { getTrust } from '#shared/contract/standing.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, test, withoutFirstData } from './fixtures.ts';
import { ownResponse, respond } from './made-up.ts';

async function unfold(page: Page, name: string): Promise<Locator> {
  const part = page.getByRole('region', { name, exact: true });
  await part.locator('summary').first().click();
  return part;
}

test('explains how votes are checked, with figures as a chart and as a table [R44]', async ({ page }) => {
  const day = (at: number) => new Date(Date.UTC(2026, 0, at)).toISOString().slice(0, 10);
  const counted = { votes: 43, verified: 30, waiting: 6, noStanding: 4, rhythm: 2, moderator: 1, replaced: 0 };
  await page.route('**/api/trust', async (route) => {
    const days = Array.from({ length: 35 }, (_, at) => ({ day: day(at + 1), ...counted }));
    const trust = await ownResponse(route, getTrust);
    await respond(route, getTrust, { ...trust, ...counted, days, day: new Date().toISOString().slice(0, 10) });
  });
  await withoutFirstData(page, '/trust');
  await page.goto('/trust');
  const today = page.getByRole('region', { name: /^Votes/ });
  await expect(today.getByRole('term').first()).toHaveText(/^Verified/);
  await today.getByText('By reason and by day').click();
  await today.getByText('Show the 35 days as a table').click();
  await expect(today.getByRole('table').getByRole('row')).toHaveCount(36);
  const ranking = await unfold(page, 'How the leaderboard ranks');
  await expect(ranking.getByRole('term')).toHaveText(['Bullish', 'Verified', 'New', 'Trending']);
  await expectAccessible(page);
});

test('/trust leads to the definition of the record and to a verifier with the hash beside it [R63]', async ({
  page,
}) => {
  await page.goto('/trust');
  const check = page.getByRole('region', { name: 'Check it' });
  const download = page.waitForEvent('download');
  await check.getByRole('link', { name: 'verify.mjs', exact: true }).click();
  const file = await readFile(await (await download).path());
  const said = await (await page.request.get('/trust/verify.mjs.sha256')).text();
  expect(said).toBe(`${createHash('sha256').update(file).digest('hex')}  verify.mjs\n`);
  await check.getByRole('link', { name: 'the format of the record' }).click();
  await expect(page.getByRole('heading', { name: 'The public record', level: 1 })).toBeVisible();
  await expectAccessible(page);
  await page.goBack();
  await expect(check).toBeVisible();
});
