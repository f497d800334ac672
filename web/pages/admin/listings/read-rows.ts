import type { CatalogueText, RowReport } from '#shared/contract/catalogue.ts';
import { projectTextFields } from '#shared/listings/project-fields.ts';
import { CATALOGUE_COLUMNS } from './catalogue-sheet.ts';
import { decodeSheet, UnreadableFileError } from './decode-sheet.ts';
import { normalText, type RawRow, readCsv, readJson } from './read-cells.ts';

const FILE_MAX_BYTES = 8 * 1024 * 1024;
const CELL_MAX_CHARS = 1_000;
const MOST_COLUMNS = 1_000;
const MOST_NAMED = 10;

type Column = (typeof CATALOGUE_COLUMNS)[number];
const NEEDED: readonly Column[] = ['name', 'category', 'description', 'twitterHandle', 'picture'];

export interface FileRow {
  number: number;
  texts: CatalogueText;
  picture: string;
  errors: RowReport['errors'];
}

export interface Sheet {
  rows: FileRow[];
  /** Guesses, and what was passed over. */
  notes: string[];
}

/** 'Twitter Handle', 'twitter_handle', and 'TWITTER-HANDLE' are one column. */
const normalName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

const COLUMN_OF = new Map<string, Column>(CATALOGUE_COLUMNS.map((column) => [normalName(column), column]));
const isColumn = (name: string): boolean => COLUMN_OF.has(normalName(name));

const LOST_LETTER = '\uFFFD';

/** Null for a list or an object. */
function cellText(value: unknown): string | null {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

function errorOf(text: string | null): string | null {
  if (text === null) return 'Enter a text, not a list or an object';
  if (text.includes(LOST_LETTER))
    return `Some letters were lost when the file was saved (${LOST_LETTER}). Save it again as CSV UTF-8`;
  return text.length > CELL_MAX_CHARS
    ? `This cell has more than ${CELL_MAX_CHARS.toLocaleString('en-US')} characters`
    : null;
}

function toRow({ number, cells, beyond }: RawRow): FileRow {
  const row = new Map<Column, string>();
  const errors: FileRow['errors'] = [];
  for (const [name, value] of cells) {
    const column = COLUMN_OF.get(normalName(name));
    if (column === undefined) continue;
    const text = cellText(value);
    const message = errorOf(text);
    if (message !== null) errors.push({ field: column, message });
    const [first, second] = [row.get(column) ?? '', (text ?? '').slice(0, CELL_MAX_CHARS)];
    if (first !== '' && second !== '' && first !== second)
      errors.push({ field: column, message: 'Two columns of this name say different things' });
    row.set(column, first === '' ? second : first);
  }
  if (beyond.length > 0)
    errors.push({ field: 'row', message: `It has more cells than the header: ${beyond.join(', ').slice(0, 100)}` });
  const texts = Object.fromEntries(projectTextFields.map((field) => [field, row.get(field) ?? '']));
  return { number, texts: texts as CatalogueText, picture: row.get('picture') ?? '', errors };
}

function checkHeader(header: readonly string[]): void {
  if (header.length > MOST_COLUMNS)
    throw new UnreadableFileError(
      `The first row has ${header.length.toLocaleString('en-US')} cells. It must be the names of the columns.`,
    );
  const found = new Set(header.map((name) => COLUMN_OF.get(normalName(name))));
  const missing = NEEDED.filter((column) => !found.has(column));
  if (missing.length === 0) return;
  const has = header.length === 0 ? '' : ` The first row has: ${header.join(', ').slice(0, 200)}.`;
  throw new UnreadableFileError(`Columns are missing: ${missing.join(', ')}.${has}`);
}

/** '3, 5 to 7 and 12 more' */
function listNumbers(numbers: readonly number[]): string {
  const ranges: Array<{ from: number; to: number }> = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.to === number - 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  const named = ranges.slice(0, MOST_NAMED);
  const text = named.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`)).join(', ');
  const count = named.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  return count < numbers.length ? `${text} and ${numbers.length - count} more` : text;
}

/** The first few of many names. */
export function listSome(names: readonly string[]): string {
  const some = names.slice(0, MOST_NAMED).map((name) => name.slice(0, 60));
  return `${some.join(', ')}${names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''}`;
}

/** Columns that hold something and mean no field. */
function unreadColumns(rows: readonly RawRow[]): string[] {
  const names = new Set<string>();
  for (const { cells } of rows)
    for (const [name, value] of cells)
      if (!isColumn(name) && cellText(value) !== '') names.add(name || 'one without a name');
  return [...names];
}

/** An error of one row is among that row's. @throws UnreadableFileError for the file as a whole */
export async function readSheet(file: Blob): Promise<Sheet> {
  if (file.size > FILE_MAX_BYTES) throw new UnreadableFileError('The file can have at most 8 MB.');
  const { text: decoded, note } = decodeSheet(new Uint8Array(await file.arrayBuffer()));
  const text = normalText(decoded);
  const { rows, blanks } = /^\s*[[{]/.test(text) ? readJson(text, isColumn) : readCsv(text, isColumn, checkHeader);
  if (rows.length === 0) throw new UnreadableFileError('The file has no rows.');
  const notes = note === null ? [] : [note];
  if (blanks.length > 0) notes.push(`Blank rows, passed over: ${listNumbers(blanks)}.`);
  const unread = unreadColumns(rows);
  if (unread.length > 0) notes.push(`Columns that are not read: ${listSome(unread)}.`);
  return { rows: rows.map(toRow), notes };
}
