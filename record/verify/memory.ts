import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { type Checkpoint, openCheckpoint } from '../log/checkpoint.ts';
import { type Hash, isSameHash } from '../log/hashes.ts';
import { NoteError, parseVerifier } from '../log/note.ts';
import { absent, type Check, Differences, unchecked } from './report.ts';

export interface Seen {
  key: string;
  note: string;
  checkedAt: string;
}

const StateFile = z.object({
  version: z.literal(1),
  sites: z.record(z.string(), z.object({ key: z.string(), note: z.string(), checkedAt: z.iso.datetime() })),
});
type StateFile = z.output<typeof StateFile>;

export const defaultStateFile = (env: NodeJS.ProcessEnv = process.env): string =>
  path.join(env['XDG_STATE_HOME'] || path.join(homedir(), '.local', 'state'), 'snapswipe', 'verify.json');

export class StateError extends Error {
  override name = 'StateError';
}

async function readState(file: string): Promise<StateFile> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { version: 1, sites: {} };
    throw new StateError(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    return StateFile.parse(JSON.parse(text));
  } catch {
    throw new StateError(`${file} is corrupt: move it away to start over`);
  }
}

/** Null for a site that is checked for the first time. @throws StateError */
export const readSeen = async (file: string, site: string): Promise<Seen | null> =>
  (await readState(file)).sites[site] ?? null;

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

/** @throws StateError where the file cannot be written */
export async function writeSeen(file: string, site: string, seen: Seen): Promise<void> {
  const state = await readState(file);
  try {
    await makeFolder(path.dirname(file));
    const next = `${file}.${process.pid}`;
    await writeFile(next, `${JSON.stringify({ ...state, sites: { ...state.sites, [site]: seen } }, null, 2)}\n`);
    await rename(next, file);
  } catch (error) {
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

interface MemoryTask {
  seen: Seen | null;
  key: string;
  head: Checkpoint;
  /** Root of the entries that were seen before, as they are now; null where they cannot be read. */
  seenRoot: Hash | null;
}

export function checkMemory({ seen, key, head, seenRoot }: MemoryTask): Check {
  if (!seen) return absent('Memory', 'checked for the first time; the next check compares with this one');
  const differences = new Differences();
  const when = seen.checkedAt.slice(0, 10);
  const before = seenCheckpoint(seen);
  differences.expect(seen.key === key, () => `The record has another key than on ${when}`);
  if (before.size > head.size) {
    differences.add(`The record has ${head.size} entries; it had ${before.size} on ${when}`);
  } else if (seenRoot === null) {
    return unchecked('Memory', `The ${before.size} entries of ${when} cannot be read`);
  } else if (!isSameHash(seenRoot, before.root)) {
    differences.add(`The first ${before.size} entries are not those of ${when}: the record was rewritten`);
  }
  return differences.check('Memory', `begins with the ${before.size.toLocaleString('en')} entries of ${when}`);
}
