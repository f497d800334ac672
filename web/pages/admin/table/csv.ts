import { saveFile } from '../../../lib/save-file.ts';
import { csvLine } from '#shared/csv.ts';
import type { ListSource } from '../../../lib/fetch-page.ts';

/** More does not fit into a spreadsheet, nor well into the memory of a page. */
export const CSV_MAX_ROWS = 100_000;

export type CsvRow = Readonly<Record<string, unknown>>;

interface ExportOptions<T> {
  columns: readonly string[];
  /** The rows that an entry of the list makes. */
  toRows: (entry: T) => readonly CsvRow[];
  /** Entries that are read at once. */
  pageSize: number;
  /** Called with the number of rows so far. */
  onProgress: (rows: number) => void;
}

export interface Export {
  csv: string[];
  rows: number;
  /** The list is longer than CSV_MAX_ROWS. */
  isCut: boolean;
}

/** A whole list as CSV, read page by page from its beginning. */
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

/** Hands CSV to the browser as a file. */
export function download(name: string, csv: readonly string[]): void {
  // The byte order mark makes Excel read the file as UTF-8.
  saveFile(`${name}.csv`, new Blob(['\uFEFF', ...csv], { type: 'text/csv;charset=utf-8' }));
}
