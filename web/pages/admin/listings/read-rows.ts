import Papa from 'papaparse';
import { CATALOGUE_MAX_ROWS, type CatalogueText } from '#shared/contract/catalogue.ts';
import { projectTextFields } from '#shared/project-fields.ts';

const FILE_MAX_BYTES = 8 * 1024 * 1024;
const CELL_MAX_CHARS = 1_000;

export const CATALOGUE_COLUMNS = [...projectTextFields, 'picture'] as const;
type Column = (typeof CATALOGUE_COLUMNS)[number];

export interface FileRow {
  number: number;
  texts: CatalogueText;
  picture: string;
}

export class UnreadableFileError extends Error {}

/** Exports put an apostrophe before what a spreadsheet would take for a formula (R33). */
const withoutGuard = (text: string): string => (/^'\s*[=+\-@＝＋－＠\t\r]/.test(text) ? text.slice(1) : text);

const COLUMN_OF = new Map<string, Column>(CATALOGUE_COLUMNS.map((column) => [column.toLowerCase(), column]));

interface RawRow {
  number: number;
  cells: ReadonlyArray<readonly [column: string, value: unknown]>;
}

const LOST_LETTER = '\uFFFD';

function cellText(value: unknown, number: number): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string' && typeof value !== 'number') throw new UnreadableFileError('Cells must be texts.');
  const text = String(value);
  if (text.includes(LOST_LETTER))
    throw new UnreadableFileError(
      `Row ${number} has letters that were lost when the file was saved (${LOST_LETTER}). Save it again as CSV UTF-8.`,
    );
  return withoutGuard(text).slice(0, CELL_MAX_CHARS);
}

function toRow({ number, cells }: RawRow): FileRow {
  const row = new Map<Column, string>();
  for (const [name, value] of cells) {
    const column = COLUMN_OF.get(name.trim().toLowerCase());
    if (column !== undefined && !row.has(column)) row.set(column, cellText(value, number));
  }
  const texts = Object.fromEntries(projectTextFields.map((field) => [field, row.get(field) ?? '']));
  return { number, texts: texts as CatalogueText, picture: row.get('picture') ?? '' };
}

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

function checkHeader(header: readonly string[]): void {
  const names = new Set(header.map((name) => name.trim().toLowerCase()));
  const missing = ['name', 'category', 'description', 'twitterHandle', 'picture'].filter(
    (column) => !names.has(column.toLowerCase()),
  );
  if (missing.length > 0) throw new UnreadableFileError(`Columns are missing: ${missing.join(', ')}.`);
}

function toRawRow(header: readonly string[], cells: readonly string[], number: number): RawRow {
  if (!isBlank(cells.slice(header.length)))
    throw new UnreadableFileError(`Row ${number} cannot be read: it has more cells than the header.`);
  return { number, cells: header.map((column, at) => [column, cells[at]]) };
}

function readCsv(text: string): RawRow[] {
  // The parser guesses from ten lines, which could all be blank before the header.
  const headerAt = Math.max(0, text.search(/[^\s,;|]/));
  const { delimiter } = Papa.parse(text.slice(headerAt), { preview: 1, skipEmptyLines: 'greedy' }).meta;
  let number = 0;
  let header: readonly string[] | null = null;
  const rows: RawRow[] = [];
  Papa.parse<string[]>(text, {
    delimiter,
    // The parser's own limit and its own skipping would drop rows and their numbers.
    step: ({ data, errors }, parser) => {
      number += 1;
      const broken = errors.find(({ type }) => type === 'Quotes');
      if (broken) throw new UnreadableFileError(`Row ${number} cannot be read: ${broken.message}.`);
      if (isBlank(data)) return;
      if (header) rows.push(toRawRow(header, data, number));
      else checkHeader((header = data));
      // One row more than allowed shows that there are too many, without reading the rest.
      if (rows.length > CATALOGUE_MAX_ROWS) parser.abort();
    },
  });
  if (!header) checkHeader([]);
  return rows;
}

function readJson(text: string): RawRow[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new UnreadableFileError('The file is not valid JSON.');
  }
  if (!Array.isArray(list) || !list.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row)))
    throw new UnreadableFileError('The JSON must be an array of objects, one for each row.');
  return list.map((row: object, at) => ({ number: at + 1, cells: Object.entries(row) }));
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

function decode(bytes: Uint8Array): string {
  const notText = new UnreadableFileError(
    'This file is not UTF-8, so some of its letters cannot be read. Save it as CSV UTF-8 (or JSON in UTF-8), and choose it again.',
  );
  let text: string;
  try {
    text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    throw notText;
  }
  // UTF-16 without its mark is valid UTF-8 with a zero byte in every letter.
  if (text.includes('\0')) throw notText;
  return text;
}

export async function readRows(file: Blob): Promise<FileRow[]> {
  if (file.size > FILE_MAX_BYTES) throw new UnreadableFileError('The file can have at most 8 MB.');
  const text = decode(new Uint8Array(await file.arrayBuffer()));
  const rows = /^\s*[[{]/.test(text) ? readJson(text) : readCsv(text);
  if (rows.length === 0) throw new UnreadableFileError('The file has no rows.');
  if (rows.length > CATALOGUE_MAX_ROWS)
    throw new UnreadableFileError(`An import can have at most ${CATALOGUE_MAX_ROWS.toLocaleString('en-US')} rows.`);
  return rows.map(toRow);
}
