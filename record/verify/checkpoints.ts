import { plural } from '#shared/numbers/plural.ts';
import { toBase64 } from '@mysten/sui/utils';
import type { RecordCheckpoint } from '#shared/contract/record.ts';
import { type Checkpoint, openCheckpoint } from '../log/checkpoint.ts';
import { isSameHash } from '../log/hashes.ts';
import { NoteError, type Verifier } from '../log/note.ts';
import { DAY_MS, dayEndMs, dayStartMs } from '../entries/days.ts';
import type { Downloaded, RootedBatch } from './download.ts';
import { type Check, Differences, unchecked } from './report.ts';

function open(note: string, key: Verifier): Checkpoint | string {
  try {
    return openCheckpoint(note, key);
  } catch (error) {
    if (error instanceof NoteError) return error.message;
    throw error;
  }
}

export function checkSignatures(checkpoints: readonly RecordCheckpoint[], key: Verifier): Differences {
  const differences = new Differences();
  for (const { note, size, day, root } of checkpoints) {
    const opened = open(note, key);
    if (typeof opened === 'string') differences.add(`${day}: ${opened}`);
    else if (opened.size !== size || toBase64(opened.root) !== root) {
      differences.add(`${day}: the note is signed for another size or root than the list of checkpoints says`);
    }
  }
  return differences;
}

export function checkTree({ root, batches }: Downloaded, head: Checkpoint): Check {
  const detail = `the root of ${plural(batches.length, 'batch', 'batches')} is the one that was signed`;
  if (!root) return unchecked('Tree', 'The entries cannot be read to their end; see Entries');
  const differences = new Differences();
  differences.expect(
    isSameHash(root, head.root),
    () => `The entries have the root ${toBase64(root)}, signed is ${toBase64(head.root)}`,
  );
  return differences.check('Tree', detail);
}

/** Each checkpoint is the root of the entries up to the end of a batch, and none is missing. */
export function checkHistory(batches: readonly RootedBatch[], checkpoints: readonly RecordCheckpoint[]): Check {
  const differences = new Differences();
  const bySize = new Map<number, RecordCheckpoint>();
  for (const checkpoint of checkpoints) {
    const { day, size } = checkpoint;
    // Two checkpoints of one size may belong to two histories: neither can replace the other.
    differences.expect(!bySize.has(size), () => `${day}: there is another checkpoint of ${size} entries`);
    bySize.set(size, checkpoint);
  }
  for (const { entries, entry, root } of batches) {
    const checkpoint = bySize.get(entries.end);
    bySize.delete(entries.end);
    if (!checkpoint) differences.add(`${entry.day}: the checkpoint of ${entries.end} entries is missing`);
    else if (checkpoint.root !== toBase64(root)) {
      differences.add(`${entry.day}: the first ${entries.end} entries have another root than the checkpoint`);
    } else if (checkpoint.day !== entry.day) {
      differences.add(`${entry.day}: the checkpoint says that it is of ${checkpoint.day}`);
    } else {
      const untilMs = Date.parse(checkpoint.until);
      differences.expect(
        untilMs > dayStartMs(entry.day) && untilMs <= dayEndMs(entry.day),
        () => `${entry.day}: the checkpoint says that it ends at ${checkpoint.until}`,
      );
    }
  }
  for (const { day, size } of bySize.values()) differences.add(`${day}: no batch ends after ${size} entries`);
  return differences.check('History', 'each checkpoint begins with the one before');
}

const STALE_MS = 2 * DAY_MS;
const CLOCK_DIFFERENCE_MS = 10 * 60_000;

/** Compares the newest day with two clocks (R62). `chainMs` is null if no node responds. */
export function checkAge(newestDay: string, nowMs: number, chainMs: number | null): Check {
  const differences = new Differences();
  const ageMs = Math.max(nowMs, chainMs ?? nowMs) - dayEndMs(newestDay);
  const textOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ');
  const chain = chainMs === null ? '' : `, the chain's ${textOf(chainMs)}`;
  const clocks = `this machine's clock says ${textOf(nowMs)}${chain}`;
  differences.expect(
    ageMs <= STALE_MS,
    () => `The newest day is ${newestDay}, ${Math.floor(ageMs / DAY_MS)} days ago (${clocks})`,
  );
  differences.expect(ageMs >= -DAY_MS, () => `The newest day is ${newestDay}, which has not begun (${clocks})`);
  const offMs = chainMs === null ? 0 : Math.abs(nowMs - chainMs);
  const hours = (offMs / 3_600_000).toFixed(1);
  const off = offMs > CLOCK_DIFFERENCE_MS ? `; this machine's clock is ${hours} hours off the chain's` : '';
  return differences.check('Age', `the newest day is ${newestDay}${off}`);
}
