// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { getStanding, postAppeal, type Standing } from '#shared/contract/standing.ts';
import { standingOf, TIME, USER } from '../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../testing/screen.tsx';
import { OwnStanding } from './own-standing.tsx';
import { standingText } from './standing-text.ts';

const server = useTestPage();
const DAY_MS = 86_400_000;
const NOW_MS = Date.parse(TIME);
const EXCLUDED = { verified: 3, waiting: 0, excluded: 2, undecided: 1 };

async function open(changes: Partial<Standing> = {}) {
  server().respond(getStanding, standingOf(changes));
  draw(<OwnStanding userId={USER.id} />);
  const card = within(await screen.findByRole('region', { name: 'Are your votes verified?' }));
  await card.findByRole('link', { name: 'How votes are checked' });
  return { user: userEvent.setup(), card };
}

test.each<[string, Partial<Standing>, string, string, string]>([
  [
    'verified',
    {},
    'Your votes are verified.',
    'Your wallet held at least 1 SUI on 6 of the last 7 days checked.',
    'Keep at least 1 SUI on 6 of 7 days to stay verified.',
  ],
  [
    'verified with a day without an answer',
    { daysRead: 6, daysHeld: 5 },
    'Your votes are verified.',
    'Your wallet held at least 1 SUI on 5 of the last 7 days checked. A day on which Sui gave no answer is excused.',
    'Keep at least 1 SUI on 6 of 7 days to stay verified.',
  ],
  [
    'without standing',
    { state: 'no_standing', daysRead: 6, daysHeld: 1 },
    'Your votes count, but are not verified yet.',
    'Your wallet held at least 1 SUI on 1 of the last 7 days checked.',
    'Hold at least 1 SUI on 6 of 7 days. Your votes of the last 35 days then become verified. A vote is final after 35 days: excluded if your wallet held less on half of them.',
  ],
  [
    'decided',
    { state: 'waiting', votes: { verified: 3, waiting: 0, excluded: 2, undecided: 0 } },
    'All your votes are final.',
    'We are not checking your balance right now.',
    'We check again once you vote',
  ],
  [
    'too new',
    { state: 'waiting', oldEnoughAt: new Date(NOW_MS + DAY_MS).toISOString(), daysRead: 5, daysHeld: 5 },
    'Your votes can be verified in 1 day.',
    'Your first sign-in was less than 7 days ago.',
    'Keep at least 1 SUI in your wallet on 6 of 7 days',
  ],
  [
    'too new, with a first vote days after the first sign-in',
    { state: 'waiting', oldEnoughAt: new Date(NOW_MS + DAY_MS).toISOString(), daysRead: 1, daysHeld: 1 },
    'Your votes can be verified in 5 days.',
    'Your first sign-in was less than 7 days ago.',
    'Keep at least 1 SUI in your wallet on 6 of 7 days; we check twice a day.',
  ],
  [
    'never read',
    { state: 'waiting', daysRead: 0, daysHeld: 0 },
    'Your votes are not verified yet.',
    'We have not checked your balance yet.',
    'Keep at least 1 SUI in your wallet on 6 of 7 days',
  ],
  [
    'seldom read',
    { state: 'waiting', daysRead: 1, daysHeld: 1 },
    'Your votes are not verified yet.',
    'We have checked your balance on 1 of the last 7 days; 6 are needed.',
    'Keep at least 1 SUI in your wallet on 6 of 7 days',
  ],
])(
  'votes that are %s show their state, its reason, and what changes it [R39]',
  (_name, changes, title, because, change) => {
    const text = standingText(standingOf(changes), NOW_MS);
    expect(text).toMatchObject({ title, because });
    expect(text.change).toContain(change);
  },
);

test.each<[Standing['votes'], string | null]>([
  [
    { verified: 1200, waiting: 3, excluded: 2, undecided: 9 },
    'Your votes: 1,200 verified, 3 not verified yet, 2 excluded.',
  ],
  [{ verified: 0, waiting: 1, excluded: 0, undecided: 1 }, 'Your vote is not verified yet.'],
  [{ verified: 0, waiting: 25, excluded: 0, undecided: 1 }, 'None of your 25 votes is verified yet.'],
  [{ verified: 0, waiting: 0, excluded: 0, undecided: 0 }, null],
])('votes are counted as verified, not verified yet and excluded [R39]', (votes, text) => {
  expect(standingText(standingOf({ votes }), NOW_MS).counts).toBe(text);
});

test('an appeal needs a note, is sent, and is shown until it is answered [R39]', async () => {
  const appeal = { id: 3, text: 'We share an office', createdAt: TIME, answer: null, answeredAt: null };
  server().respond(postAppeal, appeal);
  const { user, card } = await open({ state: 'no_standing', daysHeld: 0, votes: EXCLUDED });
  await user.click(card.getByRole('button', { name: 'Appeal' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Appeal' }));
  await user.click(dialog.getByRole('button', { name: 'Send appeal' }));
  expect(dialog.getByText('Please write what we should look at')).toBeVisible();
  expect(server().calls(postAppeal)).toEqual([]);
  server().respond(getStanding, standingOf({ state: 'no_standing', votes: EXCLUDED, appeal }));
  await user.type(dialog.getByLabelText('Your note'), 'We share an office');
  await user.click(dialog.getByRole('button', { name: 'Send appeal' }));
  expect(await toastShown()).toMatchObject({ title: 'Appeal sent', variant: 'success' });
  expect(server().calls(postAppeal)[0]?.body).toEqual({ text: 'We share an office' });
  expect(await card.findByText('Not answered yet. You can write again after the answer.')).toBeVisible();
  expect(card.getByText('We share an office')).toBeVisible();
  expect(card.queryByRole('button', { name: 'Appeal' })).toBeNull();
});
