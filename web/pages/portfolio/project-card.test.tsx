// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { OwnProject } from '#shared/contract/projects.ts';
import type { OrderView } from '../../payments/open-phases.ts';
import { orderViews } from '../../payments/open-phases.ts';
import { openOrderOf, ownProjectOf, TIME } from '../../testing/made-up.ts';
import { useTestPage } from '../../testing/screen.tsx';
import { type ProjectActions, ProjectCard } from './project-card.tsx';

useTestPage();
const update = vi.fn<(project: OwnProject) => void>();
beforeEach(() => update.mockReset());

const PROJECT = ownProjectOf(3, { bullishCount: 1_200, bearishCount: 34, totalVotes: 1_234, category: 'NFT' });
const OPEN = orderViews([openOrderOf({ phase: 'looking', proof: null })], [])[0] as OrderView;
const card = (changes: Partial<OwnProject> = {}, actions: Partial<ProjectActions> = {}, isExpired = false) => (
  <ProjectCard
    project={{ ...PROJECT, ...changes }}
    isExpired={isExpired}
    actions={{
      isAdmin: false,
      openOrder: () => null,
      onUpdate: update,
      ...actions,
    }}
  />
);
const buttons = () => screen.getAllByRole('button').map((button) => button.textContent);
const areOff = () => screen.getAllByRole<HTMLButtonElement>('button').map(({ disabled }) => disabled);

test("'Renew' opens the month of the project, before any wallet [R96 S2.29 S2.30]", async () => {
  const { rerender } = render(card());
  expect(buttons()).toEqual(['Update (5 SUI) Project 3', 'Renew (15 SUI) Project 3']);
  rerender(card({}, {}, true));
  expect(buttons()).toEqual(['Renew for 31 Days (15 SUI) Project 3']);
  await userEvent.click(screen.getByRole('button', { name: /^Renew/ }));
  expect(location.pathname + location.search).toBe('/projects/project-3/insights?renew');
});

test('the link to the insights is named after the month in the last ten days of a listing [R96]', () => {
  const { rerender } = render(card());
  expect(screen.getByRole('link', { name: 'Your month of Project 3' })).toBeVisible();
  rerender(card({ expiresAt: new Date(Date.now() + 11 * 86_400_000).toISOString() }));
  expect(screen.getByRole('link', { name: 'Insights of Project 3' })).toBeVisible();
});

test('the owner of a claimed listing reads what is due, until the first renewal [R72]', () => {
  vi.setSystemTime(new Date(TIME));
  const listing = { ...PROJECT.listing, source: 'catalogue', ownership: 'proven' } as const;
  const expiresAt = new Date(Date.parse(TIME) + 30 * 86_400_000).toISOString();
  const kept = { listing, period: 1, periodEndsAt: expiresAt, expiresAt };
  const { rerender } = render(card(kept));
  expect(screen.getByText(/^Free as part of the catalogue: nothing is due/)).toBeTruthy();
  expect(screen.queryByText(/remaining$/)).toBeNull();
  const renewed = { ...kept, expiresAt: new Date(Date.parse(expiresAt) + 31 * 86_400_000).toISOString() };
  rerender(card(renewed));
  expect(screen.queryByText(/^Free as part of the catalogue/)).toBeNull();
  expect(screen.getByText('61d 0h remaining')).toBeTruthy();
  vi.useRealTimers();
});

test('an open payment disables the button of its own purpose [S2.30 S2.31]', () => {
  const openFor =
    (purpose: string): ProjectActions['openOrder'] =>
    (asked) =>
      asked === purpose ? OPEN : null;
  const { rerender } = render(card({}, { openOrder: openFor('update') }));
  const [waiting = ''] = buttons();
  expect(waiting).not.toMatch(/Update|^$/);
  expect(buttons()[1]).toBe('Renew (15 SUI) Project 3');
  expect(areOff()).toEqual([true, false]);
  rerender(card({}, { openOrder: openFor('renew') }));
  expect(buttons()).toEqual(['Update (5 SUI) Project 3', waiting]);
  expect(areOff()).toEqual([false, true]);
  rerender(card({}, { openOrder: openFor('renew') }, true));
  expect(buttons()).toEqual([waiting]);
});

test('a hidden project has no buttons [S2.30 S2.31]', () => {
  const { rerender } = render(card({ hiddenReason: 'A copy' }));
  expect(screen.getByText('Hidden by the admin: A copy')).toBeVisible();
  expect(screen.queryAllByRole('button')).toEqual([]);
  rerender(card({ hiddenReason: 'A copy' }, {}, true));
  expect(screen.queryAllByRole('button')).toEqual([]);
  rerender(card());
  expect(screen.queryByText(/^Hidden by/)).toBeNull();
  expect(buttons()).toEqual(['Update (5 SUI) Project 3', 'Renew (15 SUI) Project 3']);
});

const HIDDEN = { hiddenReason: 'A copy' };
const APPEAL = { id: 4, text: 'We were first', createdAt: TIME, answer: null, answeredAt: null };

test('a hidden project shows its appeal, the answer and the refund [R80]', () => {
  const { rerender } = render(card({ ...HIDDEN, appeal: APPEAL }));
  expect(screen.getByText('We were first')).toBeVisible();
  expect(screen.getByText('Not answered yet. The answer is shown here.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Appeal/ })).toBeNull();
  const answered = { ...APPEAL, answer: 'Your fee comes back', answeredAt: TIME };
  const refund = { amountMist: '15000000000', transactionHash: 'D'.repeat(44) };
  rerender(card({ ...HIDDEN, appeal: answered, refund }));
  expect(screen.getByText('Your fee comes back')).toBeVisible();
  expect(screen.getByText(/^Your fee of 15 SUI was sent back:/)).toHaveTextContent('DDDDDDDD…DDDDDD');
  expect(screen.queryByText(/^Not answered yet/)).toBeNull();
});
