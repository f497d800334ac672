import { expect, test } from 'vitest';
import { csvCell } from './csv.ts';

test.each([
  ['=1+1', `'=1+1`],
  ['＝1+1', `'＝1+1`],
  ['＠SUM(A1)', `'＠SUM(A1)`],
  ['a;=1+1', '"a;=1+1"'],
  ['a|=1+1', '"a|=1+1"'],
  ['a\t=1+1', '"a\t=1+1"'],
  ['plain', 'plain'],
])('keeps %s one cell that no spreadsheet takes for a formula [R33]', (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});
