import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { parseVerifier } from '#record/log/note.ts';
import { parseProofFile, verifyProofFile } from '#record/log/proof-file.ts';
import type { RecordSummary } from '#shared/contract/record.ts';
import { storedVotes, voteAsPerson } from './deck.ts';
import { chooseInMenu, deckOf, expect, press, signIn } from './door.ts';
import { onOwnSite } from './own-site.ts';
import {
  contrastOf,
  expectAtRest,
  expectContentAlive,
  expectScreenAlive,
  expectVisibleToPerson,
  watchGeometry,
} from './see.ts';

/** A site of its own, whose day ends. */
const test = onOwnSite();

const LOOK_MS = 500;
const IN_THE_RECORD = /In the record of .+, on Sui/;

const cardOf = (page: Page): Locator => page.getByRole('region', { name: 'Your votes in the public record' });

async function expectVotesChecked(page: Page, names: readonly string[]): Promise<void> {
  const card = cardOf(page);
  const rows = card.getByRole('list', { name: 'Your votes in the record' }).getByRole('listitem');
  await expect(rows).toHaveCount(names.length);
  for (const name of names) {
    const row = rows.filter({ hasText: name });
    const words = row.getByText(IN_THE_RECORD);
    await expectVisibleToPerson(words);
    expect(await contrastOf(words), `contrast of the words about ${name}`).toBeGreaterThanOrEqual(4.5);
    await expectVisibleToPerson(row.getByRole('button', { name: `Download proof of your vote on ${name}` }));
  }
  await expectVisibleToPerson(card.getByText('2 votes are in the record, exactly as cast.'));
  await expectVisibleToPerson(card.getByText(/is stored on Sui\./));
  await expectVisibleToPerson(card.getByText('10 × 2 votes = 20 Snaps, which is your balance.'));
  const [box, width] = [await card.boundingBox(), page.viewportSize()?.width ?? 0];
  expect(box?.x, 'left edge of the card').toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0), 'right edge of the card').toBeLessThanOrEqual(width);
  expectAtRest(await watchGeometry(card, LOOK_MS), 'the checked votes');
  await expectContentAlive(page);
}

async function expectProof(page: Page, name: string): Promise<void> {
  const download = page.waitForEvent('download');
  await press(cardOf(page).getByRole('button', { name: `Download proof of your vote on ${name}` }));
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^snapswipe-[\w-]+\.tlog-proof$/);
  const text = await readFile(await file.path(), 'utf8');
  const { verifierKey } = (await (await page.request.get('/api/record')).json()) as { verifierKey: string };
  const { extra = new Uint8Array() } = parseProofFile(text);
  expect(verifyProofFile(text, extra, parseVerifier(verifierKey)).size).toBeGreaterThan(0);
  expect(new TextDecoder().decode(extra)).toMatch(/^vote \d{4}-\d\d-\d\d \d+ [123] bullish /);
}

test('a voter swipes, and finds votes and balance in the record that is anchored on Sui, and the supply of its day [R41 R42 R94]', async ({
  page,
  database,
  site,
}) => {
  await page.goto('/');
  await expectScreenAlive(page, 'Swipe. Vote. Earn.');
  const wallet = await signIn(page);
  await expect(deckOf(page)).toBeVisible();
  await voteAsPerson(page, database, wallet, { direction: 'bearish', by: 'button' });
  await voteAsPerson(page, database, wallet, { direction: 'bullish', by: 'swipe' });
  await site.closeToday();
  const newest = async () =>
    ((await (await page.request.get('/api/record')).json()) as RecordSummary).checkpoints[0]?.anchorState;
  await expect.poll(newest, { timeout: 90_000 }).toBe('anchored');
  const [bearish, bullish] = await storedVotes(database, wallet);
  await chooseInMenu(page, 'Portfolio');
  await expectScreenAlive(page, 'Your Portfolio');
  await press(cardOf(page).getByRole('button', { name: 'Check my votes' }));
  await expectVotesChecked(page, [bearish?.names.at(-1) ?? '', bullish?.names.at(-1) ?? '']);
  await expectProof(page, bullish?.names.at(-1) ?? '');
  await press(page.getByRole('contentinfo').getByRole('link', { name: 'Snaps supply' }));
  await expectScreenAlive(page, 'Snaps supply');
  await expectVisibleToPerson(page.getByText(/^As of .+, the last closed day\./));
});
