import { saveFile } from '../../../lib/save-file.ts';
import { CSV_MARK, csvLine } from '#shared/text/csv.ts';
import type { ListSource } from '../../../lib/fetch-page.ts';

export const CSV_MAX_ROWS = 100_000;

export type CsvRow = Readonly<Record<string, unknown>>;

interface ExportOptions<T> {
  columns: readonly string[];
  toRows: (entry: T) => readonly CsvRow[];
  pageSize: number;
  onProgress: (rows: number) => void;
}

export interface Export {
  csv: string[];
  rows: number;
  isCut: boolean;
}

export async function exportList<T>({ load }: ListSource<T>, options: ExportOptions<T>): Promise<Export> {
  const { columns, toRows, pageSize, onProgress } = options;
  const csv = [csvLine(columns)];
  let rows = 0;
  let cursor: string | null = null;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the last one ends
    const page = await load({ limit: pageSize, ...(cursor === null ? {} : { cursor }) });
    const lines = page.rows.flatMap(toRows);
    csv.push(lines.map((line) => csvLine(columns.map((column) => line[column]))).join(''));
    rows += lines.length;
    cursor = page.nextCursor;
    onProgress(rows);
  } while (cursor !== null && rows < CSV_MAX_ROWS);
  return { csv, rows, isCut: cursor !== null };
}

export function download(name: string, csv: readonly string[]): void {
  saveFile(`${name}.csv`, new Blob([CSV_MARK, ...csv], { type: 'text/csv;charset=utf-8' }));
}
