import { expect, test } from 'vitest';
import { projectOf, votingStatusOf } from '../testing/made-up.ts';
import { fromText, toText } from './last-deck.ts';

const cards = (count: number, description = '') =>
  Array.from({ length: count }, (_, at) => projectOf(at + 1, { description }));
const deckOf = (count: number, description?: string) => ({
  userId: 7,
  cards: cards(count, description),
  votingStatus: votingStatusOf(3, null),
});

test('a deck comes back as it was', () => {
  expect(fromText(toText(deckOf(3)), 7)).toEqual(deckOf(3));
});

test('at most 20 cards and 64,000 characters are stored', () => {
  expect(fromText(toText(deckOf(50)), 7)?.cards).toHaveLength(20);
  const text = toText(deckOf(20, 'x'.repeat(9_000)));
  expect(text.length).toBeLessThanOrEqual(64_000);
  expect(fromText(text, 7)?.cards).toHaveLength(6);
  expect(fromText(toText(deckOf(1, 'x'.repeat(90_000))), 7)?.cards).toEqual([]);
});

test('another user gets nothing of it, and a value that is not a deck is ignored', () => {
  expect(fromText(toText(deckOf(3)), 8)).toBeNull();
  for (const text of [
    null,
    '',
    '{',
    'null',
    '[]',
    '{"userId":7}',
    '{"userId":7,"cards":[{}]}',
    '{"userId":7,"cards":[null]}',
  ])
    expect(fromText(text, 7)).toBeNull();
});
