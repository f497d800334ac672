// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createStore, useStore } from '../lib/external-store.ts';
import { lastVoteOf, projectOf } from '../testing/made-up.ts';
import { act, draw, useTestPage } from '../testing/screen.tsx';
import { lastVote, type LastVote } from './last-vote.ts';
import { NewestReveal, Reveal } from './reveal.tsx';

useTestPage();
const VOTE = lastVoteOf({ project: projectOf(1, { name: 'Coral' }) });

const shown = createStore<LastVote | null>(VOTE);
function Deck() {
  const vote = useStore(shown);
  return (
    <section aria-label="Cards" tabIndex={-1}>
      {vote === null ? <p>Next card</p> : <Reveal vote={vote} />}
      <button type="button">Bullish</button>
    </section>
  );
}

test.each([
  ['a vote', {}, 'Bullish on CoralUndoShow result'],
  ['a changed vote', { voteType: 'bearish', changes: 'bullish' }, 'Now bearish on Coral'],
  ['a confirmed vote', { changes: 'bullish' }, 'Still bullish on Coral'],
  ['a vote that is being taken back', { phase: 'undoing', isCounted: false }, 'Bullish on CoralUndoing'],
  [
    'a vote whose result is being read, and of the one before',
    { phase: 'reading', before: lastVoteOf({ project: projectOf(2), result: { bullishCount: 2, bearishCount: 1 } }) },
    'Bullish on Coral1 of 2 others voted like you · 1 of 2 with you · Project 2',
  ],
  [
    'a result, and when the vote counts',
    {
      phase: 'final',
      result: { bullishCount: 6, bearishCount: 15, when: 'Your vote counts as verified from tomorrow on' },
    },
    '5 of 20 others voted like you5 of 20with you · CoralYour vote counts as verified from tomorrow on',
  ],
] as const)('the landed card names the project of %s [R59 R38]', (_what, changes, words) => {
  lastVote.set({ ...VOTE, ...changes });
  const { container } = draw(<NewestReveal userId={VOTE.userId} />);
  expect(container.querySelector('[data-reveal]')).toHaveTextContent(words);
  lastVote.set(null);
});

test.each(['Undo your vote on Coral', 'Show result'])(
  'the focus stays near the button %s, which ends [R46]',
  (name) => {
    shown.set(VOTE);
    draw(<Deck />);
    screen.getByRole('button', { name }).focus();
    act(() => shown.set(null));
    expect(screen.getByRole('region', { name: 'Cards' })).toHaveFocus();
    act(() => shown.set(VOTE));
    screen.getByRole('button', { name: 'Bullish' }).focus();
    act(() => shown.set(null));
    expect(screen.getByRole('button', { name: 'Bullish' })).toHaveFocus();
  },
);

test('a result is shown to its voter only, and not where it could not be read [R59]', () => {
  lastVote.set({ ...VOTE, phase: 'final', result: { bullishCount: 6, bearishCount: 15 } });
  const { container, rerender } = draw(<NewestReveal userId={VOTE.userId} />);
  expect(screen.getByText('5 of 20 others voted like you')).toBeVisible();
  rerender(<NewestReveal userId={VOTE.userId + 1} />);
  expect(container).toBeEmptyDOMElement();
  rerender(<NewestReveal userId={VOTE.userId} />);
  act(() => lastVote.set({ ...VOTE, phase: 'final' }));
  expect(container).toBeEmptyDOMElement();
  lastVote.set(null);
});
