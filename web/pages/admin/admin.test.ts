import { describe, expect, it, test } from 'vitest';
import { csvCell, toCsv } from '#shared/csv.ts';
import { nextSorting, sortRows } from './table/sorting.ts';
import { placeOf } from './console/position.ts';

describe('CSV [R33]', () => {
  it.each<[unknown, string]>([
    ['=1+2', "'=1+2"],
    ['=HYPERLINK("http://evil.example","x")', `"'=HYPERLINK(""http://evil.example"",""x"")"`],
    ['+1', "'+1"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', `"'\t=1"`],
    ['  =1', "'  =1"],
    ['\r=1', `"'\r=1"`],
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['a "quote"', '"a ""quote"""'],
    ['two\nlines', '"two\nlines"'],
    [-5, '-5'],
    [1.5, '1.5'],
    [true, 'true'],
    [null, ''],
    [undefined, ''],
    [{ a: 1 }, '"{""a"":1}"'],
  ])('%j becomes %s', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  it('has a head, and column names are cells too', () => {
    expect(toCsv(['id', '=cmd'], [{ id: 1, '=cmd': 'x' }, { id: 2 }])).toBe("id,'=cmd\r\n1,x\r\n2,\r\n");
  });
});

test('sorting by a column: numbers by value, text by its numbers, empty cells last, then as it came [R33]', () => {
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

test('the place of an error, counted in characters [S8.18]', () => {
  expect(placeOf('SELEC 1', 1)).toEqual({ line: 1, column: 1, text: 'SELEC 1' });
  expect(placeOf("SELECT '🦈',\n  nonsense\nFROM x", 15)).toEqual({ line: 2, column: 3, text: '  nonsense' });
  expect(placeOf('SELECT', 99)).toEqual({ line: 1, column: 7, text: 'SELECT' });
});
