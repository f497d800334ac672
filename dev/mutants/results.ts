import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ROOT } from '../process/report.ts';
import type { Fault } from './faults.ts';
import { SUBJECTS } from './subjects.ts';

/**
 * What became of a fault. `late`: a test file ran into its time limit, which counts as noticed; `invalid`: nothing starts with it;
 * `unreached`: no test of Vitest loads its file, so that only journeys can notice it.
 */
export const STATES = ['noticed', 'survived', 'late', 'invalid', 'unreached'] as const;

const Result = z.object({
  id: z.string(),
  subject: z.string(),
  file: z.string(),
  line: z.number(),
  scope: z.string(),
  operator: z.string(),
  before: z.string(),
  after: z.string(),
  state: z.enum(STATES),
  /** The test that noticed it, or why it is invalid. */
  by: z.string(),
  /** Test files asked. */
  asked: z.number(),
  seconds: z.number(),
  /** Hash of the tree whose tests were asked; nothing when only the nearest were. */
  tree: z.string().optional(),
  /** Whether the type checker refuses it. */
  isTypeError: z.boolean().optional(),
});
export type Result = z.infer<typeof Result>;

const Report = z.object({ seed: z.number(), tree: z.string(), results: z.array(Result) });
export type Report = z.infer<typeof Report>;

export function toResult(fault: Fault, rest: Pick<Result, 'state' | 'by' | 'asked' | 'seconds'>): Result {
  const { id, subject, file, line, scope, operator, before, after } = fault;
  return { id, subject, file, line, scope, operator, before, after, ...rest };
}

/** Puts a result in the place of an earlier one of the same fault. */
export function record(report: Report, result: Result): void {
  report.results = [...report.results.filter(({ id }) => id !== result.id), result];
}

/**
 * The survivors of a report that this tree's tests were not asked about, or only the nearest; what is no longer a fault of the tree
 * is taken out of the report.
 */
export function openSurvivors(report: Report, faults: Fault[], tree: string): Fault[] {
  const ids = new Set(faults.map(({ id }) => id));
  report.results = report.results.filter(({ id, state }) => state !== 'survived' || ids.has(id));
  const open = new Set(report.results.flatMap((one) => (one.state === 'survived' && one.tree !== tree ? one.id : [])));
  return faults.filter(({ id }) => open.has(id));
}

/** The report of an earlier run; null when there is none. */
export async function readReport(file: string): Promise<Report | null> {
  return existsSync(file) ? Report.parse(JSON.parse(await readFile(file, 'utf8'))) : null;
}

export async function writeReport(file: string, report: Report): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(report, null, 1)}\n`);
  await rename(`${file}.new`, file);
}

const Accepted = z.array(z.strictObject({ id: z.string(), reason: z.string().min(10) }));
export const ACCEPTED_FILE = path.join(ROOT, 'scripts/mutants-accepted.json');

/** Survivors that were looked at and stay, by id, with the reason of each. @throws Error when two entries have one id. */
export function parseAccepted(text: string): Map<string, string> {
  const entries = Accepted.parse(JSON.parse(text));
  const accepted = new Map<string, string>();
  for (const { id, reason } of entries) {
    if (accepted.has(id)) throw new Error(`a survivor is accepted twice: ${id}`);
    accepted.set(id, reason);
  }
  return accepted;
}

interface Counts {
  noticed: number;
  late: number;
  survived: number;
  accepted: number;
  /** Survivors that the type checker refuses: noticed, but by no test. */
  types: number;
  unreached: number;
  invalid: number;
}

/** Share of the faults that can be noticed and were. */
export const rateOf = ({ noticed, late, survived }: Counts): number | null =>
  noticed + late + survived === 0 ? null : (noticed + late) / (noticed + late + survived);

export function countsOf(results: Result[], accepted: Map<string, string>): Counts {
  const counts: Counts = { noticed: 0, late: 0, survived: 0, accepted: 0, types: 0, unreached: 0, invalid: 0 };
  for (const { state, id, isTypeError } of results) {
    if (isTypeError === true) counts.types += 1;
    else if (state !== 'survived') counts[state] += 1;
    else counts[accepted.has(id) ? 'accepted' : 'survived'] += 1;
  }
  return counts;
}

const COLUMNS = ['faults', 'noticed', 'late', 'survived', 'accepted', 'types', 'unreached', 'invalid', 'rate'];
const WIDTH = 10;

/** A table with a line per subject and one for all. */
export function tableOf(results: Result[], accepted: Map<string, string>): string {
  const names = SUBJECTS.map(({ name }) => name).filter((name) => results.some(({ subject }) => subject === name));
  const lines = [...names, 'all'].map((name) => {
    const own = name === 'all' ? results : results.filter(({ subject }) => subject === name);
    const counts = countsOf(own, accepted);
    const rate = rateOf(counts);
    const { noticed, late, survived, accepted: kept, types, unreached, invalid } = counts;
    const cells = [own.length, noticed, late, survived, kept, types, unreached, invalid];
    const percent = rate === null ? '-' : `${(rate * 100).toFixed(1)} %`;
    return name.padEnd(WIDTH) + [...cells, percent].map((cell) => String(cell).padStart(WIDTH)).join('');
  });
  return ['subject'.padEnd(WIDTH) + COLUMNS.map((name) => name.padStart(WIDTH)).join(''), ...lines].join('\n');
}

/** A survivor as it is shown: where, what, and the changed line. */
export function describe({ file, line, scope, operator, before, after, id }: Result, reason?: string): string {
  const note = reason === undefined ? '' : `\n    accepted: ${reason}`;
  return `${file}:${line} ${scope} [${operator}]\n  - ${before}\n  + ${after}\n    id: ${id}${note}`;
}
