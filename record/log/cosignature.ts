import { ed25519 } from '@noble/curves/ed25519.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { NoteError, signatureLine, type Signer, splitNote, type Verifier } from './note.ts';

/** Cosignatures of checkpoints by witnesses (C2SP tlog-cosignature, Ed25519). */

const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;

const messageOf = (text: string, timeS: number): Uint8Array =>
  new TextEncoder().encode(`cosignature/v1\ntime ${timeS}\n${text}`);

export function cosign(text: string, witness: Signer, timeS: number): string {
  const time = new Uint8Array(TIME_BYTES);
  new DataView(time.buffer).setBigUint64(0, BigInt(timeS));
  return signatureLine(witness, concatBytes(time, ed25519.sign(messageOf(text, timeS), witness.secretKey)));
}

export interface Cosignature {
  witness: Verifier;
  /** Seconds since 1970. */
  timeS: number;
}

/** Clocks may differ by this much. */
const AHEAD_MS = 10 * 60_000;

/** False for a cosignature from the future or without a time: it does not say when the witness saw the checkpoint. */
export const isDated = ({ timeS }: Cosignature, nowMs: number): boolean =>
  timeS > 0 && timeS * 1000 <= nowMs + AHEAD_MS;

/** Known witnesses that have cosigned a note. @throws NoteError if a line of a known witness is false */
export function openCosignatures(note: string, known: readonly Verifier[]): Cosignature[] {
  const { text, signatures } = splitNote(note);
  return signatures.flatMap(({ name, keyId, bytes }) => {
    const witness = known.find((one) => one.name === name && one.keyId === keyId);
    if (!witness) return [];
    const time = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const timeS = bytes.length === TIME_BYTES + SIGNATURE_BYTES ? Number(time.getBigUint64(0)) : Number.NaN;
    const isTrue =
      Number.isSafeInteger(timeS) &&
      ed25519.verify(bytes.subarray(TIME_BYTES), messageOf(text, timeS), witness.publicKey);
    if (!isTrue) throw new NoteError(`The cosignature of ${name} does not fit the note`);
    return [{ witness, timeS }];
  });
}
