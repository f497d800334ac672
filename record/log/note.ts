import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { fromBase64, toBase64 } from '@mysten/sui/utils';
import { HASH_BYTES, type Hash } from './hashes.ts';

/** Signed notes (C2SP signed-note) with keys of Ed25519: text, an empty line, and signatures of it. */

export class NoteError extends Error {
  override name = 'NoteError';
}

/** A well-formed key of a type that cannot be verified here, such as 6 (ML-DSA-44). */
export class UnknownKeyError extends NoteError {
  override name = 'UnknownKeyError';
  readonly keyName: string;

  constructor(keyName: string, type: number) {
    super(`${keyName} has an unknown kind of key (type ${type})`);
    this.keyName = keyName;
  }
}

export interface Verifier {
  name: string;
  keyId: number;
  publicKey: Uint8Array;
  algorithm: Algorithm;
}

export interface Signer extends Verifier {
  secretKey: Uint8Array;
}

/** Signature types by the numbers of C2SP. */
export const ALGORITHMS = { note: 1, cosignature: 4 } as const;
export type Algorithm = keyof typeof ALGORITHMS;

const KEY_BYTES = 32;
const ID_BYTES = 4;
const MAX_BYTES = 64 * 1024;
const NAME = /^[^\s+]+$/u;
const SIGNATURE_LINE = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u;

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const uint32 = (bytes: Uint8Array): number => new DataView(bytes.buffer, bytes.byteOffset, ID_BYTES).getUint32(0);

export function keyIdOf({ name, algorithm, publicKey }: Omit<Verifier, 'keyId'>): number {
  return uint32(sha256(concatBytes(utf8(`${name}\n`), Uint8Array.of(ALGORITHMS[algorithm]), publicKey)));
}

function idBytes(keyId: number): Uint8Array {
  const bytes = new Uint8Array(ID_BYTES);
  new DataView(bytes.buffer).setUint32(0, keyId);
  return bytes;
}

/** @throws NoteError for base64 with extra bytes or bits. */
export function decodeBase64(text: string): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = fromBase64(text);
  } catch {
    throw new NoteError('Not base64');
  }
  if (toBase64(bytes) !== text) throw new NoteError('Not base64');
  return bytes;
}

/** @throws NoteError for anything other than a hash in base64 */
export function decodeHash(text: string, what: string): Hash {
  const hash = decodeBase64(text);
  if (hash.length !== HASH_BYTES) throw new NoteError(`${what} is not a hash`);
  return hash;
}

export function createSigner(name: string, secretKey: Uint8Array, algorithm: Algorithm = 'note'): Signer {
  if (!NAME.test(name)) throw new NoteError('A key name has neither spaces nor plus signs');
  const key = { name, algorithm, publicKey: ed25519.getPublicKey(secretKey) };
  return { ...key, keyId: keyIdOf(key), secretKey };
}

const hexOf = (keyId: number): string => keyId.toString(16).padStart(ID_BYTES * 2, '0');

/** The text by which verifiers know a key: `example.com/foo+530d903a+AekyeRrm56…`. */
export function formatVerifier({ name, keyId, publicKey, algorithm }: Verifier): string {
  return `${name}+${hexOf(keyId)}+${toBase64(concatBytes(Uint8Array.of(ALGORITHMS[algorithm]), publicKey))}`;
}

/** Under a key of small order, one constant signature fits any text; an all-zero key is one. */
function isWeak(publicKey: Uint8Array): boolean {
  try {
    return ed25519.Point.fromBytes(publicKey).isSmallOrder();
  } catch {
    return true;
  }
}

/** @throws NoteError for a key of another type or of small order, or whose id is not its own; UnknownKeyError for a type that is not known here */
export function parseVerifier(text: string, algorithm: Algorithm = 'note'): Verifier {
  const [, name = '', id = '', key = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+(.+)$/u.exec(text) ?? [];
  if (!name) throw new NoteError('Not a verifier key');
  const [type, ...rest] = decodeBase64(key);
  const publicKey = Uint8Array.from(rest);
  const isKnown = Object.values<number>(ALGORITHMS).includes(type ?? 0);
  if (type !== undefined && rest.length > 0 && !isKnown) throw new UnknownKeyError(name, type);
  if (type !== ALGORITHMS[algorithm] || publicKey.length !== KEY_BYTES)
    throw new NoteError(`Not an Ed25519 ${algorithm} key`);
  if (isWeak(publicKey)) throw new NoteError('This key would accept signatures of anyone');
  const parsed = { name, algorithm, publicKey };
  if (hexOf(keyIdOf(parsed)) !== id) throw new NoteError('The id of this key belongs to another');
  return { ...parsed, keyId: keyIdOf(parsed) };
}

export function signNote(text: string, signer: Signer): string {
  if (!text.endsWith('\n')) throw new NoteError('The text of a note ends with a newline');
  return `${text}\n${signatureLine(signer, ed25519.sign(utf8(text), signer.secretKey))}`;
}

export const signatureLine = ({ name, keyId }: Verifier, signature: Uint8Array): string =>
  `\u2014 ${name} ${toBase64(concatBytes(idBytes(keyId), signature))}\n`;

export interface Signature {
  name: string;
  keyId: number;
  bytes: Uint8Array;
}

function parseSignature(line: string): Signature {
  const [, name = '', base64 = ''] = SIGNATURE_LINE.exec(line) ?? [];
  const bytes = name ? decodeBase64(base64) : new Uint8Array();
  if (bytes.length <= ID_BYTES) throw new NoteError('A signature line of the note is malformed');
  return { name, keyId: uint32(bytes), bytes: bytes.subarray(ID_BYTES) };
}

/** A note's text, newline included, and its signatures, not verified. @throws NoteError for other texts */
export function splitNote(note: string): { text: string; signatures: Signature[] } {
  if (utf8(note).length > MAX_BYTES) throw new NoteError('The note is too long');
  // eslint-disable-next-line no-control-regex -- the format forbids exactly these
  if (/[\u0000-\u0009\u000b-\u001f\ufffd]/u.test(note)) throw new NoteError('The note contains control characters');
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n') || end + 2 === note.length) throw new NoteError('The note has no signatures');
  return {
    text: note.slice(0, end + 1),
    signatures: note
      .slice(end + 2, -1)
      .split('\n')
      .map(parseSignature),
  };
}

/** Opens a note that at least one known key has signed, and none falsely. @throws NoteError */
export function openNote(note: string, known: readonly Verifier[]): string {
  const { text, signatures } = splitNote(note);
  let isSigned = false;
  for (const { name, keyId, bytes } of signatures) {
    const key = known.find((verifier) => verifier.name === name && verifier.keyId === keyId);
    if (!key) continue;
    if (bytes.length !== 64 || !ed25519.verify(bytes, utf8(text), key.publicKey)) {
      throw new NoteError(`The signature of ${name} does not fit the note`);
    }
    isSigned = true;
  }
  if (!isSigned) throw new NoteError('No known key has signed the note');
  return text;
}
