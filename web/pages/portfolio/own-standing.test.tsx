// @vitest-environment happy-dom
/** What the own votes count for, in words; each own vote; the appeal and its answer. */
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { getStanding, postAppeal, type Standing } from '#shared/contract/standing.ts';
import { listVotes, type VoteHistoryItem } from '#shared/contract/users.ts';
import { standingOf, TIME, USER } from '../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../testing/screen.tsx';
import { OwnStanding } from './own-standing.tsx';
import { standingText } from './standing-text.ts';

const server = useTestPage();
const DAY_MS = 86_400_000;
const NOW_MS = Date.parse(TIME);

async function open(changes: Partial<Standing> = {}) {
  server().respond(getStanding, standingOf(changes));
  draw(<OwnStanding userId={USER.id} />);
  const card = within(await screen.findByRole('region', { name: 'Your standing' }));
  await card.findByRole('button', { name: 'See each vote' });
  return { user: userEvent.setup(), card };
}

test.each<[string, Partial<Standing>, string, string, string]>([
  [
    'verified',
    {},
    'Your wallet has standing: your votes are verified.',
    'It held at least 1 SUI on 6 of the last 7 days on which it was read.',
    'Keep at least 1 SUI on 3 of 7 days',
  ],
  [
    'set aside',
    { state: 'no_standing', daysRead: 5, daysHeld: 1 },
    'Your wallet has no standing: your votes are set aside.',
    'It held at least 1 SUI on 1 of the last 5 days on which it was read.',
    'Hold at least 1 SUI on 3 of the last 7 days read.',
  ],
  [
    'too new',
    { state: 'waiting', oldEnoughAt: new Date(NOW_MS + DAY_MS).toISOString(), daysRead: 4 },
    'Your votes are waiting.',
    'Your first sign-in was less than 7 days ago.',
    'Keep at least 1 SUI in your wallet.',
  ],
  [
    'never read',
    { state: 'waiting', daysRead: 0, daysHeld: 0 },
    'Your votes are waiting.',
    'Your wallet has not been read yet.',
    'Keep at least 1 SUI in your wallet.',
  ],
  [
    'seldom read',
    { state: 'waiting', daysRead: 1, daysHeld: 1 },
    'Your votes are waiting.',
    'Your wallet was read on 1 day so far; 3 are needed.',
    'Keep at least 1 SUI in your wallet.',
  ],
])('votes that are %s: the state, why, and what would change it [R39]', (_name, changes, title, because, change) => {
  const text = standingText(standingOf(changes), NOW_MS);
  expect(text).toMatchObject({ title, because });
  expect(text.change).toContain(change);
});

test('the card says the state in words and leads to how votes are checked [R39]', async () => {
  const { card } = await open({ state: 'no_standing', daysHeld: 1 });
  expect(card.getByText('No standing')).toBeVisible();
  expect(card.getByText('Your wallet has no standing: your votes are set aside.')).toBeVisible();
  expect(card.getByRole('link', { name: 'How votes are checked' })).toHaveAttribute('href', '/trust');
});

test('each own vote is listed with its state and why it is set aside, on request [R39]', async () => {
  const vote = (id: number, changes: Partial<VoteHistoryItem>): VoteHistoryItem => ({
    id: `7-${id}`,
    voteType: 'bullish',
    tokensEarned: 10,
    createdAt: TIME,
    period: 1,
    counts: true,
    state: 'verified',
    detail: null,
    project: { id, slug: `project-${id}`, name: `Project ${id}`, category: 'DeFi' },
    ...changes,
  });
  server().respond(
    listVotes,
    [
      vote(1, {}),
      vote(2, { state: 'moderator', detail: 'Sold for a fee', voteType: 'bearish' }),
      vote(3, { state: 'rhythm' }),
    ],
    { total: 3 },
  );
  const { user, card } = await open();
  expect(server().calls(listVotes)).toEqual([]);
  await user.click(card.getByRole('button', { name: 'See each vote' }));
  const list = await card.findByRole('list', { name: 'Your votes and what they count for' });
  const rows = within(list).getAllByRole('listitem');
  expect(rows[0]).toHaveTextContent(/Project 1bullishVerified/);
  expect(rows[1]).toHaveTextContent(/Project 2bearishSet aside by a moderator.*Sold for a fee/);
  expect(rows[2]).toHaveTextContent('Same network and rhythm');
  await user.click(card.getByRole('button', { name: 'Hide the votes' }));
  expect(card.queryByRole('list')).toBeNull();
});

test('an appeal needs a note, is sent, and stands there until it is answered [R39]', async () => {
  const appeal = { id: 3, text: 'We share an office', createdAt: TIME, answer: null, answeredAt: null };
  server().respond(postAppeal, appeal);
  const { user, card } = await open({ state: 'no_standing', daysHeld: 0 });
  await user.click(card.getByRole('button', { name: 'Appeal' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Appeal' }));
  await user.click(dialog.getByRole('button', { name: 'Send appeal' }));
  expect(dialog.getByText('Please write what we should look at')).toBeVisible();
  expect(server().calls(postAppeal)).toEqual([]);
  server().respond(getStanding, standingOf({ state: 'no_standing', appeal }));
  await user.type(dialog.getByLabelText('Your note'), 'We share an office');
  await user.click(dialog.getByRole('button', { name: 'Send appeal' }));
  expect(await toastShown()).toMatchObject({ title: 'Appeal sent', variant: 'success' });
  expect(server().calls(postAppeal)[0]?.body).toEqual({ text: 'We share an office' });
  expect(await card.findByText('Not answered yet. You can write again after the answer.')).toBeVisible();
  expect(card.getByText('We share an office')).toBeVisible();
  expect(card.queryByRole('button', { name: 'Appeal' })).toBeNull();
});

test('a rejected appeal says why and keeps the note', async () => {
  server().reject(postAppeal, 409, { error: 'appeal_open', message: 'Your last appeal is not answered yet' });
  const { user, card } = await open();
  await user.click(card.getByRole('button', { name: 'Appeal' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Appeal' }));
  await user.type(dialog.getByLabelText('Your note'), 'Again');
  await user.click(dialog.getByRole('button', { name: 'Send appeal' }));
  expect(await dialog.findByText('Your last appeal is not answered yet')).toBeVisible();
  expect(dialog.getByLabelText('Your note')).toHaveValue('Again');
});

test('an answer is shown, and another appeal is possible [R39]', async () => {
  const { card } = await open({
    appeal: { id: 3, text: 'Why?', createdAt: TIME, answer: 'Lifted, sorry.', answeredAt: TIME },
  });
  expect(card.getByText('Lifted, sorry.')).toBeVisible();
  expect(card.getByRole('button', { name: 'Appeal' })).toBeVisible();
});

test('a standing that cannot be read can be read again', async () => {
  server().failSilently(getStanding);
  const user = userEvent.setup();
  draw(<OwnStanding userId={USER.id} />);
  expect(await screen.findByText('Failed to fetch your standing')).toBeVisible();
  server().respond(getStanding, standingOf());
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Your wallet has standing: your votes are verified.')).toBeVisible();
});
