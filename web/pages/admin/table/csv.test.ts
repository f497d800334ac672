import { expect, test } from 'vitest';
import type { ListSource, PageCall } from '../../../lib/fetch-page.ts';
import { CSV_MAX_ROWS, exportList } from './csv.ts';

interface Entry {
  id: number;
  note: string;
}

function listOf(length: number): ListSource<Entry> & { asked: PageCall[] } {
  const asked: PageCall[] = [];
  async function load(page: PageCall) {
    asked.push(page);
    const start = Number(page.cursor ?? 0);
    const end = Math.min(length, start + (page.limit ?? 50));
    const rows = Array.from({ length: end - start }, (_, i) => ({ id: start + i + 1, note: '=1+1' }));
    return { rows, nextCursor: end < length ? String(end) : null, total: length };
  }
  return { queryKey: ['test'], load, asked };
}

const options = { toRow: (entry: Entry) => ({ ...entry }), pageSize: 500 };

test('a CSV file has every row of the list, with formulas neutralized [R33]', async () => {
  const list = listOf(1_234);
  const progress: number[] = [];
  const { csv, rows, isCut } = await exportList(list, { ...options, onProgress: (count) => progress.push(count) });
  const lines = csv.join('').trimEnd().split('\r\n');
  expect(lines).toHaveLength(1_235);
  expect([lines[0], lines[1], lines.at(-1)]).toEqual(['id,note', "1,'=1+1", "1234,'=1+1"]);
  expect([rows, isCut]).toEqual([1_234, false]);
  expect(progress).toEqual([500, 1_000, 1_234]);
  expect(list.asked.map(({ limit }) => limit)).toEqual([500, 500, 500]);
});

test('the CSV of an endless list is cut [R33]', async () => {
  const { rows, isCut } = await exportList(listOf(1e6), { ...options, onProgress: () => undefined });
  expect([rows, isCut]).toEqual([CSV_MAX_ROWS, true]);
});
