import Papa from 'papaparse';
import { CATALOGUE_MAX_ROWS, type CatalogueText } from '#shared/contract/catalogue.ts';
import { projectTextFields } from '#shared/project-fields.ts';

/** 2,000 rows with the longest texts. */
const FILE_MAX_BYTES = 8 * 1024 * 1024;
const CELL_MAX_CHARS = 1_000;

/** The columns of a file, of an export too. */
export const CATALOGUE_COLUMNS = [...projectTextFields, 'picture'] as const;
type Column = (typeof CATALOGUE_COLUMNS)[number];

export interface FileRow {
  /** Its number in the file, from 1. */
  number: number;
  texts: CatalogueText;
  /** The name of its picture in the archive. */
  picture: string;
}

/** The file cannot be read; the message says what to correct. */
export class UnreadableFileError extends Error {}

/** Exports put an apostrophe before what a spreadsheet would take for a formula (R33). */
const withoutGuard = (text: string): string => (/^'\s*[=+\-@＝＋－＠\t\r]/.test(text) ? text.slice(1) : text);

const COLUMN_OF = new Map<string, Column>(CATALOGUE_COLUMNS.map((column) => [column.toLowerCase(), column]));

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string' && typeof value !== 'number') throw new UnreadableFileError('Cells must be texts.');
  return withoutGuard(String(value)).slice(0, CELL_MAX_CHARS);
}

function toRow(cells: Readonly<Record<string, unknown>>, index: number): FileRow {
  const row = new Map<Column, string>();
  for (const [name, value] of Object.entries(cells)) {
    const column = COLUMN_OF.get(name.trim().toLowerCase());
    if (column !== undefined) row.set(column, cellText(value));
  }
  const texts = Object.fromEntries(projectTextFields.map((field) => [field, row.get(field) ?? '']));
  return { number: index + 1, texts: texts as CatalogueText, picture: row.get('picture') ?? '' };
}

function readCsv(text: string): Array<Record<string, unknown>> {
  // One row more than allowed shows that there are too many, without reading the rest.
  const { data, errors, meta } = Papa.parse<Record<string, unknown>>(text, {
    header: true,
    skipEmptyLines: 'greedy',
    preview: CATALOGUE_MAX_ROWS + 1,
  });
  const missing = ['name', 'category', 'description', 'twitterHandle', 'picture'].filter(
    (column) => !(meta.fields ?? []).some((field) => field.trim().toLowerCase() === column.toLowerCase()),
  );
  if (missing.length > 0) throw new UnreadableFileError(`Columns are missing: ${missing.join(', ')}.`);
  const broken = errors.find(({ type }) => type === 'Quotes' || type === 'FieldMismatch');
  if (broken) throw new UnreadableFileError(`Row ${(broken.row ?? 0) + 1} cannot be read: ${broken.message}.`);
  return data;
}

function readJson(text: string): Array<Record<string, unknown>> {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new UnreadableFileError('The file is not valid JSON.');
  }
  if (!Array.isArray(list) || !list.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row)))
    throw new UnreadableFileError('The JSON must be an array of objects, one for each row.');
  return list as Array<Record<string, unknown>>;
}

/** The rows of a CSV or JSON file. @throws UnreadableFileError */
export async function readRows(file: Blob): Promise<FileRow[]> {
  if (file.size > FILE_MAX_BYTES) throw new UnreadableFileError('The file can have at most 8 MB.');
  // Decoding drops a byte order mark.
  const text = await file.text();
  const cells = /^\s*[[{]/.test(text) ? readJson(text) : readCsv(text);
  if (cells.length === 0) throw new UnreadableFileError('The file has no rows.');
  if (cells.length > CATALOGUE_MAX_ROWS)
    throw new UnreadableFileError(`An import can have at most ${CATALOGUE_MAX_ROWS.toLocaleString('en-US')} rows.`);
  return cells.map(toRow);
}
