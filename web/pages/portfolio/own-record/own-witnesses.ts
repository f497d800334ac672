import { readStored, writeStored } from '../../../lib/storage.ts';

/** Witnesses that the user trusts, by their keys, and how many of them have to have cosigned a record (R65). */
export interface OwnWitnesses {
  keys: string[];
  quorum: number;
}

const KEY = 'snapswipe_witnesses';

/** Null where the user named none, and the site's own are looked for. */
export function readWitnesses(): OwnWitnesses | null {
  const [quorum, ...keys] = (readStored(KEY) ?? '').split('\n');
  return keys.length === 0 ? null : { keys, quorum: Number(quorum) };
}

export const storeWitnesses = (witnesses: OwnWitnesses | null): void =>
  writeStored(KEY, witnesses && [witnesses.quorum, ...witnesses.keys].join('\n'));
