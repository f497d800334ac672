import pg from 'pg';

export type Cell = string | number | boolean | null;

export interface StatementResult {
  columns: string[];
  rows: Cell[][];
  command: string | null;
  rowCount: number | null;
  /** There were more rows than requested, or cells too long to show whole. */
  truncated: boolean;
}

export interface StatementOptions {
  maxRows: number;
  /** Continues past `maxRows` to the end without keeping the rows: for statements that change and return rows. */
  countAll: boolean;
  maxBytes: number;
  maxCellChars: number;
}

export class TooLargeError extends Error {}

const HEADER_BYTES = 5;

/** Counts the bytes of the protocol's messages. A message counts whole once it has begun: its header has its length. */
class AnnouncedBytes {
  total = 0;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  #bytesLeft = 0;

  add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (this.#bytesLeft > 0) {
        const skipped = Math.min(this.#bytesLeft, chunk.length - at);
        this.#bytesLeft -= skipped;
        at += skipped;
        continue;
      }
      const copied = chunk.copy(this.#header, this.#headerBytes, at);
      this.#headerBytes += copied;
      at += copied;
      if (this.#headerBytes < HEADER_BYTES) return;
      // A message begins with a byte for its type, then its length, which counts its own four bytes.
      const length = this.#header.readUInt32BE(1);
      this.#headerBytes = 0;
      this.#bytesLeft = Math.max(0, length - 4);
      this.total += 1 + length;
    }
  }
}

interface Field {
  name: string;
  dataTypeID: number;
}

/** The protocol's messages as pg's Connection sends them; its own types describe an older form. */
interface Wire {
  stream: { destroy: () => void; on: (event: 'data', listener: (chunk: Buffer) => void) => void };
  parse: (message: { text: string; name: string; types: number[] }) => void;
  bind: (message: { portal: string; statement: string; values: unknown[]; binary: boolean }) => void;
  describe: (message: { type: 'P'; name: string }) => void;
  execute: (message: { portal: string; rows: number }) => void;
  flush: () => void;
  sync: () => void;
  sendCopyFail: (reason: string) => void;
}

const { INT2, INT4, INT8, FLOAT4, FLOAT8, OID } = pg.types.builtins;
const BOOL: number = pg.types.builtins.BOOL;
const NUMBERS = new Set<number>([INT2, INT4, INT8, FLOAT4, FLOAT8, OID]);

function readCell(text: string | null, type: number): Cell {
  if (text === null) return null;
  if (type === BOOL) return text === 't';
  if (!NUMBERS.has(type)) return text;
  const value = Number(text);
  const exact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return exact ? value : text;
}

/** 'id', 'id' → 'id', 'id_2': a row is an object, and no column may hide another. */
export function distinctNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let n = 2; seen.has(free); n += 1) free = `${name}_${n}`;
    seen.add(free);
    return free;
  });
}

/**
 * Uses the extended protocol, which accepts no second statement; its portal makes rows as they are fetched, so ten
 * million of them cost as much as the first thousand.
 */
export class Statement {
  readonly result: Promise<StatementResult>;
  readonly #text: string;
  readonly #options: StatementOptions;
  #fields: Field[] = [];
  #rows: Cell[][] = [];
  #tag: string | null = null;
  readonly #announced = new AnnouncedBytes();
  #truncated = false;
  #seen = 0;
  #paused = false;
  #error: Error | null = null;
  #wire: Wire | null = null;
  #resolve!: (result: StatementResult) => void;
  #reject!: (error: Error) => void;

  constructor(text: string, options: StatementOptions) {
    this.#text = text;
    this.#options = options;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit = (connection: unknown): void => {
    const wire = connection as Wire;
    this.#wire = wire;
    // One row may have a gigabyte, so it is stopped at its beginning, before it is assembled.
    wire.stream.on('data', (chunk) => {
      this.#announced.add(chunk);
      if (this.#announced.total > this.#options.maxBytes) this.#cut(new TooLargeError('The result is too large'));
    });
    wire.parse({ text: this.#text, name: '', types: [] });
    wire.bind({ portal: '', statement: '', values: [], binary: false });
    wire.describe({ type: 'P', name: '' });
    // Fetches one row more than is shown, to know whether there are more.
    this.#fetch(this.#options.maxRows + 1);
  };

  #fetch(rows: number): void {
    this.#wire?.execute({ portal: '', rows });
    this.#wire?.flush();
  }

  /** Ends the connection; the server notices, stops and rolls back. */
  #cut(error: Error): void {
    if (this.#error) return;
    this.#error = error;
    this.#wire?.stream.destroy();
    this.#reject(error);
  }

  handleRowDescription(message: { fields: Field[] }): void {
    this.#fields = message.fields;
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    this.#seen += 1;
    if (this.#error || this.#rows.length >= this.#options.maxRows) {
      this.#truncated = true;
      return;
    }
    const { maxCellChars } = this.#options;
    this.#rows.push(
      message.fields.map((text, at) => {
        if (text === null || text.length <= maxCellChars) return readCell(text, this.#fields[at]?.dataTypeID ?? 0);
        this.#truncated = true;
        return `${text.slice(0, maxCellChars)}… (${text.length} characters)`;
      }),
    );
  }

  handlePortalSuspended(): void {
    this.#paused = true;
    this.#truncated = true;
    if (this.#options.countAll) this.#fetch(5_000);
    else this.#wire?.sync();
  }

  handleCommandComplete(message: { text: string }): void {
    this.#tag = message.text;
    this.#wire?.sync();
  }

  handleEmptyQuery(): void {
    this.#wire?.sync();
  }

  handleCopyInResponse(): void {
    this.#wire?.sendCopyFail('COPY needs a program of its own');
  }

  handleCopyData(): void {
    this.#cut(new Error('COPY needs a program of its own'));
  }

  handleError(error: Error): void {
    this.#error ??= error;
    this.#wire?.sync();
    this.#reject(this.#error);
  }

  handleReadyForQuery(): void {
    const [, command = null, count] = /^([A-Z][A-Z ]*?)(?: \d+)*?(?: (\d+))?$/.exec(this.#tag ?? '') ?? [];
    this.#resolve({
      columns: distinctNames(this.#fields.map((field) => field.name)),
      rows: this.#rows,
      command,
      rowCount: count === undefined ? null : this.#paused ? this.#seen : Number(count),
      truncated: this.#truncated,
    });
  }
}
