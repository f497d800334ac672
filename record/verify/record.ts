import { plural } from '#shared/numbers/plural.ts';
import type { RecordCheckpoint } from '#shared/contract/record.ts';
import { type Checkpoint, openCheckpoint } from '../log/checkpoint.ts';
import { NoteError, parseVerifier, type Verifier } from '../log/note.ts';
import type { FileReader } from '../proof/remote-files.ts';
import { dayEndMs } from '../entries/days.ts';
import { RecordError } from '../entries/entries.ts';
import { checkHistory, checkSignatures, checkTree } from './checkpoints.ts';
import { type Downloaded, downloadRecord } from './download.ts';
import { checkMemory, type KnownLogs, seenCheckpoint } from './memory.ts';
import { type OnProject, recount, type Recounted } from './recount.ts';
import { type Check, unchecked } from './report.ts';
import { openSpool } from './spool.ts';

export interface RecordTask extends Partial<KnownLogs> {
  files: FileReader;
  verifierKey: string;
  loadCheckpoints: () => Promise<RecordCheckpoint[]>;
  onProgress: (text: string) => void;
  wait: (ms: number) => Promise<void>;
  onProject?: OnProject;
  secret?: Uint8Array | null;
}

export interface RecordResult extends Downloaded {
  checkpoint: Checkpoint;
  checkpoints: RecordCheckpoint[];
  note: string;
  /** Null if the record cannot be read to its end. */
  recounted: Recounted | null;
  checks: Check[];
}

interface Head {
  checkpoint: Checkpoint;
  note: string;
  key: Verifier;
}

/** A proxy may keep /log/checkpoint for five seconds. */
const HEAD_WAIT_MS = 6_000;
const HEAD_ATTEMPTS = 3;
const MAX_NOTE_BYTES = 64 * 1024;
export const NOT_READ = 'The record cannot be read to its end';
const SHOWN_KINDS = 10;
const RECOUNTS = ['Uniqueness', 'Changes', 'Counters'] as const;

async function readHead({ files, verifierKey }: RecordTask): Promise<Head> {
  try {
    const key = parseVerifier(verifierKey);
    const note = new TextDecoder().decode(await files('checkpoint', MAX_NOTE_BYTES));
    return { checkpoint: openCheckpoint(note, key), note, key };
  } catch (error) {
    throw error instanceof NoteError ? new RecordError(`The newest checkpoint: ${error.message}`) : error;
  }
}

function checksOf({ votes, totals, projects, uniqueness, changes, counters }: Recounted): Check[] {
  return [
    uniqueness.check('Uniqueness', `${plural(votes, 'vote')}, and no pseudonym counts twice on a project`),
    changes.check('Changes', 'every change is of a vote that was recorded before'),
    counters.check('Counters', `${plural(totals, 'total')} of ${plural(projects.length, 'project')} recounted`),
  ];
}

function checkSignaturesOf(head: Head, checkpoints: readonly RecordCheckpoint[]): Check {
  const differences = checkSignatures(checkpoints, head.key);
  // Witnesses may have added their lines in between; the text is what was signed.
  const textOf = (note: string | undefined) => note?.slice(0, note.indexOf('\n\n'));
  differences.expect(
    textOf(checkpoints.at(-1)?.note) === textOf(head.note),
    () => 'The newest checkpoint is not the last one of the list',
  );
  return differences.check('Signatures', `${plural(checkpoints.length, 'checkpoint')} signed by ${head.key.name}`);
}

function believedOf(unknown: ReadonlyMap<string, number>): string {
  if (unknown.size === 0) return '';
  const count = [...unknown.values()].reduce((sum, one) => sum + one, 0);
  const kinds = [...unknown.keys()].toSorted();
  const shown = kinds.slice(0, SHOWN_KINDS).join(', ') + (kinds.length > SHOWN_KINDS ? ', …' : '');
  return `; believed: ${plural(count, 'entry', 'entries')} of kinds that this verifier does not know: ${shown}`;
}

function allChecks(
  head: Head,
  downloaded: Downloaded,
  checkpoints: readonly RecordCheckpoint[],
  recounted: Recounted | null,
): Check[] {
  const { files, fileDifferences, layoutDifferences, batches, root, unknown } = downloaded;
  const entries = head.checkpoint.size.toLocaleString('en');
  return [
    checkSignaturesOf(head, checkpoints),
    layoutDifferences.check(
      'Entries',
      `${entries} in ${plural(batches.length, 'batch', 'batches')}, each complete and in order${believedOf(unknown)}`,
    ),
    checkTree(downloaded, head.checkpoint),
    fileDifferences.check('Files', `${plural(files, 'file')} of this and of older checkpoints fit the entries`),
    root ? checkHistory(batches, checkpoints) : unchecked('History', NOT_READ),
    ...(recounted ? checksOf(recounted) : RECOUNTS.map((name) => unchecked(name, NOT_READ))),
  ];
}

const endsWithDay = (newest: RecordCheckpoint | undefined): boolean =>
  newest !== undefined && Date.parse(newest.until) >= dayEndMs(newest.day);

/** The newest checkpoint and the list of all; read again where one of them was published or cached in between. */
async function readHeadAndList(task: RecordTask): Promise<{ head: Head; checkpoints: RecordCheckpoint[] }> {
  for (let attempt = 1; ; attempt += 1) {
    const checkpoints = await task.loadCheckpoints();
    const head = await readHead(task);
    if (attempt === HEAD_ATTEMPTS || checkpoints.at(-1)?.size === head.checkpoint.size) return { head, checkpoints };
    await task.wait(HEAD_WAIT_MS);
  }
}

/** Checks what follows from the record alone. @throws RecordUnavailable, RecordError */
export async function verifyRecord(task: RecordTask): Promise<RecordResult> {
  const { files, onProgress } = task;
  const { head, checkpoints } = await readHeadAndList(task);
  const { size } = head.checkpoint;
  const spool = await openSpool();
  try {
    const onShare = (share: number) => onProgress(`Entries: ${Math.floor(share * 100)}%`);
    const { seen = null, replaced = null, secret = null, onProject = () => Promise.resolve() } = task;
    const seenSize = seen && seenCheckpoint(seen).size;
    const isWholeDay = endsWithDay(checkpoints.at(-1));
    const downloaded = await downloadRecord({ files, size, isWholeDay, seenSize, spool, onProgress: onShare });
    const { batches, root, seenRoot } = downloaded;
    const onVotes = (votes: number) => onProgress(`Votes: ${votes.toLocaleString('en')}`);
    const recounted = root ? await recount(spool, batches, { onVotes, onProject, secret }) : null;
    const memory = checkMemory({ seen, replaced, head: head.checkpoint, seenRoot });
    const checks = [...allChecks(head, downloaded, checkpoints, recounted), memory];
    return { ...downloaded, checkpoint: head.checkpoint, note: head.note, checkpoints, recounted, checks };
  } finally {
    await spool.close();
  }
}
