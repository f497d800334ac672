// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectPageOf, TIME } from '../../testing/made-up.ts';
import { draw, useTestPage } from '../../testing/screen.tsx';
import { Changes } from './changes.tsx';
import { VoteResult } from './vote-result.tsx';

useTestPage();

test('a listing that never changed shows no changes', () => {
  draw(<Changes project={projectPageOf(1)} />);
  expect(screen.queryByRole('button')).toBeNull();
});

test('a renamed project shows how many votes came before, beside its evidence [R60 R58]', () => {
  const changed = { at: TIME, what: ['name' as const], name: 'Quiet Frog', votes: 31 };
  const votes = { bullishCount: 40, bearishCount: 3, totalVotes: 43 };
  const now = { bullish: 14, bearish: 1 };
  draw(<VoteResult project={projectPageOf(1, { ...votes, now, changed })} />);
  expect(screen.getByText('31 of 43 votes were cast before it was renamed from Quiet Frog')).toBeVisible();
  for (const words of ['likely 81–98%', 'none verified', 'last 30 days: 93%'])
    expect(screen.getByText(words)).toBeVisible();
});
