/** Spreadsheets take a cell that begins like this for a formula, whoever wrote it. */
const FORMULA = /^[\s]*[=+\-@\t\r]/;

/** A cell as CSV: text that could be a formula gets an apostrophe in front (R33); numbers are what they are. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\t\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows under their column names, as RFC 4180 has it. */
export function toCsv(columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string {
  const lines = [columns.map(csvCell), ...rows.map((row) => columns.map((column) => csvCell(row[column])))];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

/** Hands the table to the browser as a file. */
export function downloadCsv(
  name: string,
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): void {
  // The mark at the beginning tells Excel that it is UTF-8.
  const url = URL.createObjectURL(new Blob(['\uFEFF', toCsv(columns, rows)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
