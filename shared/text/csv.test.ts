import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvCell, toCsv, withoutGuard } from './csv.ts';
import { runs } from '../testing/property-runs.ts';

test.each<[unknown, string]>([
  ['=1+1', `'=1+1`],
  ['＝1+1', `'＝1+1`],
  ['＠SUM(A1)', `'＠SUM(A1)`],
  ['a;=1+1', '"a;=1+1"'],
  ['a|=1+1', '"a|=1+1"'],
  ['a\t=1+1', '"a\t=1+1"'],
  ['plain', 'plain'],
  ['=HYPERLINK("http://evil.example","x")', `"'=HYPERLINK(""http://evil.example"",""x"")"`],
  ['+1', "'+1"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', `"'\t=1"`],
  ['  =1', "'  =1"],
  ["'=1", "''=1"],
  ["'' -1", "''' -1"],
  ["'tis", "'tis"],
  ['\r=1', `"'\r=1"`],
  ['a,b', '"a,b"'],
  ['a "quote"', '"a ""quote"""'],
  ['two\nlines', '"two\nlines"'],
  [-5, '-5'],
  [true, 'true'],
  [null, ''],
  [undefined, ''],
  [{ a: 1 }, '"{""a"":1}"'],
])('keeps %j one cell that no spreadsheet takes for a formula [R33]', (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});

test('the apostrophe of a guarded cell is taken away again, and no other one [R33]', () => {
  const signs = fc.constantFrom('=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n', "'", '"', ' ', 'a');
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 5 }), fc.string(), (start, rest) => {
      const text = start.join('') + rest;
      const cell = csvCell(text);
      const read = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
      expect(withoutGuard(read)).toBe(text);
    }),
    runs(),
  );
});

test('a CSV file has a head whose names are cells too [R33]', () => {
  expect(toCsv(['id', '=cmd'], [{ id: 1, '=cmd': 'x' }, { id: 2 }])).toBe("id,'=cmd\r\n1,x\r\n2,\r\n");
});
