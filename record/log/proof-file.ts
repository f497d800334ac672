import { toBase64 } from '@mysten/sui/utils';
import { type Checkpoint, openCheckpoint } from './checkpoint.ts';
import { type Hash, hashLeaf } from './hashes.ts';
import { decodeBase64, decodeHash, NoteError, type Verifier } from './note.ts';
import { verifyInclusion } from './proofs.ts';

/** A self-contained proof (C2SP tlog-proof), verified with only the entry and the log's key. */
export interface ProofFile {
  index: number;
  proof: Hash[];
  checkpoint: string;
  /** Data of the application, which no signature covers. */
  extra?: Uint8Array;
}

const HEADER = 'c2sp.org/tlog-proof@v1';
const MAX_HASHES = 63;

export function formatProofFile({ index, proof, checkpoint, extra }: ProofFile): string {
  const lines = [HEADER, ...(extra ? [`extra ${toBase64(extra)}`] : []), `index ${index}`, ...proof.map(toBase64)];
  return `${lines.join('\n')}\n\n${checkpoint}`;
}

/** @throws NoteError if the text is not a proof. */
export function parseProofFile(text: string): ProofFile {
  const end = text.indexOf('\n\n');
  const [header, ...lines] = end < 0 ? [] : text.slice(0, end).split('\n');
  if (header !== HEADER) throw new NoteError('Not a proof of a log');
  const extra = lines[0]?.startsWith('extra ') ? decodeBase64(lines.shift()?.slice('extra '.length) ?? '') : undefined;
  const [, index = ''] = /^index (0|[1-9]\d{0,15})$/.exec(lines.shift() ?? '') ?? [];
  if (!index || lines.length > MAX_HASHES) throw new NoteError('Not a proof of a log');
  const proof = lines.map((line) => decodeHash(line, 'A line of the proof'));
  return { index: Number(index), proof, checkpoint: text.slice(end + 2), ...(extra ? { extra } : {}) };
}

/** The log's state that contains the entry. @throws NoteError */
export function verifyProofFile(text: string, entry: Uint8Array, key: Verifier): Checkpoint {
  const { index, proof, checkpoint } = parseProofFile(text);
  const head = openCheckpoint(checkpoint, key);
  const result = verifyInclusion(hashLeaf(entry), { index, ...head }, proof);
  if (!result.holds) throw new NoteError(`The entry is not in the log: ${result.reason}`);
  return head;
}
