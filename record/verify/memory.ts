import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { type Checkpoint, openCheckpoint } from '../log/checkpoint.ts';
import { type Hash, isSameHash } from '../log/hashes.ts';
import { NoteError, parseVerifier } from '../log/note.ts';
import { absent, type Check, Differences, unchecked } from './report.ts';

/** Votes and changes of projects, recorded and newer ones, that a site said it had when its record had this size; its restores until then. */
const Claim = z.object({
  size: z.int(),
  asOf: z.iso.datetime(),
  restores: z.array(z.string()),
  opinions: z.record(z.string(), z.int()),
});
export type Claim = z.output<typeof Claim>;
const Log = z.object({ note: z.string(), checkedAt: z.iso.datetime(), claim: Claim.optional() });
export interface Seen extends z.output<typeof Log> {
  key: string;
}

const VERSION = 1;
const Version = z.object({ version: z.int().min(VERSION) });
const StateFile = z.object({
  version: z.literal(VERSION),
  /** Logs by key, which contains the name of the log: a log is the same one at any address. */
  logs: z.record(z.string(), Log),
  /** The key of the log at each address that was typed. */
  sites: z.record(z.string(), z.string()),
});
export type Memory = z.output<typeof StateFile>;

export const defaultStateFile = (env: NodeJS.ProcessEnv = process.env): string =>
  path.join(env['XDG_STATE_HOME'] || path.join(homedir(), '.local', 'state'), 'snapswipe', 'verify.json');

export class StateError extends Error {
  override name = 'StateError';
}

/** @throws StateError */
export async function readMemory(file: string): Promise<Memory> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { version: VERSION, logs: {}, sites: {} };
    throw new StateError(`${file} cannot be read: ${(error as Error).message}`);
  }
  let state: unknown;
  try {
    state = JSON.parse(text);
  } catch {
    state = null;
  }
  const { data: newer } = Version.safeParse(state);
  if (newer && newer.version > VERSION) {
    throw new StateError(`${file} is of a newer verifier: use that one, or name another file with --state`);
  }
  const found = StateFile.safeParse(state);
  if (!found.success) throw new StateError(`${file} is corrupt: move it away to start over`);
  return found.data;
}

function seenOf({ logs }: Memory, key: string | undefined): Seen | null {
  const log = key === undefined ? undefined : logs[key];
  return key !== undefined && log ? { key, ...log } : null;
}

/** Null for a site that is checked for the first time. @throws StateError */
export async function readSeen(file: string, site: string): Promise<Seen | null> {
  const memory = await readMemory(file);
  return seenOf(memory, memory.sites[site]);
}

export interface KnownLogs {
  /** The log of this key, seen at any address. */
  seen: Seen | null;
  /** The log that was at this address before, with another key. */
  replaced: Seen | null;
}

export function knownLogs(memory: Memory, site: string, key: string): KnownLogs {
  const known = memory.sites[site];
  return { seen: seenOf(memory, key), replaced: known === key ? null : seenOf(memory, known) };
}

/** Node's recursive mkdir never ends where a file system refuses folders. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || existsSync(path.dirname(folder))) throw error;
    await makeFolder(path.dirname(folder));
    await mkdir(folder);
  }
}

const LOCK_PAUSE_MS = 50;
const LOCK_ATTEMPTS = 200;
/** A lock is held for milliseconds; an older one is left from a check that was killed. */
const LOCK_STALE_MS = 30_000;

async function lock(file: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await (await open(file, 'wx')).close();
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const heldSinceMs = await stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - heldSinceMs > LOCK_STALE_MS) await rm(file, { force: true });
    else if (attempt === LOCK_ATTEMPTS) throw new Error(`${file} is held by another check`);
    await pause(LOCK_PAUSE_MS);
  }
}

/** Another check of the same log may have finished in between, with a newer checkpoint. */
function newerOf(known: Seen | null, seen: Seen): Seen {
  if (!known) return seen;
  const [one, other] = [seenCheckpoint(known), seenCheckpoint(seen)];
  if (one.size === other.size && !isSameHash(one.root, other.root)) {
    throw new Error(`another check saw another root of the same ${one.size} entries`);
  }
  return one.size > other.size ? known : seen;
}

/** Merges what was seen into what other checks have stored since. @throws StateError if the file cannot be written */
export async function writeSeen(file: string, site: string, seen: Seen): Promise<void> {
  try {
    await makeFolder(path.dirname(file));
    const held = `${file}.lock`;
    await lock(held);
    try {
      const memory = await readMemory(file);
      const { key, ...log } = newerOf(seenOf(memory, seen.key), seen);
      const state: Memory = {
        ...memory,
        logs: { ...memory.logs, [key]: log },
        sites: { ...memory.sites, [site]: key },
      };
      const next = `${file}.${process.pid}`;
      await writeFile(next, `${JSON.stringify(state, null, 2)}\n`);
      await rename(next, file);
    } finally {
      await rm(held, { force: true });
    }
  } catch (error) {
    if (error instanceof StateError) throw error;
    throw new StateError(`${file} cannot be written: ${(error as Error).message}`);
  }
}

/** The checkpoint that was seen. @throws StateError for a note that the key beside it has not signed */
export function seenCheckpoint({ key, note }: Seen): Checkpoint {
  try {
    return openCheckpoint(note, parseVerifier(key));
  } catch (error) {
    if (error instanceof NoteError)
      throw new StateError(`The stored checkpoint is not one of this log: ${error.message}`);
    throw error;
  }
}

interface MemoryTask extends KnownLogs {
  head: Checkpoint;
  /** Root of the entries that were seen before, as they are now; null if they cannot be read. */
  seenRoot: Hash | null;
}

export function checkMemory({ seen, replaced, head, seenRoot }: MemoryTask): Check {
  const differences = new Differences();
  if (replaced) differences.add(`The record has another key than on ${replaced.checkedAt.slice(0, 10)}`);
  if (!seen) {
    if (replaced) return differences.check('Memory', '');
    return absent('Memory', 'checked for the first time; the next check compares with this one');
  }
  const when = seen.checkedAt.slice(0, 10);
  const before = seenCheckpoint(seen);
  if (before.size > head.size) {
    differences.add(`The record has ${head.size} entries; it had ${before.size} on ${when}`);
  } else if (seenRoot === null) {
    return unchecked('Memory', `The ${before.size} entries of ${when} cannot be read`);
  } else if (!isSameHash(seenRoot, before.root)) {
    differences.add(`The first ${before.size} entries are not those of ${when}: the record was rewritten`);
  }
  return differences.check('Memory', `begins with the ${before.size.toLocaleString('en')} entries of ${when}`);
}
