import { saveFile } from '../../../lib/save-file.ts';
import { CSV_MARK, csvLine } from '#shared/text/csv.ts';
import type { ListSource } from '../../../lib/fetch-page.ts';

export const CSV_MAX_ROWS = 100_000;

export type CsvRow = Readonly<Record<string, unknown>>;

interface ExportOptions<T> {
  toRow: (entry: T) => CsvRow;
  pageSize: number;
  onProgress: (rows: number) => void;
}

export interface Export {
  csv: string[];
  rows: number;
  isCut: boolean;
}

/** The columns are the fields of a row. */
export async function exportList<T>({ load }: ListSource<T>, options: ExportOptions<T>): Promise<Export> {
  const { toRow, pageSize, onProgress } = options;
  const csv: string[] = [];
  let columns: string[] | null = null;
  let rows = 0;
  let cursor: string | null = null;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the last one ends
    const page = await load({ limit: pageSize, ...(cursor === null ? {} : { cursor }) });
    const lines = page.rows.map(toRow);
    if (columns === null) csv.push(csvLine((columns = Object.keys(lines[0] ?? {}))));
    const names: readonly string[] = columns;
    csv.push(lines.map((line) => csvLine(names.map((name) => line[name]))).join(''));
    rows += lines.length;
    cursor = page.nextCursor;
    onProgress(rows);
  } while (cursor !== null && rows < CSV_MAX_ROWS);
  return { csv, rows, isCut: cursor !== null };
}

export function download(name: string, csv: readonly string[]): void {
  saveFile(`${name}.csv`, new Blob([CSV_MARK, ...csv], { type: 'text/csv;charset=utf-8' }));
}
