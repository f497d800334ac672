// @vitest-environment happy-dom
/** A project of the user in the portfolio: its actions, and the words on the buttons while one of them runs. */
import { render, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { OwnProject } from '#shared/contract/projects.ts';
import type { OrderView } from '../../payments/open-phases.ts';
import { orderViews } from '../../payments/open-phases.ts';
import { openOrderOf, ownProjectOf, TIME } from '../../testing/made-up.ts';
import { useTestPage } from '../../testing/screen.tsx';
import { type ProjectActions, ProjectCard } from './project-card.tsx';

useTestPage();
const renew = vi.fn<(project: OwnProject) => void>();
const update = vi.fn<(project: OwnProject) => void>();
beforeEach(() => [renew, update].forEach((mock) => mock.mockReset()));

const PROJECT = ownProjectOf(3, { bullishCount: 1_200, bearishCount: 34, totalVotes: 1_234, category: 'NFT' });
const OPEN = orderViews([openOrderOf({ phase: 'looking', proof: null })], [])[0] as OrderView;
const card = (changes: Partial<OwnProject> = {}, actions: Partial<ProjectActions> = {}, isExpired = false) => (
  <ProjectCard
    project={{ ...PROJECT, ...changes }}
    isExpired={isExpired}
    actions={{
      isAdmin: false,
      renewing: null,
      openOrder: () => null,
      endsWaitingName: () => false,
      onRenew: renew,
      onUpdate: update,
      ...actions,
    }}
  />
);
const buttons = () => screen.getAllByRole('button').map((button) => button.textContent);
const areOff = () => screen.getAllByRole<HTMLButtonElement>('button').map(({ disabled }) => disabled);

describe('the buttons [S2.30 S2.31]', () => {
  test('are off while a renewal is pending, and explain it on this project alone', () => {
    const { rerender } = render(card({}, { renewing: 3 }));
    expect(buttons()).toEqual(['Update (5 SUI) Project 3', 'Processing Payment...']);
    expect(areOff()).toEqual([true, true]);
    rerender(card({}, { renewing: 4 }));
    expect(buttons()).toEqual(['Update (5 SUI) Project 3', 'Renew (15 SUI) Project 3']);
    expect(areOff()).toEqual([true, true]);
    rerender(card({}, { renewing: 4 }, true));
    expect(areOff()).toEqual([true]);
    rerender(card());
    expect(areOff()).toEqual([false, false]);
  });

  test('say what a payment waits for, each for its own purpose', () => {
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

  test('are missing for a project that the admin has hidden, for which the server takes no order', () => {
    const { rerender } = render(card({ hiddenReason: 'A copy' }));
    expect(screen.getByText('Hidden by the admin: A copy')).toHaveClass('text-warn');
    expect(screen.queryAllByRole('button')).toEqual([]);
    rerender(card({ hiddenReason: 'A copy' }, {}, true));
    expect(screen.queryAllByRole('button')).toEqual([]);
    rerender(card());
    expect(screen.queryByText(/^Hidden by/)).toBeNull();
    expect(buttons()).toEqual(['Update (5 SUI) Project 3', 'Renew (15 SUI) Project 3']);
  });
});

describe('a hidden project that was paid for [R80]', () => {
  const HIDDEN = { hiddenReason: 'A copy' };
  const APPEAL = { id: 4, text: 'We were first', createdAt: TIME, answer: null, answeredAt: null };

  test('shows the appeal, its answer and the refund of the fee', () => {
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
});
