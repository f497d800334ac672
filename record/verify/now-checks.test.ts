import { expect, test } from 'vitest';
import type { OpinionEntry } from '../entries/entries.ts';
import { History } from './history.ts';
import { NowChecker } from './now-checks.ts';

/** Ten votes that are too old from 23 November on, and twelve that are not. */
function checker(): NowChecker {
  const history = new History(1);
  for (const [day, votes] of [
    ['2026-10-24', 10],
    ['2026-11-20', 12],
  ] as const)
    for (let vote = 0; vote < votes; vote += 1)
      history.hold({ kind: 'vote', day, bullish: true } as OpinionEntry, null);
  const now = new NowChecker({ first: '2026-10-24', last: '2026-11-21' });
  now.addProject(history.finish([]));
  return now;
}

test.each([
  ['2026-11-22T12:00:00Z', 22, 'ok'],
  ['2026-11-22T12:00:00Z', 12, 'differs'],
  ['2026-11-23T00:05:00Z', 22, 'ok'],
  ['2026-11-23T00:05:00Z', 12, 'ok'],
  ['2026-11-23T00:20:00Z', 22, 'differs'],
  ['2026-11-23T00:20:00Z', 12, 'ok'],
])(
  "at %s a site may show yesterday's votes of the last 30 days only until today is counted: %i is %s [R58 R62]",
  (asOf, bullish, state) => {
    expect(checker().compare([{ id: 1, now: { bullish, bearish: 0 } }], asOf, 0).state).toBe(state);
  },
);
