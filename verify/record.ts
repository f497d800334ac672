import { plural } from '#shared/plural.ts';
import type { RecordCheckpoint } from '#shared/contract/record.ts';
import { type Checkpoint, openCheckpoint } from '#shared/log/checkpoint.ts';
import { NoteError, parseVerifier, type Verifier } from '#shared/log/note.ts';
import type { FileReader } from '#shared/proof/remote-files.ts';
import { type LiabilitiesEntry, RecordError } from '#shared/record/entries.ts';
import { checkHistory, checkSignatures, checkTree } from './checkpoints.ts';
import { type Downloaded, downloadRecord, type RootedBatch } from './download.ts';
import { recount, type Recounted } from './recount.ts';
import { type Check, unchecked } from './report.ts';
import { openSpool, type Spool } from './spool.ts';

/** The record as its server describes it. */
export interface RecordTask {
  files: FileReader;
  verifierKey: string;
  /** Every checkpoint, oldest first. */
  loadCheckpoints: () => Promise<RecordCheckpoint[]>;
  onProgress: (text: string) => void;
}

export interface RecordResult {
  checkpoint: Checkpoint;
  checkpoints: RecordCheckpoint[];
  batches: RootedBatch[];
  /** Null where the record cannot be read to its end. */
  recounted: Recounted | null;
  /** The newest proof of liabilities in it. */
  liabilities: LiabilitiesEntry | null;
  checks: Check[];
}

interface Head {
  checkpoint: Checkpoint;
  note: string;
  key: Verifier;
}

const MAX_NOTE_BYTES = 64 * 1024;
export const NOT_READ = 'The record cannot be read to its end';
const RECOUNTS = ['Uniqueness', 'States', 'Counters'] as const;

async function readHead({ files, verifierKey }: RecordTask): Promise<Head> {
  try {
    const key = parseVerifier(verifierKey);
    const note = new TextDecoder().decode(await files('checkpoint', MAX_NOTE_BYTES));
    return { checkpoint: openCheckpoint(note, key), note, key };
  } catch (error) {
    throw error instanceof NoteError ? new RecordError(`The newest checkpoint: ${error.message}`) : error;
  }
}

function checksOf({ votes, totals, projects, uniqueness, states, counters }: Recounted): Check[] {
  return [
    uniqueness.check('Uniqueness', `${plural(votes, 'vote')}, and no pseudonym counts twice on a project`),
    states.check('States', 'every change is of a vote that stands before it'),
    counters.check('Counters', `${plural(totals, 'total')} of ${plural(projects.length, 'project')} recounted`),
  ];
}

/** The newest checkpoint is also the last one of the list. */
function checkSignaturesOf(head: Head, checkpoints: readonly RecordCheckpoint[]): Check {
  const check = checkSignatures(checkpoints, head.key);
  if (checkpoints.at(-1)?.note === head.note) return check;
  const difference = 'The newest checkpoint is not the last one of the list';
  return { ...check, state: 'differs', differences: [...check.differences, difference] };
}

function allChecks(
  head: Head,
  downloaded: Downloaded,
  checkpoints: readonly RecordCheckpoint[],
  recounted: Recounted | null,
): Check[] {
  const { tiles, tileDifferences, layoutDifferences, batches, root } = downloaded;
  const entries = head.checkpoint.size.toLocaleString();
  return [
    checkSignaturesOf(head, checkpoints),
    layoutDifferences.check(
      'Entries',
      `${entries} in ${plural(batches.length, 'batch', 'batches')}, each complete and in order`,
    ),
    checkTree(downloaded, head.checkpoint),
    tileDifferences.check('Hash tiles', `${plural(tiles, 'tile')} with the hashes of the entries`),
    root ? checkHistory(batches, checkpoints) : unchecked('History', NOT_READ),
    ...(recounted ? checksOf(recounted) : RECOUNTS.map((name) => unchecked(name, NOT_READ))),
  ];
}

async function newestLiabilities(spool: Spool, batches: readonly RootedBatch[]): Promise<LiabilitiesEntry | null> {
  for (const { others } of batches.toReversed()) {
    for (let at = others.end - 1; at >= others.start; at -= 1) {
      const [entry] = await spool.entriesFrom(at);
      if (entry?.kind === 'liabilities') return entry;
    }
  }
  return null;
}

/**
 * Checks all that follows from the record alone: nothing else of its server is believed.
 * @throws RecordUnavailable, RecordError where it does not even begin to fit.
 */
export async function verifyRecord(task: RecordTask): Promise<RecordResult> {
  const { files, onProgress } = task;
  const head = await readHead(task);
  const { size } = head.checkpoint;
  const checkpoints = (await task.loadCheckpoints()).filter((checkpoint) => checkpoint.size <= size);
  const spool = await openSpool();
  try {
    const onShare = (share: number) => onProgress(`Entries: ${Math.floor(share * 100)} %`);
    const downloaded = await downloadRecord({ files, size, spool, onProgress: onShare });
    const { batches, root } = downloaded;
    const onVotes = (votes: number) => onProgress(`Votes: ${votes.toLocaleString()}`);
    const recounted = root ? await recount(spool, batches, onVotes) : null;
    const liabilities = root ? await newestLiabilities(spool, batches) : null;
    const checks = allChecks(head, downloaded, checkpoints, recounted);
    return { checkpoint: head.checkpoint, checkpoints, batches, recounted, liabilities, checks };
  } finally {
    await spool.close();
  }
}
