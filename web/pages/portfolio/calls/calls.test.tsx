// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { getStats, getCalls, listVotes } from '#shared/contract/users.ts';
import { getOwnVote, setReasons } from '#shared/contract/votes.ts';
import { callsOf, historyVoteOf, ownVoteOf, STATS, USER } from '../../../testing/made-up.ts';
import { draw, useTestPage } from '../../../testing/screen.tsx';
import { callText } from './call-text.ts';
import { Calls } from './calls.tsx';

const server = useTestPage();
const counts = (bullish: number, bearish: number) => ({ bullish, bearish });
const call = { before: counts(71, 29), seen: counts(60, 40), now: counts(48, 52), isWithMajority: true };

async function open(calls = callsOf()) {
  server().respond(getCalls, calls);
  server().respond(getStats, STATS);
  draw(<Calls userId={USER.id} />);
  const card = within(await screen.findByRole('region', { name: 'Your calls' }));
  const list = within(await card.findByRole('list', { name: 'All your calls' }));
  return { card, rows: () => list.getAllByRole('listitem') };
}

test('the calls that moved come first with the share of the last visit, each with two dots, and no state but an exclusion [R39 R90]', async () => {
  const moved = historyVoteOf(2, { voteType: 'bearish', call });
  server().respond(
    listVotes,
    [
      historyVoteOf(1, { call: { ...call, before: counts(2, 1), isWithMajority: false } }),
      moved,
      historyVoteOf(3, { state: 'moderator', detail: 'Sold for a fee' }),
      historyVoteOf(4, { call: { ...call, before: counts(2, 1) } }),
      historyVoteOf(5, { state: 'waiting', when: 'Say it again to make it count' }),
      historyVoteOf(6, { state: 'rhythm' }),
    ],
    { total: 6 },
  );
  const user = userEvent.setup();
  const { card, rows } = await open(callsOf({ since: '2025-12-29', moved: 1, movedVotes: [moved] }));
  const line = 'You are with the verified majority in 14 of 22 calls, 6 of them early; a coin would have 11';
  expect(card.getByText(line)).toBeVisible();
  expect(rows()).toHaveLength(3);
  expect(rows()[0]).toHaveTextContent(
    /^Project 2Bearish 1 Jan 2026 at 71%, now 48%60% when you were here lastWith the majority/,
  );
  expect(rows()[0]?.querySelectorAll('[data-dots]')).toHaveLength(1);
  expect(rows()[1]).toHaveTextContent(/^Project 1Bullish 1 Jan 2026 at 3 votes, now 48%Against the majority/);
  expect(rows()[2]).toHaveTextContent(/^Project 3Bullish 1 Jan 2026Excluded by a moderatorSold for a fee$/);
  await user.click(card.getByRole('button', { name: 'See all your calls' }));
  expect(rows()[3]).toHaveTextContent(/^Project 4.*Early, and with the majority/);
  expect(rows()[4]).toHaveTextContent(/^Project 5Bullish 1 Jan 2026Say it again to make it count$/);
  expect(rows()[5]).toHaveTextContent(/Excluded: looks automated/);
});

test('a reason is given in the line of a call [R89]', async () => {
  server().respond(listVotes, [historyVoteOf(1, { call })], { total: 1 });
  server().respond(getOwnVote, { ...ownVoteOf('bullish'), reasons: [] });
  server().respond(setReasons, { ...ownVoteOf('bullish'), reasons: ['token'] });
  const user = userEvent.setup();
  const { card } = await open();
  await user.click(card.getByRole('button', { name: 'Why? Reasons for your vote on Project 1' }));
  await user.click(await card.findByRole('button', { name: 'Token' }));
  await waitFor(() => expect(server().calls(setReasons)).toMatchObject([{ body: { reasons: ['token'] } }]));
});

test.each([
  [counts(5, 1), counts(52, 48), 'Bullish 1 Jan 2026 at 6 votes, now 52%'],
  [counts(0, 0), counts(1, 0), 'Bullish 1 Jan 2026 at 0 votes, now 1 vote'],
])('a figure of fewer than ten votes is shown as their number: %o, %o [R90]', (before, now, text) => {
  expect(callText(historyVoteOf(1, { call: { ...call, before, now } }))).toBe(text);
});

test('a voter without calls that count reads when one does [R90]', async () => {
  server().respond(listVotes, [historyVoteOf(1)], { total: 1 });
  const { card, rows } = await open(callsOf({ calls: 0, withMajority: 0, early: 0 }));
  expect(await card.findByText(/^None of your calls counts yet: each does after 7 days/)).toBeVisible();
  expect(rows()[0]).toHaveTextContent(/Bullish 1 Jan 2026$/);
});
