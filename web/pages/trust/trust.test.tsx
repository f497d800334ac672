// @vitest-environment happy-dom
/** /trust: the steps, the figures with their table, the last seal, the readings, and the texts of empty parts. */
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { getRecord, type RecordSummary } from '#shared/contract/record.ts';
import { getTrust, type Trust } from '#shared/contract/standing.ts';
import stored from '#shared/simulation.json' with { type: 'json' };
import { costText, type SimulatedTable, STRATEGIES, WORLD_TITLES } from '#shared/simulation.ts';
import { SORTS } from '#shared/sort-names.ts';
import { setSite } from '../../lib/site.ts';
import { recordOf, SITE, trustOf } from '../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../testing/screen.tsx';
import { TrustPage } from './trust-page.tsx';

const server = useTestPage();
beforeEach(() => setSite(SITE));

async function open(trust: Partial<Trust> = {}, record: Partial<RecordSummary> = {}) {
  server().respond(getTrust, trustOf(trust));
  server().respond(getRecord, recordOf(record));
  draw(<TrustPage />);
  await screen.findByRole('heading', { name: "Today's figures" });
  return userEvent.setup();
}
/** A card of the page, opened. */
async function card(name: string) {
  const region = await screen.findByRole('region', { name });
  const summary = region.querySelector('summary');
  if (summary) await userEvent.click(summary);
  return within(region);
}

test('six steps in plain words, with the numbers of this server', async () => {
  await open({ rules: { ...trustOf().rules, minMist: '2500000000', minDays: 1 } });
  const steps = (await card('How it works')).getAllByRole('listitem');
  expect(steps).toHaveLength(6);
  expect(steps[1]).toHaveTextContent('A day counts for a wallet with at least 2.5 SUI both times.');
  expect(steps[1]).toHaveTextContent(
    '6 coins can still verify 7 wallets at one moment, and one coin 2 wallets within 35 days: faking 1,000 voters takes about 2145 SUI at one moment, or 1250 SUI held for weeks.',
  );
  expect(steps[2]).toHaveTextContent(
    'at least 1 day ago and held enough on 6 of the last 7 days on which we checked wallets. A wallet is checked from its first vote on, so that takes 6 days at least.',
  );
  expect(steps[2]).toHaveTextContent('After 35 days it is final');
});

test('votes by what they count for, as numbers, and by day as a table [R39 R44 R45]', async () => {
  await open();
  const today = await card("Today's figures");
  const kinds = today.getAllByRole('term').map((term) => [term.textContent, term.nextSibling?.textContent]);
  expect(kinds).toEqual([
    ['Verified the wallet held enough SUI on most checks', '60 60%'],
    ['Not verified yet the wallet is too new, or holds too little', '20 20%'],
    ['Excluded held too little, looks automated, or excluded by a moderator', '20 20%'],
    ['Verified', '60'],
    ['Not verified yet', '20'],
    ['Excluded: held too little SUI', '15'],
    ['Excluded: looks automated', '4'],
    ['Excluded by a moderator', '1'],
    ['Replaced', '5'],
  ]);
  expect(today.getByText(/^14% of all votes\. The wallet held too little SUI/)).toBeVisible();
  // The first day and the last one are below the columns.
  expect([...document.querySelectorAll('figure p[aria-hidden] span')].map(({ textContent }) => textContent)).toEqual([
    '31 Dec 2025',
    '1 Jan 2026',
  ]);
  await userEvent.click(today.getByText('Show the 2 days as a table'));
  const rows = today.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent));
  expect(rows).toEqual([
    [
      'Day',
      'Votes',
      'Verified',
      'Not verified yet',
      'Excluded: held too little SUI',
      'Excluded: looks automated',
      'Excluded by a moderator',
      'Replaced',
    ],
    ['1 Jan 2026', '65', '35', '10', '10', '4', '1', '5'],
    ['31 Dec 2025', '40', '25', '10', '5', '0', '0', '0'],
  ]);
});

test('every order of the leaderboard is published with its formula; payment is part of none [R44]', async () => {
  await open();
  const ranking = await card('How the leaderboard ranks');
  const names = ranking.getAllByRole('term').map(({ textContent }) => textContent?.toLowerCase());
  expect(names).toEqual([...SORTS]);
  expect(ranking.getByText(/times log2\(1 \+ w ÷ 7\)/)).toBeVisible();
  expect(ranking.getByText(/^Paying never raises a rank/)).toBeVisible();
});

test('the cost of faking votes: each strategy of each simulated site is a row, with what it needs [R44]', async () => {
  const user = await open();
  const cost = await card('What faking votes costs');
  expect(cost.getByText(/none had more than 11 wallets verified at one time, or 20 for good/)).toBeVisible();
  expect(cost.queryByRole('table')).toBeNull();
  for (const { world, rows, voters } of stored as SimulatedTable[]) {
    const label = WORLD_TITLES[world];
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await user.click(cost.getByText(`${label}: `, { exact: false, selector: 'summary' }));
    expect(cost.getByText(new RegExp(`${voters.toLocaleString()} voters$`))).toBeVisible();
    const table = within(cost.getByRole('region', { name: `${label}, as a table` }));
    const names = table.getAllByRole('rowheader').map(({ textContent }) => textContent);
    expect(names).toEqual(Object.values(STRATEGIES));
    const spread = table.getByRole('row', { name: /^Spread: / });
    expect(spread).toHaveTextContent(`+10 points: ${costText(rows[0]?.goals.lasting.points ?? null)}`);
  }
});

test('the public record: root hash, address with its link, transaction, key [R41]', async () => {
  await open();
  const seal = await card('The public record');
  expect(seal.getByText('cm9vdCByb290IHJvb3Qgcm9vdCByb290IHJvb3Qgcm8=')).toBeVisible();
  expect(seal.getByText('snapswipe.example/log+c0ffee00+AbCd')).toBeVisible();
  const address = `0x${'ab'.repeat(32)}`;
  expect(seal.getByRole('link', { name: new RegExp(address) })).toHaveAttribute(
    'href',
    `https://explorer.example/account/${address}`,
  );
  expect(seal.getByRole('link', { name: /View transaction/ })).toHaveAttribute(
    'href',
    `https://explorer.example/tx/${'D'.repeat(44)}`,
  );
  expect(seal.getByRole('link', { name: '/log/checkpoint' })).toHaveAttribute('href', '/log/checkpoint');
});

test('without an explorer the address is plain text [R41]', async () => {
  setSite({ ...SITE, explorerUrl: null });
  await open();
  const seal = await card('The public record');
  expect(seal.getByText(`0x${'ab'.repeat(32)}`)).toBeVisible();
  expect(seal.queryByRole('link', { name: /0xab/ })).toBeNull();
});

const [CHECKPOINT] = recordOf().checkpoints;
const withAnchor = (anchorState: 'none' | 'sent'): Partial<RecordSummary> => ({
  checkpoints: CHECKPOINT ? [{ ...CHECKPOINT, anchorState, anchorDigest: null }] : [],
});
test.each<[string, Partial<RecordSummary>, string]>([
  [
    'no key to sign with',
    { isPublished: false, verifierKey: null, origin: null, anchorSender: null, checkpoints: [] },
    'This server publishes no record, because it has no key to sign one with.',
  ],
  ['nothing published yet', { checkpoints: [] }, 'Nothing is published yet.'],
  [
    'no wallet to anchor with',
    { anchorSender: null, ...withAnchor('none') },
    'Signed only. This server has no wallet to store it',
  ],
  ['an anchor on its way', withAnchor('sent'), 'On its way to Sui.'],
])('%s: the page explains it [R41]', async (_name, record, text) => {
  await open({}, record);
  const seal = await card('The public record');
  expect(seal.getByText(text, { exact: false })).toBeVisible();
});

test('balance checks that were done and skipped, with why [R37]', async () => {
  await open();
  const readings = await card('Balance checks');
  expect(readings.getByText(/^12 days checked, 1 day skipped\./)).toBeVisible();
  expect(readings.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '1 Jan 202641 of 50 wallets held enough SUI, 2 could not be checked',
    '31 Dec 2025Skipped: the Sui node did not respond',
  ]);
});

test('each part explains that it has no reading, no count or no vote yet', async () => {
  await open({ readings: [], readingsDone: 0, countedAt: null, days: [] });
  expect((await card('Balance checks')).getByText(/^No day has been checked yet\./)).toBeVisible();
  expect(screen.getByText(/^The votes have not been checked yet\./)).toBeVisible();
});

test('the thresholds are in a table, and the command can be copied [R43]', async () => {
  const user = await open();
  const rules = await card('The rules and their numbers');
  expect(rules.getByRole('row', { name: /Age of a wallet since its first sign-in 7 days/ })).toBeVisible();
  expect(rules.getByRole('row', { name: /Greatest likelihood of that by chance 1 in 1,000/ })).toBeVisible();
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.click(screen.getByRole('button', { name: 'Copy the command' }));
  expect(writeText).toHaveBeenCalledExactlyOnceWith(
    `curl -O ${location.origin}/trust/verify.mjs && node verify.mjs ${location.origin}`,
  );
  expect(await toastShown()).toMatchObject({ title: 'Copied to clipboard!' });
});

test('figures or a record that cannot be read show an error, and can be read again', async () => {
  server().failSilently(getTrust);
  server().failSilently(getRecord);
  const user = userEvent.setup();
  draw(<TrustPage />);
  expect(await screen.findByText('Failed to fetch the figures')).toBeVisible();
  expect(await screen.findByText('Failed to fetch the record')).toBeVisible();
  server().respond(getTrust, trustOf());
  server().respond(getRecord, recordOf());
  for (const button of screen.getAllByRole('button', { name: 'Try again' })) await user.click(button);
  expect(await screen.findByRole('heading', { name: "Today's figures" })).toBeVisible();
  expect(await screen.findByRole('heading', { name: 'The public record' })).toBeVisible();
});
