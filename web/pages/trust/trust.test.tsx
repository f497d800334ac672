// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { getRecord, type RecordSummary } from '#shared/contract/record.ts';
import { getTrust, type Trust } from '#shared/contract/standing.ts';
import { SORTS } from '#shared/listings/sort-names.ts';
import { queryClient } from '../../lib/queries.ts';
import { setSite } from '../../lib/site.ts';
import { recordOf, SITE, trustOf } from '../../testing/made-up.ts';
import { draw, useTestPage } from '../../testing/screen.tsx';
import { TrustPage } from './trust-page.tsx';

const server = useTestPage();
beforeEach(() => setSite(SITE));

async function open(trust: Partial<Trust> = {}, record: Partial<RecordSummary> = {}) {
  server().respond(getTrust, trustOf(trust));
  server().respond(getRecord, recordOf(record));
  draw(<TrustPage />);
  await screen.findByRole('heading', { name: 'Votes as of 1 Jan 2026' });
  return userEvent.setup();
}
/** A card of the page, opened. */
async function card(name: string) {
  const region = await screen.findByRole('region', { name });
  const summary = region.querySelector('summary');
  if (summary) await userEvent.click(summary);
  return within(region);
}

test('every order of the leaderboard is published with its formula [R44]', async () => {
  await open();
  const ranking = await card('How the leaderboard ranks');
  const names = ranking.getAllByRole('term').map(({ textContent }) => textContent?.toLowerCase());
  expect(names).toEqual([...SORTS]);
  expect(ranking.getByText(/times log2\(1 \+ w ÷ 7\)/)).toBeVisible();
  expect(ranking.getByText(/^Paying never raises a rank/)).toBeVisible();
});

test('the page says how many free wallets bring the last ranked project to the top, and that no number does in Verified [R27]', async () => {
  await open();
  const ranking = await card('How the leaderboard ranks');
  expect(ranking.getByText(/^Wallets without SUI are free/)).toHaveTextContent(
    'In Bullish, 21 free wallets could bring the last project with a rank to the top, by voting for it and against all others. In Verified, no number of them can.',
  );
});

test('a young site promises nothing of free wallets, and one with a single project says nothing of them [R27]', async () => {
  await open({ freeWallets: { bullish: 3, verified: 2 } });
  const words = (await card('How the leaderboard ranks')).getByText(/^Wallets without SUI are free/);
  expect(words).toHaveTextContent(/In Verified, 2 could, because these projects have no verified votes/);
  cleanup();
  queryClient.clear();
  await open({ freeWallets: { bullish: 0, verified: 0 } });
  expect((await card('How the leaderboard ranks')).queryByText(/^Wallets without SUI are free/)).toBeNull();
});

test('the cost of faking votes is said in two sentences, with a link to the rules and all attacks [R44]', async () => {
  await open();
  const cost = await card('What faking votes costs');
  expect(
    cost.getByText(
      /11 wallets verified at one time, or 11 for good per 35 days; patience buys more, 55 in half a year/,
    ),
  ).toBeVisible();
  expect(cost.getByRole('link', { name: /The rules, the attacks/ })).toHaveAttribute('href', '/trust/standing');
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
])('a record with %s is explained [R41]', async (_name, record, text) => {
  await open({}, record);
  const seal = await card('The public record');
  expect(seal.getByText(text, { exact: false })).toBeVisible();
});

test('balance checks are listed as done or skipped, with the reason [R37]', async () => {
  await open();
  const readings = await card('Balance checks');
  expect(readings.getByText(/^12 days checked, 1 day skipped\./)).toBeVisible();
  expect(readings.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '1 Jan 202641 of 50 wallets held enough SUI, 2 could not be checked',
    '31 Dec 2025Skipped: the Sui node did not respond',
  ]);
});
