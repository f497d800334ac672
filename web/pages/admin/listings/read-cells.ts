import Papa from 'papaparse';
import { CATALOGUE_MAX_ROWS } from '#shared/contract/catalogue.ts';
import { withoutGuard } from '#shared/text/csv.ts';
import { UnreadableFileError } from './decode-sheet.ts';

/** A row as the file has it, under the number that a spreadsheet or an editor shows. */
export interface RawRow {
  number: number;
  cells: ReadonlyArray<readonly [column: string, value: unknown]>;
  /** Texts to the right of the last column. */
  beyond: readonly string[];
}

export interface RawSheet {
  rows: RawRow[];
  /** Numbers of blank rows above the last row. */
  blanks: number[];
}

const DELIMITERS = [',', ';', '\t', '|'];
/** Excel's line that names the delimiter, which it does not show as a row. */
const DELIMITER_LINE = /^"?sep=([^\n"])"?[,;\t|]*\n/i;
const DOS_END = '\u001a';
/** Spaces, also invisible ones. Each run is tried once, or a cell of spaces takes minutes. */
const EDGES = /^[\s\u200b\u2060]+|(?<![\s\u200b\u2060])[\s\u200b\u2060]+$/g;

export const trimmed = (text: string): string => text.replace(EDGES, '');

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => trimmed(cell) === '');

class RowCollector {
  readonly rows: RawRow[] = [];
  readonly blanks: number[] = [];

  add(row: RawRow): void {
    if (this.rows.length === CATALOGUE_MAX_ROWS)
      throw new UnreadableFileError(
        `An import can have at most ${CATALOGUE_MAX_ROWS.toLocaleString('en-US')} rows. The first one too many is row ${row.number}.`,
      );
    this.rows.push(row);
  }

  sheet(): RawSheet {
    const last = this.rows.at(-1)?.number ?? 0;
    return { rows: this.rows, blanks: this.blanks.filter((number) => number < last) };
  }
}

function eachRecord(text: string, delimiter: string, onRecord: (cells: string[], number: number) => boolean): void {
  let number = 0;
  Papa.parse<string[]>(text, {
    delimiter,
    newline: '\n',
    // The parser's own limit and its own skipping would drop rows and their numbers.
    step: ({ data, errors }, parser) => {
      number += 1;
      const broken = errors.find(({ type }) => type === 'Quotes');
      if (broken) throw new UnreadableFileError(`Row ${number} cannot be read: ${broken.message}.`);
      if (!onRecord(data, number)) parser.abort();
    },
  });
}

function firstRecord(text: string, delimiter: string): string[] {
  let first: string[] = [];
  eachRecord(text, delimiter, (cells) => {
    if (isBlank(cells)) return true;
    first = cells;
    return false;
  });
  return first;
}

/** The delimiter that makes most columns of the header: each of the others leaves it one cell. */
function delimiterOf(text: string, named: string | undefined, isColumn: (name: string) => boolean): string {
  const candidates = named === undefined ? DELIMITERS : [named, ...DELIMITERS];
  const found = candidates.map((delimiter) => {
    try {
      return { delimiter, columns: firstRecord(text, delimiter).filter(isColumn).length };
    } catch {
      return { delimiter, columns: 0 };
    }
  });
  return found.toSorted((a, b) => b.columns - a.columns)[0]?.delimiter ?? ',';
}

/** One kind of line ends, which tools that append to a file mix, and no marks at the ends. */
export function normalText(file: string): string {
  const text = file.replace(/^\uFEFF+/, '').replace(/\r\n?/g, '\n');
  const at = text.lastIndexOf(DOS_END);
  return at >= 0 && trimmed(text.slice(at + 1)) === '' ? text.slice(0, at) : text;
}

export function readCsv(
  file: string,
  isColumn: (name: string) => boolean,
  checkHeader: (names: readonly string[]) => void,
): RawSheet {
  const [delimiterLine = '', named] = DELIMITER_LINE.exec(file) ?? [];
  const text = file.slice(delimiterLine.length);
  let header: readonly string[] | null = null;
  const found = new RowCollector();
  eachRecord(text, delimiterOf(text, named, isColumn), (data, number) => {
    if (isBlank(data)) found.blanks.push(number);
    else if (header === null) checkHeader((header = data.map(trimmed)));
    else {
      const cells = data.map((cell) => trimmed(withoutGuard(cell)));
      const [columns, width] = [header, header.length];
      found.add({
        number,
        cells: columns.map((column, at) => [column, cells[at]]),
        beyond: cells.slice(width).filter((cell) => cell !== ''),
      });
    }
    return true;
  });
  if (header === null) checkHeader([]);
  return found.sheet();
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A number stays as it is written: 1.50, and more digits than a number of the language has. */
const parseJson = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? value) : value,
  );

function rowsOfLines(text: string): Array<readonly [number: number, value: unknown]> | null {
  const lines = text.split('\n').map((line, at) => [at + 1, trimmed(line)] as const);
  const filled = lines.filter(([, line]) => line !== '');
  if (filled.length < 2) return null;
  const rows: Array<readonly [number, unknown]> = [];
  for (const [number, line] of filled) {
    try {
      rows.push([number, parseJson(line)]);
    } catch {
      // The file as a whole is what is wrong where not even its first line is JSON.
      if (rows.length === 0) return null;
      throw new UnreadableFileError(`Line ${number} is not valid JSON. Each line must be an object.`);
    }
  }
  return rows;
}

/** The list in the object around it, or the object where it is a row itself. */
function listIn(value: object, isColumn: (name: string) => boolean): unknown[] {
  const lists = Object.values(value).filter((one) => Array.isArray(one) && one.length > 0 && one.every(isObject));
  if (lists.length === 1) return lists[0] as unknown[];
  if (Object.keys(value).some(isColumn)) return [value];
  const names = Object.keys(value).slice(0, 5).join(', ');
  throw new UnreadableFileError(`The JSON is an object (${names}). It must be an array of objects, one for each row.`);
}

function valuesOf(text: string, isColumn: (name: string) => boolean): Array<readonly [number: number, value: unknown]> {
  let whole: unknown;
  try {
    whole = parseJson(text);
  } catch (error) {
    const lines = rowsOfLines(text);
    if (lines) return lines;
    throw new UnreadableFileError(`The file is not valid JSON. ${error instanceof Error ? error.message : ''}`.trim());
  }
  const list = Array.isArray(whole) ? whole : isObject(whole) ? listIn(whole, isColumn) : [whole];
  return list.map((value: unknown, at) => [at + 1, value]);
}

/** An array of objects, also within an object, or an object in each line. */
export function readJson(file: string, isColumn: (name: string) => boolean): RawSheet {
  const found = new RowCollector();
  for (const [number, value] of valuesOf(file, isColumn)) {
    if (!isObject(value))
      throw new UnreadableFileError(`Row ${number} of the JSON is not an object with the columns as its keys.`);
    const cells = Object.entries(value).map(
      ([name, cell]: [string, unknown]) => [name, typeof cell === 'string' ? trimmed(cell) : cell] as const,
    );
    found.add({ number, cells, beyond: [] });
  }
  return found.sheet();
}
