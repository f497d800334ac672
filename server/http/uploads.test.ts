import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRoom, leanLength } from './uploads.ts';

/** What leanLength promises, the slow way: the text without the contents of long strings. */
function leanLengthOf(value: unknown, longFrom: number): number {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' && JSON.stringify(part).length - 2 > longFrom ? '' : part,
  ).length;
}

test('everything but long strings counts, whatever is in them', () => {
  const part = fc.oneof(
    fc.string({ maxLength: 40, unit: 'grapheme' }),
    fc.constantFrom('x'.repeat(5_000), '\\"'.repeat(3_000), 'data:image/png;base64,'.padEnd(9_000, 'A')),
    fc.integer(),
    fc.boolean(),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('a', 'imageUrl', 'name'), fc.array(part, { maxLength: 4 })), (body) => {
      const lean = leanLength(JSON.stringify(body));
      const expected = leanLengthOf(body, 2048);
      // Each string may count for its two quotes once more.
      expect(lean).toBeGreaterThanOrEqual(expected - 2);
      expect(lean).toBeLessThanOrEqual(expected + 2 * 12);
    }),
  );
});

test.each([
  ['nested brackets', '['.repeat(15_000_000)],
  ['a million keys', `{${'"a":1,'.repeat(1_000_000)}"b":1}`],
  ['empty objects', `[${'{},'.repeat(3_000_000)}{}]`],
  ['numbers', `[${'1,'.repeat(4_000_000)}1]`],
  ['short strings', `["${'a","'.repeat(3_000_000)}"]`],
])('%s by the megabyte are refused without being parsed', (_what, json) => {
  expect(leanLength(json)).toBe(Infinity);
});

test('a picture of ten megabytes with its fields is let in', () => {
  const body = {
    purpose: 'submit',
    draft: { name: 'Coral', imageUrl: `data:image/png;base64,${'A'.repeat(14_000_000)}` },
  };
  expect(leanLength(JSON.stringify(body))).toBeLessThan(200);
});

test('one client takes half of the room at most, all together no more than all of it, and what is given back is free', () => {
  const room = createRoom(100, 50);
  expect(room.take('a', 50)).toBe(true);
  expect(room.take('a', 1)).toBe(false);
  expect(room.take('b', 40)).toBe(true);
  expect(room.take('c', 11)).toBe(false);
  room.giveBack('a', 50);
  expect(room.take('c', 50)).toBe(true);
  expect(room.take('a', 11)).toBe(false);
  expect(room.take('a', 10)).toBe(true);
});
