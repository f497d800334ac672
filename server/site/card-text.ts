import path from 'node:path';
import sharp from 'sharp';

/**
 * Text for the share cards, drawn by sharp's Pango with the fonts of this folder: a server often has none, and a card
 * should look the same everywhere. Latin, Latin Extended and Vietnamese are three files of one family.
 */
const FONT = 'Bricolage Grotesque Bold';
const FONT_FILES = ['latin-ext', 'vietnamese', 'latin'].map((part) =>
  path.join(import.meta.dirname, 'fonts', `bricolage-grotesque-${part}-bold.ttf`),
);
const MAIN_FONT_FILE = FONT_FILES.at(-1) ?? '';

/** Characters without a glyph in the fonts (emoji, other scripts), which would be drawn as a box. */
const UNDRAWABLE =
  /[^\n\u0020-\u007e\u00a0-\u0148\u014a-\u017e\u01a0\u01a1\u01af\u01b0\u0218-\u021b\u1e80-\u1e85\u1ea0-\u1ef9\u2013\u2014\u2018-\u201e\u2020\u2022\u2026\u20ac\u2122]/gu;

export const drawable = (text: string): string =>
  text.normalize('NFC').replace(UNDRAWABLE, ' ').replace(/ +/g, ' ').trim();

const escapeMarkup = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

export interface DrawnText {
  input: Buffer;
  width: number;
  height: number;
}

let fontsKnown: Promise<unknown> | null = null;
/** A font file is known to the process after its first use. */
function learnFonts(): Promise<unknown> {
  fontsKnown ??= Promise.all(
    FONT_FILES.map((fontfile) => sharp({ text: { text: 'x', font: FONT, fontfile } }).metadata()),
  );
  return fontsKnown;
}

interface TextLook {
  sizePx: number;
  color: string;
  maxWidth?: number;
  /** Where a line may end; 'word-char' even inside a word that is longer than a line. */
  wrap?: 'word' | 'word-char';
  /** Makes single lines of one size equally high, whatever letters they have, so that their baselines are level. */
  isLevel?: boolean;
}

/** Invisible points at the ends of the tallest and the deepest letter; the picture is cut to what is drawn. */
function levelMarks(sizePx: number): string {
  const point = (rise: number) => `<span size="1024" rise="${Math.round(rise * sizePx * 1024)}" alpha="1">.</span>`;
  return point(0.8) + point(-0.24);
}

export async function drawText(
  text: string,
  { sizePx, color, maxWidth, wrap = 'word', isLevel = false }: TextLook,
): Promise<DrawnText> {
  await learnFonts();
  const marks = isLevel ? levelMarks(sizePx) : '';
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${color}">${escapeMarkup(drawable(text) || ' ')}</span>${marks}`,
      font: `${FONT} ${sizePx}`,
      fontfile: MAIN_FONT_FILE,
      dpi: 72,
      rgba: true,
      ...(maxWidth === undefined ? {} : { width: maxWidth, wrap }),
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { input: data, width: info.width, height: info.height };
}

interface TextBox {
  width: number;
  height: number;
  /** Sizes from the largest to the smallest. */
  sizesPx: readonly number[];
  color: string;
  isLevel?: boolean;
}

/**
 * Like drawText, in the largest size at which the text fits the box with whole words; at the smallest one words break, and what still
 * does not fit is cut short.
 */
export async function fitText(text: string, { width, height, sizesPx, color, isLevel }: TextBox): Promise<DrawnText> {
  const draw = (part: string, sizePx: number, wrap: 'word' | 'word-char') =>
    drawText(part, { sizePx, color, maxWidth: width, wrap, isLevel });
  const fits = (drawn: DrawnText) => drawn.height <= height && drawn.width <= width;
  for (const sizePx of sizesPx) {
    const drawn = await draw(text, sizePx, 'word');
    if (fits(drawn)) return drawn;
  }
  const smallest = sizesPx.at(-1) ?? 24;
  const letters = Array.from(drawable(text));
  let drawn = await draw(text, smallest, 'word-char');
  while (!fits(drawn) && letters.length > 4) {
    letters.length = Math.floor(letters.length * 0.9);
    drawn = await draw(`${letters.join('').trim()}…`, smallest, 'word-char');
  }
  return drawn;
}
