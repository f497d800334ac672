import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export interface ProcessLock {
  release(): void;
}

export class LockedError extends Error {
  readonly pid: number | undefined;

  constructor(file: string, pid: number | undefined) {
    super(`${file} is locked by ${pid === undefined ? 'another process' : `process ${pid}`}`);
    this.name = 'LockedError';
    this.pid = pid;
  }
}

/** SQLite opens no file with a longer path, and calls it missing. */
const MAX_PATH_BYTES = 500;

/**
 * Takes an exclusive lock that lives exactly as long as this process: the kernel releases it even after a SIGKILL. So
 * there are no stale locks and no guesses from process ids, which are reused and differ between containers. Node has no
 * flock; SQLite's file lock is the one kernel lock within reach without a native package. `<file>.pid` next to the lock
 * is for messages only.
 * @throws LockedError when another living process holds it.
 */
export function acquireLock(file: string): ProcessLock {
  if (Buffer.byteLength(file) > MAX_PATH_BYTES) throw new Error(`its path has more than ${MAX_PATH_BYTES} bytes`);
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Error && error.message.includes('locked')) throw new LockedError(file, readOwner(file));
    throw error;
  }
  writeFileSync(`${file}.pid`, `${process.pid}\n`);
  return {
    release() {
      if (database.isOpen) database.close();
    },
  };
}

function readOwner(file: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(`${file}.pid`, 'utf8'), 10);
    return Number.isInteger(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}
