import { expect, test } from 'vitest';
import { openCheckpoint, signCheckpoint } from './checkpoint.ts';
import { hashLeaf } from './hashes.ts';
import { createSigner, formatVerifier, keyIdOf, NoteError, openNote, parseVerifier, signNote } from './note.ts';
import { formatProofFile, parseProofFile, verifyProofFile } from './proof-file.ts';
import { createLog, manyEntries } from '../testing/log.ts';

/** The example of C2SP's signed-note. */
const KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const NOTE =
  'This is an example message.\n\n\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';

/** Points of small order on edwards25519: y = 0, and the neutral element. */
const WEAK = [new Uint8Array(32), Uint8Array.of(1, ...new Uint8Array(31))];

test('refuses a key of small order, under which one signature fits any text [R65]', () => {
  for (const publicKey of WEAK)
    for (const algorithm of ['note', 'cosignature'] as const) {
      const text = formatVerifier({
        name: 'a.test',
        algorithm,
        publicKey,
        keyId: keyIdOf({ name: 'a.test', algorithm, publicKey }),
      });
      expect(() => parseVerifier(text, algorithm)).toThrow('accept signatures of anyone');
    }
});

const signer = createSigner('snapswipe.example/log', new Uint8Array(32).fill(7));
const key = parseVerifier(formatVerifier(signer));

test('opens the note of the specification with its key [R40]', () => {
  const verifier = parseVerifier(KEY);
  expect(formatVerifier(verifier)).toBe(KEY);
  expect(openNote(NOTE, [verifier])).toBe('This is an example message.\n');
});

test('opens a note that it signed, and ignores signatures by other keys [R40]', () => {
  const note = `${signNote('one\n\ntwo\n', signer)}\u2014 example.com/witness AAAAAAAA\n`;
  expect(openNote(note, [key])).toBe('one\n\ntwo\n');
});

const signed = signNote('one\n', signer);

test.each([
  ['another text', signed.replace('one', 'two'), 'does not fit'],
  ['an unknown key', NOTE, 'No known key'],
  ['no signature', 'one\n', 'no signatures'],
  ['an end without a newline', signed.slice(0, -1), 'no signatures'],
  ['a control character', signed.replace('one', 'o\u0007e'), 'control characters'],
  ['a line between the signatures', `${signed}hello\n`, 'malformed'],
  ['a signature in other base64', signed.replace(/.=*\n$/, '!\n'), 'malformed'],
  ['a signature cut short', `one\n\n\u2014 ${signed.split(' ')[1]} AAAA\n`, 'malformed'],
  ['100 KB', signed.replace('one', 'o'.repeat(100_000)), 'too long'],
])('rejects a note with %s [R43]', (_what, note, reason) => {
  expect(() => openNote(note, [key])).toThrow(reason);
});

test.each([
  KEY.replace('530d903a', '530d903b'),
  KEY.replace('+Ae', '+Be'),
  KEY.slice(0, -4),
  'example.com/foo',
  `a b${KEY}`,
])('rejects the verifier key %s [R43]', (text) => {
  expect(() => parseVerifier(text)).toThrow(NoteError);
});

const root = hashLeaf(new Uint8Array());
const origin = signer.name;

test('opens a checkpoint of its log [R40]', () => {
  const note = signCheckpoint({ origin, size: 12, root }, signer);
  expect(note.split('\n').slice(0, 3)).toEqual([origin, '12', 'bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=']);
  expect(openCheckpoint(note, key)).toEqual({ origin, size: 12, root });
});

test.each([
  ['another log', 'other.example/log\n12\nbjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=\n', 'of the log other.example'],
  ['a size with a zero in front', `${origin}\n012\nbjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=\n`, 'not a number'],
  [
    'a size beyond all numbers',
    `${origin}\n9999999999999999\nbjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=\n`,
    'not a number',
  ],
  ['a root of 3 bytes', `${origin}\n12\nAAAA\n`, 'not a hash'],
  ['two lines', `${origin}\n12\n`, 'too few lines'],
])('rejects a checkpoint of %s [R43]', (_what, text, reason) => {
  expect(() => openCheckpoint(signNote(text, signer), key)).toThrow(reason);
});

async function proofOfEntry(index: number, extra?: Uint8Array) {
  const entries = manyEntries(300);
  const { tree } = createLog(entries);
  const checkpoint = signCheckpoint({ origin, size: 300, root: await tree.root() }, signer);
  const proof = await tree.inclusionProof(index);
  const text = formatProofFile({ index, proof, checkpoint, ...(extra ? { extra } : {}) });
  return { text, entry: entries[index] ?? new Uint8Array() };
}

test('a proof in a file is verified with only the entry and the key [R42]', async () => {
  const { text, entry } = await proofOfEntry(299, Uint8Array.of(1, 2, 3));
  expect(verifyProofFile(text, entry, key).size).toBe(300);
  expect(parseProofFile(text)).toMatchObject({ index: 299, extra: Uint8Array.of(1, 2, 3) });
});

test('rejects a proof of another entry, or with another index [R42]', async () => {
  const { text, entry } = await proofOfEntry(17);
  expect(() => verifyProofFile(text, Uint8Array.of(1), key)).toThrow('not in the log');
  expect(() => verifyProofFile(text.replace('index 17', 'index 18'), entry, key)).toThrow('not in the log');
  expect(() => verifyProofFile(text.replace('\n300\n', '\n301\n'), entry, key)).toThrow('does not fit');
  expect(() => parseProofFile(text.replace('index 17', 'index 017'))).toThrow('Not a proof of a log');
  expect(() => parseProofFile('hello')).toThrow('Not a proof of a log');
});
