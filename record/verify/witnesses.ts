import { type Cosignature, isDated, openCosignatures } from '../log/cosignature.ts';
import { NoteError, parseVerifier, UnknownKeyError, type Verifier } from '../log/note.ts';
import { plural } from '#shared/numbers/plural.ts';
import { absent, type Check, Differences, unchecked } from './report.ts';

const NAME = 'Witnesses';

/** A witness whose kind of key this verifier does not know: its cosignatures cannot be counted. */
export interface UnknownWitness {
  name: string;
  unknown: string;
}
export type Witness = Verifier | UnknownWitness;

export interface WitnessTask {
  note: string;
  /** Witnesses that the caller trusts, and how many of them must have cosigned it. */
  witnesses: readonly Witness[];
  quorum: number;
  named: readonly string[];
  nowMs: number;
}

/** @throws NoteError for other text, and for the key of a log */
export function parseWitness(text: string): Witness {
  try {
    return parseVerifier(text, 'cosignature');
  } catch (error) {
    if (error instanceof UnknownKeyError) return { name: error.keyName, unknown: error.message };
    throw error;
  }
}

function parsedKeys(keys: readonly string[]): Witness[] {
  return keys.flatMap((key) => {
    try {
      return [parseWitness(key)];
    } catch (error) {
      if (error instanceof NoteError) return [];
      throw error;
    }
  });
}

const timeOf = (timeS: number): string =>
  timeS * 1000 < 8.64e15 ? new Date(timeS * 1000).toISOString().slice(0, 16).replace('T', ' ') : `${timeS} s`;

/** The newest cosignature of each witness that has one with a possible time. */
function cosignaturesIn(
  { note, nowMs }: WitnessTask,
  known: readonly Verifier[],
  differences: Differences,
): Map<string, number> {
  const times = new Map<string, number>();
  let found: Cosignature[] = [];
  try {
    found = openCosignatures(note, known);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    differences.add(error.message);
  }
  for (const cosignature of found) {
    const { witness, timeS } = cosignature;
    if (isDated(cosignature, nowMs)) times.set(witness.name, Math.max(timeS, times.get(witness.name) ?? 0));
    else differences.add(`The cosignature of ${witness.name} says ${timeOf(timeS)}, which has not come yet`);
  }
  return times;
}

/** The newest checkpoint is cosigned by as many witnesses as required (R65). */
export function checkWitnesses(task: WitnessTask): Check {
  const { witnesses, quorum, named } = task;
  const isDemanded = witnesses.length > 0;
  const all = isDemanded ? witnesses : parsedKeys(named);
  if (all.length === 0) return absent(NAME, 'none: the site names none, and none was given with --witness');
  const known = all.flatMap((witness) => ('unknown' in witness ? [] : witness));
  const unknown = all.flatMap((witness) => ('unknown' in witness ? witness.unknown : []));
  const differences = new Differences();
  const times = cosignaturesIn(task, known, differences);
  const cosigned = times.size;
  const detail = `${cosigned} of ${plural(all.length, 'witness', 'witnesses')} cosigned the newest checkpoint`;
  const when = [...times].map(([name, timeS]) => `${name} on ${timeOf(timeS)}`);
  const more = [...when, ...unknown].map((part) => `; ${part}`).join('');
  if (!isDemanded) {
    const check = differences.check(NAME, `${detail}${more}; the site names them, demand them with --witness`);
    return check.state === 'ok' && cosigned === 0 ? unchecked(NAME, check.detail) : check;
  }
  const missing = known.filter(({ name }) => !times.has(name)).map(({ name }) => name);
  const absentOnes = [...missing, ...unknown].join(', ');
  if (cosigned < quorum && cosigned + unknown.length >= quorum && differences.isEmpty)
    return unchecked(NAME, `${detail}, ${quorum} are demanded; missing: ${absentOnes}`);
  differences.expect(cosigned >= quorum, () => `${detail}, ${quorum} are demanded; missing: ${absentOnes}`);
  return differences.check(NAME, `${detail}${more}`);
}
