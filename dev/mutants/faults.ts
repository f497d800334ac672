import { createHash } from 'node:crypto';
import { type Edit, applyEdit } from './edits.ts';
import { migrationEdits } from './migration-edits.ts';
import { scriptEdits } from './script-edits.ts';
import { subjectOf } from './subjects.ts';

/** One change in one file, ready to be planted. */
export interface Fault extends Edit {
  /** Names the fault as long as its place stays as it is; line numbers play no part. */
  id: string;
  subject: string;
  file: string;
  line: number;
  /** The changed line before and after, without its indentation. */
  before: string;
  after: string;
}

const LONGEST_LINE = 160;

function linesOf(source: string, start: number, end: number): string {
  const from = source.lastIndexOf('\n', start - 1) + 1;
  const to = source.indexOf('\n', end);
  const lines = source.slice(from, to === -1 ? undefined : to).trim();
  const first = lines
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
  return first.length <= LONGEST_LINE ? first : `${first.slice(0, LONGEST_LINE - 1)}…`;
}

/** Line of the first character that is no white space. */
function lineOf(source: string, { start, end }: Edit): number {
  const space = /^\s*/.exec(source.slice(start, end))?.[0].length ?? 0;
  return source.slice(0, start + space).split('\n').length;
}

/** Ids of the same words are told apart by their order in the file. */
function toFaults(file: string, source: string, subject: string, edits: Edit[]): Fault[] {
  const seen = new Map<string, number>();
  return edits.map((edit) => {
    const replacement = edit.text.replaceAll(/\s+/g, ' ').slice(0, 30);
    const name = `${file} ${edit.scope} [${edit.operator}] ${edit.snippet} => ${replacement}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return {
      ...edit,
      id: count === 1 ? name : `${name} (${count})`,
      subject,
      file,
      line: lineOf(source, edit),
      before: linesOf(source, edit.start, edit.end),
      after: linesOf(applyEdit(source, edit), edit.start, edit.start + edit.text.length),
    };
  });
}

/** All faults of the given sources, `[file, text]`; those without a subject are left out. */
export function faultsOf(sources: Array<[file: string, text: string]>): Fault[] {
  const migrations = migrationEdits(sources.filter(([file]) => file.endsWith('.sql')));
  return sources.flatMap(([file, source]) => {
    const subject = subjectOf(file)?.name;
    if (subject === undefined) return [];
    const edits = file.endsWith('.sql') ? (migrations.get(file) ?? []) : scriptEdits(file, source);
    return toFaults(file, source, subject, edits);
  });
}

/**
 * The items in an order that only the seed and their ids decide, so that a change elsewhere leaves it as it is; at most `size` of
 * each group.
 */
export function sample<T extends { id: string }>(
  items: T[],
  groupOf: (item: T) => string,
  seed: number,
  size = Number.POSITIVE_INFINITY,
): T[] {
  const keyOf = ({ id }: T): string => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  const drawn = items
    .map((item) => ({ item, key: keyOf(item) }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const taken = new Map<string, number>();
  return drawn.flatMap(({ item }) => {
    const count = (taken.get(groupOf(item)) ?? 0) + 1;
    taken.set(groupOf(item), count);
    return count <= size ? item : [];
  });
}
