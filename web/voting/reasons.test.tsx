// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { getOwnVote, setReasons } from '#shared/contract/votes.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { USER } from '../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../testing/screen.tsx';
import { Reasons } from './reasons.tsx';

const server = useTestPage();
const TIME = '2026-11-20T10:00:00.000Z';
const VOTED = {
  vote: { voteType: 'bearish' as const, period: 1, createdAt: TIME, since: TIME, saidAt: TIME },
  canVote: 'voted' as const,
  changeableFrom: null,
  undoableUntil: null,
  result: { bullishCount: 3, bearishCount: 4 },
};
const { queryKey } = queries.ownVote(USER.id, 7);
const given = () =>
  within(screen.getByRole('group', { name: 'Why? Up to 2 reasons' }))
    .getAllByRole('button', { pressed: true })
    .map(({ textContent }) => textContent);

test('one press gives a reason, a third takes the place of the older one, and a press on a given one takes it away [R89]', async () => {
  queryClient.setQueryData(queryKey, { ...VOTED, reasons: [] });
  server().respond(setReasons, ({ body }) => ({ ...VOTED, ...(body as { reasons: 'team'[] }) }));
  const user = userEvent.setup();
  draw(<Reasons userId={USER.id} projectId={7} />);
  for (const name of ['Team', 'Token', 'Risk']) await user.click(screen.getByRole('button', { name }));
  expect(given()).toEqual(['Token', 'Risk']);
  await user.click(screen.getByRole('button', { name: 'Token' }));
  expect(given()).toEqual(['Risk']);
  await waitFor(() => expect(server().calls(setReasons)).toHaveLength(4));
  expect(
    server()
      .calls(setReasons)
      .map(({ body }) => body),
  ).toEqual([['team'], ['team', 'token'], ['token', 'risk'], ['risk']].map((reasons) => ({ reasons })));
});

test('a reason that was not saved is taken back and said, and none are offered before the result may be seen [R89 R59]', async () => {
  queryClient.setQueryData(queryKey, VOTED);
  const { unmount } = draw(<Reasons userId={USER.id} projectId={7} />);
  expect(screen.queryByRole('button')).toBeNull();
  unmount();
  queryClient.setQueryData(queryKey, { ...VOTED, reasons: ['team'] });
  server().respond(getOwnVote, VOTED);
  server().reject(setReasons, 503, { error: 'busy', message: 'Try again in a minute' });
  const user = userEvent.setup();
  draw(<Reasons userId={USER.id} projectId={7} />);
  await user.click(screen.getByRole('button', { name: 'Risk' }));
  expect(await toastShown('Your reason was not saved')).toMatchObject({ description: 'Try again in a minute' });
  expect(given()).toEqual(['Team']);
});
