/** A change of mind: a vote, its result, and the next day, with all 25 votes used, the opposite, which the chart shows. */
import { readFile } from 'node:fs/promises';
import { dayText } from '#shared/text/day-text.ts';
import { chooseInMenu, type Database, expect, logo, press, signIn, test } from './door.ts';
import { letDaysPass } from './older-votes.ts';
import { expectContentAlive, expectVisibleToPerson } from './see.ts';

const DAY_MS = 86_400_000;

/** Fills the window of the wallet. */
const useAllVotes = (database: Database, wallet: string) =>
  database.query(
    `UPDATE user_stats SET window_votes = 25, window_started_at = now() WHERE user_id = (SELECT id FROM users WHERE wallet_address = $1)`,
    [wallet],
  );

test('a person who has used all 25 votes changes their mind about a vote of the day before, which takes its reason away, and the chart shows it [R57 R59 R89]', async ({
  page,
  database,
  loads,
  isMobile,
}) => {
  // The devices change their minds at the same time.
  await page.goto(isMobile ? '/projects/relaykite' : '/projects/harborline');
  const panel = page.getByRole('region', { name: 'Your vote' });
  const [bullish, bearish] = [
    panel.getByRole('button', { name: 'Bullish' }),
    panel.getByRole('button', { name: 'Bearish' }),
  ];
  const reason = panel.getByRole('group', { name: /^Why\?/ }).getByRole('button', { name: 'Token' });
  const wallet = await signIn(page, { opener: bullish });
  await expect(panel.getByText(/^\d+ of \d+ others? voted like you$/)).toBeVisible({ timeout: 20_000 });
  await press(reason);
  await expect(reason).toHaveAttribute('aria-pressed', 'true');
  await expect(panel.getByText(`Bullish since ${dayText(new Date().toISOString())}`)).toBeVisible();
  await expectVisibleToPerson(panel.getByText(/^Counts on Monday \d+ \w+, if you hold 1 SUI$/));

  await letDaysPass(database, wallet, { days: 1 });
  loads.expected += 1;
  await page.reload();
  await expectVisibleToPerson(panel.getByText(`Bullish since ${dayText(new Date(Date.now() - DAY_MS).toISOString())}`));
  await useAllVotes(database, wallet);
  await press(logo(page));
  await expectVisibleToPerson(page.getByText('Rate limit reached').first());
  const used = page.getByRole('region', { name: 'All votes used' });
  await expectVisibleToPerson(used.getByText('25 of 25, +250 Snaps'));
  await expectVisibleToPerson(used.getByText(/^25 votes from \d\d:\d\d$/));
  await expectVisibleToPerson(used.getByRole('link', { name: 'Leaderboard' }));
  await chooseInMenu(page, 'Portfolio');
  await press(page.getByRole('link', { name: /^Change your vote on / }));
  await expect(panel.getByText('Bearish now, or still bullish?')).toBeVisible();
  await press(panel.getByRole('button', { name: 'Cancel' }));
  await expectVisibleToPerson(reason);
  await expect(reason).toHaveAttribute('aria-pressed', 'true');
  await press(panel.getByRole('button', { name: 'Change' }));
  await expect(bearish).toBeFocused();
  await expect(panel.getByText('Bearish now, or still bullish?')).toBeVisible();
  await press(bearish);
  await expect(bearish).toHaveAttribute('aria-pressed', 'true');
  await expect(panel.getByText(/^\d+ of \d+ others? voted like you$/)).toBeVisible({ timeout: 20_000 });
  await expectVisibleToPerson(panel.getByText(`Bearish since ${dayText(new Date().toISOString())}`));
  await expect(panel.getByRole('button', { name: 'Change' })).toHaveCount(0);
  await expectVisibleToPerson(reason);
  await expect(reason).toHaveAttribute('aria-pressed', 'false');

  await expectContentAlive(page);

  await chooseInMenu(page, 'Portfolio');
  const recent = page.getByRole('region', { name: 'Recent Voting History' }).getByRole('listitem');
  await expect(recent).toHaveText([/Bearish.*\+10 tokens/]);
  const calls = page.getByRole('region', { name: 'Your calls' });
  const today = dayText(new Date().toISOString());
  await expectVisibleToPerson(calls.getByRole('listitem').getByText(new RegExp(`^Bearish ${today}( at .+, now .+)?$`)));
  await expectVisibleToPerson(calls.getByText(/^None of your calls counts yet/));
  const saved = page.waitForEvent('download');
  await press(calls.getByRole('button', { name: 'Share a picture' }));
  const picture = await readFile(await (await saved).path());
  expect([picture.subarray(1, 4).toString(), picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([
    'PNG',
    1200,
    630,
  ]);
  await expectContentAlive(page);
});
