import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { getRecord, type RecordSummary } from '#shared/contract/record.ts';
import { getTrust } from '#shared/contract/standing.ts';
import { expectAccessible } from './accessibility.ts';
import { enterPassword, expect, responseError, test, voteOverHttp, withoutFirstData } from './fixtures.ts';
import { ownResponse, respond } from './made-up.ts';

const NO_RECORD: RecordSummary = {
  isPublished: false,
  origin: null,
  verifierKey: null,
  anchorSender: null,
  restores: [],
  witnesses: [],
  checkpoints: [],
};

async function unfold(page: Page, name: string): Promise<Locator> {
  const part = page.getByRole('region', { name, exact: true });
  await part.locator('summary').first().click();
  return part;
}

test('explains how votes are checked, with figures as a chart and as a table; an empty part explains that it is empty [R44]', async ({
  page,
}) => {
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

  await page.unroute('**/api/trust');
  await page.route('**/api/trust', async (route) => {
    const trust = await ownResponse(route, getTrust);
    const none = { votes: 0, verified: 0, waiting: 0, noStanding: 0, rhythm: 0, moderator: 0, replaced: 0 };
    await respond(route, getTrust, { ...trust, ...none, days: [], readings: [], day: null });
  });
  await page.route('**/api/record', (route) => respond(route, getRecord, NO_RECORD));
  await page.reload();
  await expect(page.getByText('First figures tomorrow', { exact: false })).toBeVisible();
  await expect((await unfold(page, 'Balance checks')).getByText('No day has been checked yet.')).toBeVisible();
  await expect((await unfold(page, 'The public record')).getByText('This server publishes no record')).toBeVisible();
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

test('the admin reads balances and publishes on request; /trust then shows the record [R37 R40 R41]', async ({
  page,
  allowed,
  newAdmin,
  newUserElsewhere,
}) => {
  // The day may have been read before, and a vote that is still open elsewhere may hold a batch back.
  allowed.push(responseError(409, '/api/admin/standing/read'), responseError(409, '/api/admin/record/publish'));
  const voter = await newUserElsewhere();
  await voteOverHttp(voter.page.request, voter.user.id, 1);
  await newAdmin();
  await page.goto('/admin');
  await enterPassword(page);
  await page.getByRole('tab', { name: 'Votes' }).click();
  await page.getByRole('button', { name: 'Read balances now' }).click();
  const toast = page.getByRole('region', { name: /Notification/ }).getByRole('listitem');
  await expect(toast).toContainText(/wallets? held enough SUI|read already/);
  // The site publishes within minutes of its start.
  await expect(async () => {
    await page.getByRole('button', { name: 'Publish now' }).click();
    await expect(toast).toContainText(/Every day that is over is published already/);
  }).toPass();
  await expectAccessible(page);
  await page.goto('/trust');
  const seal = await unfold(page, 'The public record');
  await expect(seal.getByText(/^[\w+/]{43}=$/)).toBeVisible();
  await expect(seal.getByText(/0x[0-9a-f]{64}/)).toBeVisible();
  await expectAccessible(page);
});
