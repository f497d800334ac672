// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { type CallSummary, getCalls, listVotes } from '#shared/contract/users.ts';
import { historyVoteOf, USER } from '../../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../../testing/screen.tsx';
import { callText } from './call-text.ts';
import { Calls } from './calls.tsx';
import { pictureLines } from './calls-picture.ts';

const server = useTestPage();
const SUMMARY: CallSummary = { toward: 14, moved: 22, week: { bullish: 7, bearish: 3 } };
const counts = (bullish: number, bearish: number) => ({ bullish, bearish });
const call = { before: counts(71, 29), now: counts(52, 48), move: 'toward' as const };

async function open(summary = SUMMARY) {
  server().respond(getCalls, summary);
  draw(<Calls userId={USER.id} takesFocus />);
  const card = within(await screen.findByRole('region', { name: 'Your calls' }));
  const rows = within(await card.findByRole('list', { name: 'All your calls' })).getAllByRole('listitem');
  return { card, rows };
}

test('each call is listed with the share then and now, its state and the reason for it [R39 R90]', async () => {
  server().respond(
    listVotes,
    [
      historyVoteOf(1, { voteType: 'bearish', call }),
      historyVoteOf(2, { state: 'moderator', detail: 'Sold for a fee', call: { ...call, move: 'away' } }),
      historyVoteOf(3, { state: 'rhythm' }),
      historyVoteOf(4, { state: 'waiting', when: 'Say it again to make it count' }),
      historyVoteOf(5, { state: 'no_standing', evidence: { isDecided: true, daysRead: 34, daysHeld: 17 } }),
    ],
    { total: 5 },
  );
  const { card, rows } = await open();
  expect(await card.findByText('The crowd came your way in 14 of 22')).toBeVisible();
  expect(rows[0]).toHaveTextContent(/Project 1Verified.*Bearish 1 Jan 2026 at 71%, now 52%The crowd came your way/);
  expect(rows[1]).toHaveTextContent(/Excluded by a moderator.*The crowd went the other way.*Sold for a fee/);
  expect(rows[2]).toHaveTextContent('Excluded: looks automated');
  expect(rows[3]).toHaveTextContent(/Not verified yet.*Say it again to make it count/);
  expect(rows[4]).toHaveTextContent(/Excluded: held too little SUI.*Final: held enough on 17 of 34 days read since/);
  expect(screen.getByRole('heading', { name: 'Your calls' })).toHaveFocus();
});

test.each([
  [counts(5, 1), counts(52, 48), 'Bullish 1 Jan 2026 at 6 votes, now 52%'],
  [counts(0, 0), counts(1, 0), 'Bullish 1 Jan 2026 at 0 votes, now 1 vote'],
])('a figure of fewer than ten votes is shown as their number: %o, %o [R90]', (before, now, text) => {
  expect(callText(historyVoteOf(1, { call: { before, now, move: null } }))).toBe(text);
});

test('a voter without calls that count reads that none does, and is offered no picture [R90]', async () => {
  server().respond(listVotes, [historyVoteOf(1)], { total: 1 });
  const { card, rows } = await open({ toward: 0, moved: 0, week: { bullish: 0, bearish: 0 } });
  expect(await card.findByText('None of your calls counts yet')).toBeVisible();
  expect(rows[0]).toHaveTextContent(/Bullish 1 Jan 2026$/);
  expect(card.queryByRole('button', { name: 'Share a picture' })).toBeNull();
});

test('the shared picture has totals alone [R90]', () => {
  expect(pictureLines(SUMMARY)).toEqual([
    '14 of 22',
    'times the crowd came my way',
    '10 votes this week: 7 bullish, 3 bearish',
  ]);
  expect(pictureLines({ ...SUMMARY, moved: 0, toward: 0 })).toEqual(['10 votes this week: 7 bullish, 3 bearish']);
});

test('a picture that the browser cannot draw is reported, and the button stays [R90]', async () => {
  server().respond(listVotes, [historyVoteOf(1)], { total: 1 });
  const { card } = await open();
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  await userEvent.setup().click(await card.findByRole('button', { name: 'Share a picture' }));
  expect(await toastShown()).toMatchObject({ title: 'The picture could not be drawn', variant: 'destructive' });
  expect(card.getByRole('button', { name: 'Share a picture' })).toBeEnabled();
});
