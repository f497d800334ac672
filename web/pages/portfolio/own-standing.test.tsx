// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { getStanding, postAppeal, type Standing } from '#shared/contract/standing.ts';
import { daysOf, standingOf, TIME, USER } from '../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../testing/screen.tsx';
import { OwnStanding } from './own-standing.tsx';
import { standingText } from './standing-text.ts';

const server = useTestPage();
const NOW_MS = Date.parse(TIME);
const EXCLUDED = { verified: 3, waiting: 0, excluded: 2, undecided: 1 };

async function open(changes: Partial<Standing> = {}) {
  server().respond(getStanding, standingOf(changes));
  draw(<OwnStanding userId={USER.id} />);
  const card = within(await screen.findByRole('region', { name: 'Are your votes verified?' }));
  await card.findByRole('link', { name: 'How votes are checked' });
  return { user: userEvent.setup(), card };
}

test.each<[string, Partial<Standing>, string, string]>([
  [
    'verified',
    {},
    'Your votes are verified.',
    'Each Sunday decides again: keep at least 1 SUI on 6 of 7 days. Votes younger than 35 days are lost otherwise',
  ],
  [
    'without standing',
    { state: 'no_standing' },
    'Your votes count, but are not verified.',
    'Hold at least 1 SUI on 6 of 7 days up to a Sunday. Votes from then on are verified; say earlier ones again',
  ],
  [
    'decided',
    { state: 'no_standing', votes: { verified: 3, waiting: 0, excluded: 2, undecided: 0 } },
    'All your votes are final.',
    'We check your balance again once you vote',
  ],
  [
    'new',
    { state: 'waiting', days: [] },
    'Your votes can be verified on Monday 12 Jan.',
    'Hold at least 1 SUI on 6 of 7 days up to that Sunday',
  ],
])('votes that are %s show their state, and what changes it [R38 R39]', (_name, changes, title, change) => {
  const text = standingText(standingOf(changes), NOW_MS);
  expect(text.title).toBe(title);
  expect(text.change).toContain(change);
});

test('the days that decide are dots, which a screen reader hears as sentences [R38]', async () => {
  const { card } = await open({ days: daysOf('#_.') });
  const days = within(card.getByRole('list', { name: 'The last days checked' })).getAllByRole('listitem');
  expect(days.map((day) => day.querySelector('.sr-only')?.textContent)).toEqual([
    'Tue 30 Dec 2025: held enough',
    'Wed 31 Dec 2025: held too little',
    'Thu 1 Jan 2026: not read',
  ]);
});

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
  const { user, card } = await open({ state: 'no_standing', votes: EXCLUDED });
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
