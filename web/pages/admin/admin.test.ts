import { expect, test } from 'vitest';
import { nextSorting, sortRows } from './table/sorting.ts';
import { placeOf } from './console/position.ts';

test('rows are sorted by column: numbers by value, texts by their numbers, empty cells last [R33]', () => {
  const rows = [
    { a: 10, b: 'x10' },
    { a: null, b: 'x9' },
    { a: 9, b: 'X1' },
  ];
  const by = (column: string, descending: boolean) => sortRows(rows, { column, descending }).map((row) => row.b);
  expect(by('a', false)).toEqual(['X1', 'x10', 'x9']);
  expect(by('a', true)).toEqual(['x10', 'X1', 'x9']);
  expect(by('b', false)).toEqual(['X1', 'x9', 'x10']);
  expect(sortRows(rows, null)).toEqual(rows);
  const first = nextSorting(null, 'a');
  const second = nextSorting(first, 'a');
  expect([first, second, nextSorting(second, 'a'), nextSorting(first, 'b')]).toEqual([
    { column: 'a', descending: false },
    { column: 'a', descending: true },
    null,
    { column: 'b', descending: false },
  ]);
});

test('the position of an SQL error is counted in characters [S8.18]', () => {
  expect(placeOf('SELEC 1', 1)).toEqual({ line: 1, column: 1, text: 'SELEC 1' });
  expect(placeOf("SELECT '🦈',\n  nonsense\nFROM x", 15)).toEqual({ line: 2, column: 3, text: '  nonsense' });
  expect(placeOf('SELECT', 99)).toEqual({ line: 1, column: 7, text: 'SELECT' });
});
