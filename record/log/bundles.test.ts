import { expect, test } from 'vitest';
import { decodeBundle, encodeBundle } from './bundles.ts';
import { manyEntries } from '../testing/log.ts';

test('each entry of a bundle is preceded by its length [R40]', () => {
  const entries = [Uint8Array.of(1, 2, 3), new Uint8Array(), new Uint8Array(300).fill(9)];
  const bytes = encodeBundle(entries);
  expect([...bytes.subarray(0, 9)]).toEqual([0, 3, 1, 2, 3, 0, 0, 1, 44]);
  expect(decodeBundle(bytes, 3)).toEqual(entries);
  expect(() => encodeBundle([new Uint8Array(65_536)])).toThrow(RangeError);
});

test.each<[string, (bytes: Uint8Array) => Uint8Array, number]>([
  ['too short', (bytes) => bytes.subarray(0, -1), 5],
  ['cut off inside a length', (bytes) => bytes.subarray(0, 1), 5],
  ['too long', (bytes) => Uint8Array.of(...bytes, 0), 5],
  ['of another width', (bytes) => bytes, 6],
  ['empty', () => new Uint8Array(), 1],
])('rejects a bundle that is %s [R43]', (_what, edit, width) => {
  expect(() => decodeBundle(edit(encodeBundle(manyEntries(5))), width)).toThrow(RangeError);
});
