// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectPageOf } from '../../testing/made-up.ts';
import { useTestPage } from '../../testing/screen.tsx';
import { VoteResult } from './vote-result.tsx';

useTestPage();
const result = (bullishCount: number, bearishCount: number) => {
  const totalVotes = bullishCount + bearishCount;
  const bullishPercentage = totalVotes === 0 ? 0 : Math.round((bullishCount / totalVotes) * 100);
  return <VoteResult project={projectPageOf(1, { bullishCount, bearishCount, totalVotes, bullishPercentage })} />;
};
const side = (word: string) => screen.getByText(word).closest('li');

test.each([
  [7, 3, '70% bullish', 'text-bull'],
  [1, 1, '50% bullish', 'text-warn'],
  [1, 3, '25% bullish', 'text-bear'],
])(
  '%i bullish and %i bearish votes are %s, in the color that says the same [S2.33]',
  (bullish, bearish, words, color) => {
    render(result(bullish, bearish));
    const share = screen.getByText('bullish');
    expect(share).toHaveTextContent(words);
    expect(/text-(bull|warn|bear)/.exec(share.className)?.[0]).toBe(color);
  },
);

test('both sides with their counts, and all votes together; without a vote there is no share [S2.33]', () => {
  const { unmount } = render(result(1_234, 2));
  expect(side('Bullish')).toHaveTextContent('1,234 Bullish');
  expect(side('Bearish')).toHaveTextContent('2 Bearish');
  expect(side('Bullish')?.querySelector('.text-bull')).not.toBeNull();
  expect(side('Bearish')?.querySelector('.text-bear')).not.toBeNull();
  expect(screen.getByText('1,236 votes')).toBeVisible();
  unmount();
  render(result(0, 0));
  expect(screen.getByText('No votes yet')).toBeVisible();
  expect(screen.getByText('0 votes')).toBeVisible();
  expect(screen.queryByText('%', { exact: false })).toBeNull();
});
