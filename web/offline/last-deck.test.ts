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

test('a stored deck is read back unchanged', () => {
  expect(fromText(toText(deckOf(3)), 7)).toEqual(deckOf(3));
});

test('a stored deck has at most 20 cards and 64,000 characters', () => {
  expect(fromText(toText(deckOf(50)), 7)?.cards).toHaveLength(20);
  const text = toText(deckOf(20, 'x'.repeat(9_000)));
  expect(text.length).toBeLessThanOrEqual(64_000);
  expect(fromText(text, 7)?.cards).toHaveLength(6);
  expect(fromText(toText(deckOf(1, 'x'.repeat(90_000))), 7)?.cards).toEqual([]);
});

test('a stored deck is not read for another user or from a broken value', () => {
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
