import { expect, test } from 'vitest';
import { keyOf } from './key-of.ts';

test.each([
  ['z', 'KeyZ', 'z'],
  ['Z', 'KeyZ', 'z'],
  ['z', 'KeyY', 'z'],
  ['я', 'KeyZ', 'z'],
  ['Ы', 'KeyS', 's'],
  ['é', 'Digit2', 'é'],
  ['ArrowDown', 'ArrowDown', 'ArrowDown'],
])('key %s on layout %s is read as %s', (key, code, expected) => {
  expect(keyOf({ key, code })).toBe(expected);
});
