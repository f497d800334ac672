import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AllowanceLine } from './allowance-line.tsx';

test("says how many votes are left, without a time, until the visitor's time zone is known [S2.16]", () => {
  const periodEndsAt = '2026-01-05T12:00:00.000Z';
  const status = { votesRemaining: 24, totalVotes: 1, totalVotesAllowed: 25, periodEndsAt };
  const html = renderToString(<AllowanceLine allowance={{ status, phase: 'open', failure: null }} />).replaceAll(
    '<!-- -->',
    '',
  );
  expect(html).toContain('24 votes left');
  expect(html).not.toContain('until');
});
