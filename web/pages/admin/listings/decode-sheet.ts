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
const MOST_WORDS = 5;

/** Signs of a wrong guess: control characters, and a capital or a sign within a word. */
const STRANGE = /[\u0080-\u009f]|(?<=\p{Ll})(?![A-Z])\p{Lu}|(?<=\p{L})[^\p{L}\p{M}\s\p{ASCII}’–—·]+(?=\p{L})/gu;
const LOST = /\uFFFD/g;
const KEPT = /[^\p{ASCII}\uFFFD]/gu;
/** No language that these encodings can write has four such letters in a row; others, read wrongly, consist of them. */
const OTHER_SCRIPT = /[^\p{P}\s\p{ASCII}]{4}/u;

const decodeAs = (encoding: string, bytes: Uint8Array): string => new TextDecoder(encoding).decode(bytes);

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** A sheet in UTF-16 has a zero in most pairs of bytes, the second one where the small byte comes first. */
function guessUtf16(bytes: Uint8Array): string | null {
  const zeros = [0, 0];
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) < bytes.length / 5) return null;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

function guessOneByte(bytes: Uint8Array): string {
  const [windows = 0, mac = 0] = ONE_BYTE.map((encoding) => countOf(decodeAs(encoding, bytes), STRANGE));
  return mac < windows ? 'macintosh' : 'windows-1252';
}

function isValid(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** A few bytes may be broken: they become U+FFFD, by which their rows are named. */
const isUtf8 = (bytes: Uint8Array, text: string): boolean =>
  isValid(bytes) || countOf(text, LOST) <= countOf(text, KEPT);

/** Words by which a person sees whether the guess is right. */
function wordsOf(text: string): string {
  const words = text.split(/[\s,;|"]+/u);
  return [...new Set(words.filter((word) => /\P{ASCII}/u.test(word) && /\p{L}/u.test(word)))]
    .slice(0, MOST_WORDS)
    .join(', ');
}

/** By the mark of the file, else UTF-8, else by a guess, which the note names. @throws UnreadableFileError */
export function decodeSheet(bytes: Uint8Array): SheetText {
  const head = String.fromCharCode(...bytes.subarray(0, 4));
  const [, other] = OTHER_FILES.find(([start]) => head.startsWith(start)) ?? [];
  if (other !== undefined) throw new UnreadableFileError(`This file is ${other}, not a sheet of text. ${SAVE_AGAIN}`);
  const [, marked] = MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte)) ?? [];
  const sure = decodeAs(marked ?? 'utf-8', bytes);
  const hasZeros = sure.includes('\0');
  if (!hasZeros && (marked !== undefined || isUtf8(bytes, sure))) return { text: sure, note: null };
  const guess = hasZeros ? guessUtf16(bytes) : guessOneByte(bytes);
  const text = decodeAs(guess ?? 'utf-8', bytes);
  if (marked !== undefined || guess === null || text.includes('\0') || (!hasZeros && OTHER_SCRIPT.test(text)))
    throw new UnreadableFileError(`This file is not UTF-8, so some of its letters cannot be read. ${SAVE_AGAIN}`);
  const words = wordsOf(text);
  const note = `The file does not say its encoding. It is read as ${NAMES[guess]}${words === '' ? '' : `: ${words}`}. If this is wrong, save it as CSV UTF-8.`;
  return { text, note };
}
