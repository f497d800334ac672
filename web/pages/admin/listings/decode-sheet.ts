/** The text of a file, and how it was read where the file does not say. */
export interface SheetText {
  text: string;
  note: string | null;
}

export class UnreadableFileError extends Error {}

const SAVE_AGAIN = 'Save it as CSV UTF-8 (or JSON in UTF-8), and choose it again.';
const MARKS: ReadonlyArray<readonly [mark: readonly number[], encoding: string]> = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];
/** First bytes of files that people take for a sheet. */
const OTHER_FILES: ReadonlyArray<readonly [head: string, name: string]> = [
  ['PK\x03\x04', 'a workbook (or another packed file)'],
  ['\xd0\xcf\x11\xe0', 'a workbook of an old Excel'],
  ['%PDF', 'a PDF'],
];
const ONE_BYTE = ['windows-1252', 'macintosh'] as const;
const NAMES: Record<string, string> = {
  'windows-1252': 'Windows-1252',
  macintosh: 'Mac Roman',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
};
const SAMPLE_CHARS = 500_000;
const MOST_WORDS = 5;

/** Signs of a wrong guess: control characters, and a capital or a sign within a word. */
const STRANGE = /[\u0080-\u009f]|(?<=\p{Ll})(?![A-Z])\p{Lu}|(?<=\p{L})[^\p{L}\p{M}\s\p{ASCII}’–—·]+(?=\p{L})/gu;
/** No language that these encodings can write has four such letters in a row; others, read wrongly, consist of them. */
const OTHER_SCRIPT = /[^\p{P}\s\p{ASCII}]{4}/u;

function decodeAs(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** A sheet in UTF-16 has a zero in most pairs of bytes, the second one where the small byte comes first. */
function guessUtf16(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, SAMPLE_CHARS);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) < sample.length / 5) return null;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

const strangeness = (text: string): number => text.slice(0, SAMPLE_CHARS).match(STRANGE)?.length ?? 0;

function guessOneByte(bytes: Uint8Array): string {
  const [windows, mac] = ONE_BYTE.map((encoding) => strangeness(decodeAs(encoding, bytes) ?? ''));
  return (mac ?? 0) < (windows ?? 0) ? 'macintosh' : 'windows-1252';
}

/** Words by which a person sees whether the guess is right. */
function wordsOf(text: string): string {
  const words = text.slice(0, SAMPLE_CHARS).split(/[\s,;|"]+/u);
  return [...new Set(words.filter((word) => /\P{ASCII}/u.test(word)))].slice(0, MOST_WORDS).join(', ');
}

/** By the mark of the file, else UTF-8, else by a guess, which the note names. @throws UnreadableFileError */
export function decodeSheet(bytes: Uint8Array): SheetText {
  const head = String.fromCharCode(...bytes.subarray(0, 4));
  const [, other] = OTHER_FILES.find(([start]) => head.startsWith(start)) ?? [];
  if (other !== undefined) throw new UnreadableFileError(`This file is ${other}, not a sheet of text. ${SAVE_AGAIN}`);
  const [, marked] = MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte)) ?? [];
  const sure = decodeAs(marked ?? 'utf-8', bytes);
  if (sure !== null && !sure.includes('\0')) return { text: sure, note: null };
  const guess = bytes.includes(0) ? guessUtf16(bytes) : guessOneByte(bytes);
  const text = marked !== undefined || guess === null ? null : decodeAs(guess, bytes);
  const isMisread = text !== null && (text.includes('\0') || (!bytes.includes(0) && OTHER_SCRIPT.test(text)));
  if (guess === null || text === null || isMisread)
    throw new UnreadableFileError(`This file is not UTF-8, so some of its letters cannot be read. ${SAVE_AGAIN}`);
  const words = wordsOf(text);
  const note = `The file does not say its encoding. It is read as ${NAMES[guess]}${words === '' ? '' : `: ${words}`}. If this is wrong, save it as CSV UTF-8.`;
  return { text, note };
}
