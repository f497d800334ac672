// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { getCalls, getStats, listVotes } from '#shared/contract/users.ts';
import { serverNow } from '../../../lib/server-clock.ts';
import { callsOf, historyVoteOf, STATS, USER } from '../../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../../testing/screen.tsx';
import { Ticket } from './ticket.tsx';
import { majorityText, picturedFaces } from './ticket-picture.ts';
import { weeksOf } from './weeks.ts';

const server = useTestPage();
const voteAt = (id: number, saidAt: string, voteType: 'bullish' | 'bearish' = 'bullish') =>
  historyVoteOf(id, { saidAt, voteType });
const SUNDAY = Date.parse('2026-11-29T23:59:59Z');
const COUNTS = [
  { day: '2026-11-16', bullish: 1, bearish: 0 },
  { day: '2026-11-23', bullish: 1, bearish: 1 },
  { day: '2026-11-29', bullish: 0, bearish: 40 },
];

test('weeks begin on Monday, cards are in the order of the votes, and the counts are those of the server [R98]', () => {
  const votes = [
    voteAt(3, '2026-11-29T10:00:00.000Z', 'bearish'),
    voteAt(2, '2026-11-23T00:00:00.000Z', 'bearish'),
    voteAt(1, '2026-11-23T23:59:59.000Z'),
  ];
  const weeks = weeksOf(COUNTS, votes, SUNDAY);
  expect(weeks.map(({ days, bullish, bearish }) => [days[0]?.day, days.length, bullish, bearish])).toEqual([
    ['2026-11-23', 7, 1, 41],
    ['2026-11-16', 7, 1, 0],
  ]);
  expect(weeks[0]?.days.map(({ count, faces }) => [count, faces.map(({ name }) => name).join()])).toEqual([
    [2, 'Project 2,Project 1'],
    ...[2, 3, 4, 5, 6].map(() => [0, '']),
    [40, 'Project 3'],
  ]);
  const [next] = weeksOf(COUNTS, votes, SUNDAY + 1_000);
  expect([next?.days[0]?.day, next?.bullish]).toEqual(['2026-11-30', 0]);
});

test('the picture has the cards of a week without their order, and no majority where no call counts [R90 R98]', () => {
  const votes = [
    voteAt(1, '2026-11-23T10:00:00.000Z', 'bearish'),
    voteAt(3, '2026-11-23T11:00:00.000Z'),
    voteAt(2, '2026-11-24T12:00:00.000Z'),
  ];
  const days = ['2026-11-23', '2026-11-24'].map((day) => ({ day, bullish: 1, bearish: 1 }));
  const [week] = weeksOf(days, votes, SUNDAY);
  expect(week && picturedFaces(week).map(({ name }) => name)).toEqual(['Project 2', 'Project 3', 'Project 1']);
  expect(majorityText(callsOf())).toBe('14 of 22 calls with the verified majority');
  expect(majorityText(callsOf({ calls: 0, withMajority: 0, early: 0 }))).toBe('');
});

test('this week shows its votes, and a picture that the browser cannot draw is reported [R98]', async () => {
  const now = new Date(serverNow()).toISOString();
  server().respond(getStats, { ...STATS, streak: 4 });
  server().respond(listVotes, [voteAt(1, now, 'bearish')], { total: 1 });
  server().respond(getCalls, callsOf({ days: [{ day: now.slice(0, 10), bullish: 0, bearish: 1 }] }));
  const user = userEvent.setup();
  draw(<Ticket userId={USER.id} />);
  const ticket = within(await screen.findByRole('region', { name: 'This week' }));
  expect(ticket.getAllByText('1')[0]?.parentElement).toHaveTextContent(/^1card$/);
  expect(ticket.getByText('1 bearish')).toBeVisible();
  expect(ticket.getByText('4 days in a row')).toBeVisible();
  expect(ticket.getAllByText(/, 0 cards$/)).toHaveLength(6);
  expect(ticket.queryByText('Earlier weeks')).toBeNull();
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  await user.click(ticket.getByRole('button', { name: 'Share' }));
  expect(await toastShown()).toMatchObject({ title: 'The picture could not be drawn', variant: 'destructive' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a week without votes leads to the deck [R98]', async () => {
  server().respond(getStats, STATS);
  server().respond(listVotes, [], { total: 0 });
  server().respond(getCalls, callsOf());
  draw(<Ticket userId={USER.id} />);
  expect(await screen.findByRole('link', { name: 'Swipe' })).toHaveAttribute('href', '/');
  expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
});
