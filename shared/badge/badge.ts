import { escapeMarkup } from '../text/escape.ts';
import { lookAlikeText } from '../listings/listing-source.ts';
import { type BadgeFacts, type Figures, figuresOf, linesOf, sentenceOf } from './figures.ts';
import type { Listing } from '../listings/ownership.ts';
import { paletteCss, type Theme } from './palette.ts';
import { cutToWidth, type Font, isWidthKnown, textWidth } from './text-width.ts';

const [WIDTH, HEIGHT] = [360, 72];
const [TEXT_LEFT, RIGHT] = [62, 344];
const BAR_HEIGHT = 4;
const GAP = 14;
const FONTS = {
  name: { sizePx: 15, isBold: true },
  line: { sizePx: 11.5 },
  share: { sizePx: 26, isBold: true },
  label: { sizePx: 12, isBold: true },
} as const satisfies Record<string, Font>;

const MARK = `<g transform="translate(10 14) scale(.88)"><rect x="7" y="9" width="24" height="32" rx="6" transform="rotate(-16 19 25)" fill="var(--red)"/><rect x="16" y="7" width="25" height="34" rx="6.5" transform="rotate(9 28 24)" fill="var(--surface)"/><rect x="17.5" y="8.5" width="22" height="31" rx="5" transform="rotate(9 28 24)" fill="var(--accent)"/><path d="m21.5 29.5 5-6 4 3.5 5.5-8.5m-4.6-.6 4.8.3 1 4.8" fill="none" stroke="var(--onaccent)" stroke-width="2.8" stroke-linecap="round" stroke-linejoin="round"/></g>`;

interface Line {
  x: number;
  y: number;
  font: Font;
  color: string;
  isEnd?: boolean;
  /** Maximum width: a wider text is squeezed, because figures are never cut. */
  maxPx?: number;
}

function drawLine(text: string, { x, y, font, color, isEnd = false, maxPx = Infinity }: Line): string {
  // A known width is set, so that the text fits even in another font; a guessed one would stretch it, so it only ends where its place does.
  const width = isWidthKnown(text)
    ? `textLength="${Math.min(textWidth(text, font), maxPx).toFixed(1)}" lengthAdjust="spacingAndGlyphs"`
    : 'clip-path="url(#t)"';
  const look = `font-size="${font.sizePx}"${font.isBold ? ' font-weight="700"' : ''}${isEnd ? ' text-anchor="end"' : ''}`;
  return `<text x="${x}" y="${y}" ${look} ${width} fill="var(--${color})">${escapeMarkup(text)}</text>`;
}

function drawBar({ percentage, isExpired }: Figures): string {
  const bar = (width: number, color: string) =>
    `<rect y="${HEIGHT - BAR_HEIGHT}" width="${width}" height="${BAR_HEIGHT}" fill="var(--${color})"/>`;
  if (percentage === null || isExpired) return bar(WIDTH, 'line');
  return bar(WIDTH, 'red') + bar((WIDTH * percentage) / 100, 'green');
}

interface Named {
  name: string;
  listing: Pick<Listing, 'lookAlike'>;
}

export function drawBadge({ name, listing: { lookAlike } }: Named, facts: BadgeFacts, theme: Theme): string {
  const figures = figuresOf(facts);
  const { share, label, tone, isExpired } = figures;
  const mark = lookAlike ? [lookAlikeText(lookAlike)] : [];
  const shareWidth = Math.max(textWidth(share, FONTS.share), textWidth(label, FONTS.label));
  const maxPx = RIGHT - shareWidth - GAP - TEXT_LEFT;
  const figureLines = linesOf(figures, figures.changedShort);
  // A mark replaces what comes between the first line and the day.
  const lines = mark.length > 0 ? [...mark, figureLines[0] ?? '', figureLines.at(-1) ?? ''] : figureLines;
  const [nameAt, first, height] = lines.length > 2 ? [20, 36, 13] : [24, 42, 16];
  const title = escapeMarkup([sentenceOf(name, figures), ...mark].join(', '));
  const line = (text: string, y: number, color: string) =>
    drawLine(text, { x: TEXT_LEFT, y, font: FONTS.line, color, maxPx });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}" data-share="${figures.stated}" font-family="Arial,Helvetica,'Liberation Sans',sans-serif">`,
    `<title>${title}</title><style>${paletteCss(theme)}</style>`,
    `<clipPath id="c"><rect width="${WIDTH}" height="${HEIGHT}" rx="12"/></clipPath>`,
    `<clipPath id="t"><rect x="${TEXT_LEFT}" width="${maxPx.toFixed(1)}" height="${HEIGHT}"/></clipPath>`,
    `<g clip-path="url(#c)"><rect width="${WIDTH}" height="${HEIGHT}" fill="var(--surface)"/>${drawBar(figures)}</g>`,
    `<rect x=".5" y=".5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="11.5" fill="none" stroke="var(--line)"/>`,
    MARK,
    drawLine(cutToWidth(name, maxPx, FONTS.name), { x: TEXT_LEFT, y: nameAt, font: FONTS.name, color: 'text' }),
    ...lines.map((text, at) =>
      line(
        mark.includes(text) ? cutToWidth(text, maxPx, FONTS.line) : text,
        first + at * height,
        at === 0 && (isExpired || lookAlike) ? 'yellow' : 'muted',
      ),
    ),
    drawLine(share, { x: RIGHT, y: 36, font: FONTS.share, color: tone, isEnd: true }),
    drawLine(label, { x: RIGHT, y: 55, font: FONTS.label, color: isExpired ? 'yellow' : tone, isEnd: true }),
    '</svg>',
  ].join('');
}
