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

export const drawable = (text: string): string => text.replace(UNDRAWABLE, ' ').replace(/ +/g, ' ').trim();

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

export async function drawText(
  text: string,
  look: { sizePx: number; color: string; maxWidth?: number },
): Promise<DrawnText> {
  await learnFonts();
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${look.color}">${escapeMarkup(drawable(text) || ' ')}</span>`,
      font: `${FONT} ${look.sizePx}`,
      fontfile: MAIN_FONT_FILE,
      dpi: 72,
      rgba: true,
      ...(look.maxWidth === undefined ? {} : { width: look.maxWidth, wrap: 'word-char' }),
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { input: data, width: info.width, height: info.height };
}

/** Like drawText, in the largest of the sizes at which the text fits the box; a text that fits at none is cut short. */
export async function fitText(
  text: string,
  box: { width: number; height: number; sizesPx: readonly number[]; color: string },
): Promise<DrawnText> {
  const draw = (part: string, sizePx: number) => drawText(part, { sizePx, color: box.color, maxWidth: box.width });
  const fits = (drawn: DrawnText) => drawn.height <= box.height && drawn.width <= box.width;
  const smallest = box.sizesPx.at(-1) ?? 24;
  let drawn = await draw(text, smallest);
  for (const sizePx of box.sizesPx) {
    drawn = await draw(text, sizePx);
    if (fits(drawn)) return drawn;
  }
  const letters = Array.from(drawable(text));
  while (!fits(drawn) && letters.length > 4) {
    letters.length = Math.floor(letters.length * 0.9);
    drawn = await draw(`${letters.join('').trim()}…`, smallest);
  }
  return drawn;
}
