import { openCosignatures } from '../log/cosignature.ts';
import { NoteError, parseVerifier, type Verifier } from '../log/note.ts';
import { plural } from '#shared/plural.ts';
import { absent, type Check, Differences, unchecked } from './report.ts';

const NAME = 'Witnesses';

export interface WitnessTask {
  note: string;
  /** Witnesses that the caller trusts, and how many of them must have cosigned it. */
  witnesses: readonly Verifier[];
  quorum: number;
  named: readonly string[];
}

function parsedKeys(keys: readonly string[]): Verifier[] {
  return keys.flatMap((key) => {
    try {
      return [parseVerifier(key, 'cosignature')];
    } catch (error) {
      if (error instanceof NoteError) return [];
      throw error;
    }
  });
}

/** The newest checkpoint is cosigned by as many witnesses as required (R65). */
export function checkWitnesses({ note, witnesses, quorum, named }: WitnessTask): Check {
  const isDemanded = witnesses.length > 0;
  const known = isDemanded ? witnesses : parsedKeys(named);
  if (known.length === 0) return absent(NAME, 'none: the site names none, and none was given with --witness');
  const differences = new Differences();
  let cosigned: string[] = [];
  try {
    cosigned = [...new Set(openCosignatures(note, known).map(({ witness }) => witness.name))];
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    differences.add(error.message);
  }
  const detail = `${cosigned.length} of ${plural(known.length, 'witness', 'witnesses')} cosigned the newest checkpoint`;
  if (!isDemanded) {
    const check = differences.check(NAME, `${detail}; the site names them, demand them with --witness`);
    return check.state === 'ok' && cosigned.length === 0 ? unchecked(NAME, check.detail) : check;
  }
  const missing = known.filter(({ name }) => !cosigned.includes(name)).map(({ name }) => name);
  differences.expect(
    cosigned.length >= quorum,
    () => `${detail}, ${quorum} are demanded; missing: ${missing.join(', ')}`,
  );
  return differences.check(NAME, detail);
}
