/** Spreadsheets take a cell that begins like this for a formula, whatever its origin; some take wide signs for the narrow ones. */
const FORMULA = /^'*\s*[=+\-@＝＋－＠\t\r\n]/;
const GUARDED = /^'+\s*[=+\-@＝＋－＠\t\r\n]/;
/** Separators of spreadsheets in any language: a cell with one of them is quoted, and stays one cell. */
const SEPARATOR = /[",;|\t\r\n]/;

/** Begins each CSV file: without this byte order mark Excel takes UTF-8 for the system's own encoding. */
export const CSV_MARK = '\uFEFF';

const withGuard = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** The text of a cell that `csvCell` wrote: without its apostrophe, and with one that was part of the text. */
export const withoutGuard = (text: string): string => (GUARDED.test(text) ? text.slice(1) : text);

/** A cell as CSV: text that could be a formula gets an apostrophe in front (R33); numbers stay unchanged. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = withGuard(text);
  return SEPARATOR.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvLine = (cells: readonly unknown[]): string => `${cells.map(csvCell).join(',')}\r\n`;

export function toCsv(columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string {
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))].map(csvLine).join('');
}
