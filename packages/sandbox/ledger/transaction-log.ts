import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { messageOf } from './errors.ts';

const LogEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('genesis'), format: z.literal(1), chainId: z.string(), atMs: z.number() }),
  z.object({
    kind: z.literal('transaction'),
    atMs: z.number(),
    digest: z.string(),
    /** Base64 of the BCS TransactionData. */
    bytes: z.string(),
    signatures: z.array(z.string()).readonly(),
  }),
  z.object({ kind: z.literal('name'), name: z.string(), address: z.string() }),
  z.object({ kind: z.literal('epoch'), atMs: z.number() }),
]);
/** One line of the log, from which all other state of the chain follows. */
export type LogEntry = z.output<typeof LogEntry>;

/** An append-only file with one JSON entry per line; without a folder, it keeps nothing. */
export class TransactionLog {
  readonly file: string | null;
  readonly #descriptor: number | null;
  readonly #lock: DatabaseSync | null;

  private constructor(file: string | null, descriptor: number | null, lock: DatabaseSync | null) {
    this.file = file;
    this.#descriptor = descriptor;
    this.#lock = lock;
  }

  /**
   * Opens or creates `chain.log` in the folder. A last line that a kill cut off was never acknowledged and is removed; a
   * broken line before that throws, because later lines depend on it.
   */
  static open(dir: string | undefined): { log: TransactionLog; entries: LogEntry[] } {
    if (dir === undefined) return { log: new TransactionLog(null, null, null), entries: [] };
    mkdirSync(dir, { recursive: true });
    const file = join(dir, 'chain.log');
    const log = new TransactionLog(file, openSync(file, 'a+'), lockFolder(dir));
    try {
      return { log, entries: log.#read(file) };
    } catch (error) {
      log.close();
      throw error;
    }
  }

  #read(file: string): LogEntry[] {
    const content = readFileSync(file);
    const end = content.lastIndexOf('\n') + 1;
    if (end < content.length && this.#descriptor !== null) ftruncateSync(this.#descriptor, end);
    const lines = content.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
    return lines.map((line, index) => parseLine(line, `${file}:${index + 1}`));
  }

  /** Returns once the operating system has the entry: it survives the end of this process. */
  append(entry: LogEntry): void {
    if (this.#descriptor !== null) writeSync(this.#descriptor, `${JSON.stringify(entry)}\n`);
  }

  close(): void {
    if (this.#descriptor === null) return;
    fsyncSync(this.#descriptor);
    closeSync(this.#descriptor);
    this.#lock?.close();
  }
}

/** The kernel releases the lock of SQLite's file even after SIGKILL; Node has no other. */
function lockFolder(dir: string): DatabaseSync {
  const lock = new DatabaseSync(join(dir, 'lock'), { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (!messageOf(error).includes('locked')) throw error;
    throw new Error(
      `${dir} belongs to a sandbox chain that is running; stop that one, or set SANDBOX_DIR to another folder`,
      { cause: error },
    );
  }
}

function parseLine(line: string, where: string): LogEntry {
  try {
    return LogEntry.parse(JSON.parse(line));
  } catch (error) {
    throw new Error(`${where} is damaged (${messageOf(error)}); move the folder away to begin with a new chain`, {
      cause: error,
    });
  }
}
