/**
 * Widths of the printable ASCII characters, and of the signs that badges use, in Arial, Helvetica and Liberation Sans, which are equal, in thousandths of
 * the font size: one of them is on nearly every machine. The reader's browser draws a badge, so the server can only
 * estimate.
 */
const GROUPS: ReadonlyArray<[width: number, chars: string]> = [
  [222, "'ijl|‘’"],
  [278, ' !,./:;I[\\]ft'],
  [345, '"()*-`r{}·“”'],
  [500, 'Jckvxyz^'],
  [556, '#$0123456789?L_abdeghnopqsu–'],
  [597, '+<=>~FTZ'],
  [667, '&ABEKPSVXY'],
  [722, 'CDHNRUw'],
  [778, 'GOQ'],
  [889, '%Mm'],
  [980, '@W'],
  [1_000, '…—'],
];
const KNOWN = new Map(GROUPS.flatMap(([width, chars]) => Array.from(chars).map((char) => [char, width] as const)));
const LATIN_WIDTH = 600;
const FULL_WIDTH = 1_000;
const BOLD = 1.08;

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });
const lettersOf = (text: string): string[] => [...letters.segment(text)].map(({ segment }) => segment);

/** Scripts whose letters are about as wide as Latin ones; all others count as square. */
const NARROW =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Thai}\p{Script=Lao}\p{Script=Devanagari}\p{Script=Ethiopic}\p{Script=Lisu}\p{P}\p{S}]/u;
const EMOJI = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u;

/** An accented letter is as wide as its base. */
const knownWidth = (letter: string): number | undefined =>
  KNOWN.get(letter) ?? KNOWN.get(letter.normalize('NFD').replace(/\p{Mn}+$/u, ''));

export const isWidthKnown = (text: string): boolean =>
  lettersOf(text).every((letter) => knownWidth(letter) !== undefined);

function widthOfLetter(letter: string): number {
  const known = knownWidth(letter);
  if (known !== undefined) return known;
  return NARROW.test(letter) && !EMOJI.test(letter) ? LATIN_WIDTH : FULL_WIDTH;
}

export interface Font {
  sizePx: number;
  isBold?: boolean;
}

export function textWidth(text: string, { sizePx, isBold = false }: Font): number {
  const thousandths = lettersOf(text).reduce((sum, letter) => sum + widthOfLetter(letter), 0);
  return (thousandths / 1000) * sizePx * (isBold ? BOLD : 1);
}

const ELLIPSIS = '…';

export function cutToWidth(text: string, maxPx: number, font: Font): string {
  if (textWidth(text, font) <= maxPx) return text;
  const kept: string[] = [];
  let leftPx = maxPx - textWidth(ELLIPSIS, font);
  for (const letter of lettersOf(text)) {
    leftPx -= textWidth(letter, font);
    if (leftPx < 0) break;
    kept.push(letter);
  }
  return kept.join('').trimEnd() + ELLIPSIS;
}
