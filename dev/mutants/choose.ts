import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../process/report.ts';
import { type Fault, faultsOf, sample } from './faults.ts';
import { describe, type Result, tableOf } from './results.ts';
import { SUBJECTS, subjectOf } from './subjects.ts';
import { changedSince } from './tree.ts';

export interface Choice {
  /** Names; none means all. */
  subjects: string[];
  /** Sources by the beginnings of their paths; none means all. */
  files: string[];
  /** Only sources that have changed since this commit; null: all of them. */
  base: string | null;
  /** At most so many faults of each subject. */
  size: number;
  seed: number;
}

/** Modules and migrations with their texts. */
export async function readSources(files: string[]): Promise<Array<[file: string, text: string]>> {
  const kept = files.filter((file) => /\.(tsx?|sql)$/.test(file) && existsSync(path.join(ROOT, file)));
  return Promise.all(
    kept.map(async (file): Promise<[string, string]> => [file, await readFile(path.join(ROOT, file), 'utf8')]),
  );
}

/** The faults to plant, in the order of the seed. @throws Error for a subject that there is not. */
export async function choose(modules: Array<[file: string, text: string]>, choice: Choice): Promise<Fault[]> {
  const unknown = choice.subjects.find((name) => !SUBJECTS.some((subject) => subject.name === name));
  if (unknown !== undefined)
    throw new Error(`There is no subject "${unknown}". Subjects: ${SUBJECTS.map(({ name }) => name).join(', ')}.`);
  const changed = choice.base === null ? null : await changedSince(choice.base);
  const isWanted = (file: string): boolean =>
    (choice.subjects.length === 0 || choice.subjects.includes(subjectOf(file)?.name ?? '')) &&
    (choice.files.length === 0 || choice.files.some((beginning) => file.startsWith(beginning))) &&
    (changed === null || changed.has(file));
  const faults = faultsOf(modules).filter(({ file }) => isWanted(file));
  return sample(faults, ({ subject }) => subject, choice.seed, choice.size);
}

/** Prints survivors, those that are accepted with their reasons, and the table. */
export function printResults(results: Result[], accepted: Map<string, string>): void {
  const survivors = results
    .filter(({ state, isTypeError }) => state === 'survived' && isTypeError !== true)
    .toSorted((one, other) => one.file.localeCompare(other.file) || one.line - other.line);
  const kept = survivors.filter(({ id }) => accepted.has(id));
  const open = survivors.filter(({ id }) => !accepted.has(id));
  if (kept.length > 0) console.log(`\nAccepted\n${kept.map((one) => describe(one, accepted.get(one.id))).join('\n')}`);
  if (open.length > 0) console.log(`\nSurvivors\n${open.map((one) => describe(one)).join('\n')}`);
  console.log(`\n${tableOf(results, accepted)}`);
}
