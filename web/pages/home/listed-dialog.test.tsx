// @vitest-environment happy-dom
import userEvent from '@testing-library/user-event';
import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { getProject } from '#shared/contract/projects.ts';
import { justListed } from '../../payments/just-listed.ts';
import { projectPageOf, openOrderOf } from '../../testing/made-up.ts';
import { act, draw, toastShown, useTestPage } from '../../testing/screen.tsx';
import { JustListedHere } from './just-listed-here.tsx';
import { listPayments } from '#shared/contract/payments.ts';
import { journal } from '../../payments/journal.ts';
import { OpenPaymentsHere } from './open-payments-here.tsx';

const server = useTestPage();

beforeEach(() => {
  justListed.set(null);
  server().respond(getProject, projectPageOf(5, { name: 'Tide & Pool', expiresAt: '2026-12-23T12:00:00.000Z' }));
});

async function open() {
  const user = userEvent.setup();
  draw(<JustListedHere />);
  expect(screen.queryByRole('dialog')).toBeNull();
  await act(async () => justListed.set(5));
  await screen.findByRole('dialog', { name: 'Your project is live!' });
  return user;
}

test('a new listing shows its card, link, share buttons, badge and next steps [S2.24 R52]', async () => {
  const user = await open();
  expect(screen.getByRole('img', { name: 'Picture of Tide & Pool' })).toBeVisible();
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.click(screen.getByRole('button', { name: 'Copy link' }));
  await user.click(screen.getByRole('button', { name: 'Copy HTML' }));
  expect((await toastShown()).title).toBe('Copied to clipboard!');
  expect(written.mock.calls.map(([text]) => text)).toEqual([
    `${location.origin}/projects/project-5?from=link`,
    expect.stringContaining('alt="Tide &amp; Pool on Snapswipe"'),
  ]);
  const post = new URL(screen.getByRole<HTMLAnchorElement>('link', { name: /^Post on X/ }).href);
  expect([post.host, post.searchParams.get('url')]).toEqual([
    'x.com',
    `${location.origin}/projects/project-5?from=link`,
  ]);
  expect(screen.getByText(/The listing ends on .*23.*2026/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'See the insights' })).toHaveAttribute(
    'href',
    '/projects/project-5/insights',
  );
  expect(screen.getByRole('link', { name: 'Open its page' })).toHaveAttribute('href', '/projects/project-5');
});

const shown = () => screen.queryByRole('region', { name: 'Open payments' });
const OTHERS = openOrderOf({ userId: 8, phase: 'unknown', proof: null });

beforeEach(() => {
  for (const { paymentId } of journal.get()) journal.remove(paymentId);
  server().respond(listPayments, [], { total: 0 });
});

test('the deck shows open payments of this user only, while there are any [R16]', async () => {
  journal.put(OTHERS);
  draw(<OpenPaymentsHere userId={7} className="own" />);
  await act(() => import('../../payments/open-payments.tsx'));
  expect(shown()).toBeNull();
  expect(server().calls(listPayments)).toEqual([]);
  await act(async () => journal.put(openOrderOf({ paymentId: 'p2', name: 'Kelp', phase: 'unknown', proof: null })));
  const region = await screen.findByRole('region', { name: 'Open payments' });
  expect(region).toHaveTextContent('Renewal of Kelp, 15 SUI');
  expect(region).not.toHaveTextContent('Coral');
  expect(region).toHaveClass('own');
  act(() => journal.remove('p2'));
  expect(shown()).toBeNull();
  expect(journal.get()).toEqual([OTHERS]);
});
