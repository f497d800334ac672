import { plural } from '#shared/plural.ts';
import { toBase64 } from '@mysten/sui/utils';
import type { RecordCheckpoint } from '#shared/contract/record.ts';
import { type Checkpoint, openCheckpoint } from '#shared/log/checkpoint.ts';
import { isSameHash } from '#shared/log/hashes.ts';
import { NoteError, type Verifier } from '#shared/log/note.ts';
import { anchorAddress } from '#shared/proof/anchor.ts';
import type { Downloaded, RootedBatch } from './download.ts';
import { absent, type Check, Differences, unchecked } from './report.ts';

/** The note opened by the key, or why it cannot be. */
function open(note: string, key: Verifier): Checkpoint | string {
  try {
    return openCheckpoint(note, key);
  } catch (error) {
    if (error instanceof NoteError) return error.message;
    throw error;
  }
}

/** Every checkpoint bears the key's signature, and says in its note what the list says of it. */
export function checkSignatures(checkpoints: readonly RecordCheckpoint[], key: Verifier): Check {
  const differences = new Differences();
  for (const { note, size, day, root } of checkpoints) {
    const opened = open(note, key);
    if (typeof opened === 'string') differences.add(`${day}: ${opened}`);
    else if (opened.size !== size || toBase64(opened.root) !== root) {
      differences.add(`${day}: the note is signed for another size or root than the list of checkpoints says`);
    }
  }
  return differences.check('Signatures', `${plural(checkpoints.length, 'checkpoint')} signed by ${key.name}`);
}

/** The tree of all entries is the one that was signed. */
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

/**
 * Each checkpoint is the root of the entries up to the end of a batch: so each begins with the one before it, and none is missing.
 */
export function checkHistory(batches: readonly RootedBatch[], checkpoints: readonly RecordCheckpoint[]): Check {
  const differences = new Differences();
  const bySize = new Map<number, RecordCheckpoint>();
  for (const checkpoint of checkpoints) {
    const { day, size } = checkpoint;
    // Two of one size may be of two histories: neither stands for the other.
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
    }
  }
  for (const { day, size } of bySize.values()) differences.add(`${day}: no batch ends after ${size} entries`);
  return differences.check('History', 'each checkpoint begins with the one before');
}

/** Balance of an address in MIST, by a Sui node. @throws where the node is away. */
export type BalanceReader = (address: string) => Promise<bigint>;

interface AnchorOptions {
  batches: readonly RootedBatch[];
  checkpoints: readonly RecordCheckpoint[];
  /** False: the server has no key to anchor with. */
  isAnchoring: boolean;
  balanceOf: BalanceReader;
  rpcUrl: string;
}

/** Each root is an address on Sui that holds something; only the newest may still be on its way. */
export async function checkAnchors({
  batches,
  checkpoints,
  isAnchoring,
  balanceOf,
  rpcUrl,
}: AnchorOptions): Promise<Check> {
  const isEverAnchored = checkpoints.some(({ anchorState }) => anchorState !== 'none');
  if (!isAnchoring && !isEverAnchored) return absent('Anchors', 'none: the checkpoints are only signed');
  const differences = new Differences();
  const bySize = new Map(checkpoints.map((checkpoint) => [checkpoint.size, checkpoint]));
  let anchored = 0;
  let late = 0;
  const newest = batches.at(-1)?.entries.end;
  for (const { entries, entry, root } of batches) {
    const said = bySize.get(entries.end);
    const address = anchorAddress(root);
    if (said && said.anchorAddress !== address)
      differences.add(`${entry.day}: the server names another address than ${address}`);
    let balance: bigint;
    try {
      balance = await balanceOf(address);
    } catch {
      return unchecked('Anchors', `The Sui node at ${rpcUrl} does not respond; name another one with --rpc`);
    }
    if (balance > 0n) anchored += 1;
    else if (said?.anchorState === 'anchored') differences.add(`${entry.day}: ${address} is not on Sui`);
    else if (entries.end !== newest) late += 1;
  }
  const waiting = batches.length - anchored;
  const rest = waiting === 0 ? '' : `; ${waiting} not sent yet`;
  const check = differences.check('Anchors', `${anchored} of ${batches.length} roots found on Sui by ${rpcUrl}${rest}`);
  // Nothing shows when a root existed that was never sent: no difference, and no proof either.
  return late > 0 && check.state === 'ok' ? unchecked('Anchors', check.detail) : check;
}
