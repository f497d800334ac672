// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { DailyCard } from '#shared/contract/daily-deck.ts';
import { setReasons } from '#shared/contract/votes.ts';
import type { Reason } from '#shared/voting/reasons.ts';
import { dailyCardOf, ownVoteOf, USER } from '../../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../../testing/screen.tsx';
import { AskWhy } from './ask-why.tsx';

const server = useTestPage();
const voted = (id: number, voteType: 'bullish' | 'bearish', reasons?: Reason[]): DailyCard =>
  dailyCardOf(id, {
    project: null,
    vote: { voteType, bullishCount: reasons ? 3 : null, bearishCount: reasons ? 1 : null, reasons },
  });
const sent = () =>
  server()
    .calls(setReasons)
    .map(({ params, body }) => [Number(params['projectId']), (body as { reasons: Reason[] }).reasons]);
const chips = (name: string) => within(screen.getByRole('group', { name }));
const given = (name: string) =>
  chips(name)
    .queryAllByRole('button', { pressed: true })
    .map(({ textContent }) => textContent);

test('one press gives all votes of a direction whose result was seen a reason, and a single one is changed [R89]', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  server().respond(setReasons, async ({ body }) => {
    await held;
    return { ...ownVoteOf('bearish'), ...(body as { reasons: Reason[] }) };
  });
  const user = userEvent.setup();
  draw(
    <AskWhy
      userId={USER.id}
      cards={[
        voted(1, 'bearish', []),
        voted(2, 'bullish', ['team']),
        voted(3, 'bearish', ['token', 'team']),
        voted(4, 'bearish', ['risk']),
        voted(5, 'bearish'),
      ]}
    />,
  );
  const bearish = 'Why bearish on these three?';
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
    bearish,
    'Why bullish on this one?',
  ]);
  expect(given('Why bullish on this one?')).toEqual(['Team']);
  await user.click(chips(bearish).getByRole('button', { name: 'Risk' }));
  expect(given(bearish)).toEqual(['Risk']);
  const third = screen.getByRole('button', { name: 'Project 3 Bearish: 0 of 3 others voted like you' });
  await user.click(third);
  expect(given('Why on Project 3')).toEqual(['Team', 'Risk']);
  await user.click(chips('Why on Project 3').getByRole('button', { name: 'Team' }));
  expect(given('Why on Project 3')).toEqual(['Risk']);
  expect(screen.getByRole('link')).toHaveAttribute('href', '/projects/3');
  release();
  await waitFor(() =>
    expect(sent()).toEqual([
      [1, ['risk']],
      [3, ['team', 'risk']],
      [3, ['risk']],
    ]),
  );
  // Its result may not be seen yet.
  await user.click(screen.getByRole('button', { name: 'Project 5 Bearish' }));
  expect(screen.queryByRole('group')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Project 5 Bearish' }));
  expect(screen.getByRole('group', { name: bearish })).toBeVisible();
});

test('one toast says that a reason was not saved, and its votes show none [R89]', async () => {
  server().reject(setReasons, 503, { error: 'unavailable', message: 'Try again later' });
  const user = userEvent.setup();
  draw(<AskWhy userId={USER.id} cards={[voted(1, 'bullish', []), voted(2, 'bullish', [])]} />);
  const title = 'Why bullish on these two?';
  await user.click(chips(title).getByRole('button', { name: 'Product' }));
  expect(await toastShown('Your reason was not saved')).toMatchObject({ description: 'Try again later' });
  await waitFor(() => expect(given(title)).toEqual([]));
});
