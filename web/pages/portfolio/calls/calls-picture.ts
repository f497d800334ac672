import type { CallSummary } from '#shared/contract/users.ts';
import { ofCallsText } from '#shared/figures/calls.ts';
import { PRODUCT } from '#shared/constants.ts';
import { plural } from '#shared/numbers/plural.ts';
import { saveFile } from '../../../lib/save-file.ts';

const [WIDTH, HEIGHT, LEFT] = [1200, 630, 80];
const COLOR = { ground: '#07111c', text: '#edf4fb', muted: '#b0c2d4', accent: '#43c6ff' };

const weekText = ({ bullish, bearish }: CallSummary['week']): string =>
  `${plural(bullish + bearish, 'vote')} this week: ${bullish.toLocaleString()} bullish, ${bearish.toLocaleString()} bearish`;

/** The lines of the picture: totals alone, since a name or a day would lead from the wallet to its votes in the record (R90). */
export function pictureLines(calls: CallSummary): string[] {
  const { early, week } = calls;
  const majority =
    calls.calls === 0
      ? []
      : [
          ofCallsText(calls),
          `with the verified majority${early > 0 ? `, ${early.toLocaleString()} of them early` : ''}`,
        ];
  return [...majority, weekText(week)];
}

async function drawPicture(calls: CallSummary): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser draws no pictures');
  const family = getComputedStyle(document.documentElement).getPropertyValue('--font-display') || 'sans-serif';
  const fontOf = (sizePx: number) => `800 ${sizePx}px ${family}`;
  // It also looks for the fonts of the fallback, which no machine has to have.
  await document.fonts.load(fontOf(40)).catch(() => undefined);
  const write = (text: string, baseline: number, sizePx: number, color: string) => {
    context.font = fontOf(sizePx);
    context.fillStyle = color;
    context.fillText(text, LEFT, baseline, WIDTH - 2 * LEFT);
  };
  context.fillStyle = COLOR.ground;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.fillStyle = COLOR.accent;
  context.fillRect(0, HEIGHT - 16, WIDTH, 16);
  write(PRODUCT, 120, 56, COLOR.accent);
  const [first = '', second, third] = pictureLines(calls);
  if (second === undefined) write(first, 350, 56, COLOR.text);
  else {
    write(first, 330, 150, COLOR.text);
    write(second, 415, 56, COLOR.text);
    write(third ?? '', 495, 40, COLOR.muted);
  }
  write(location.host, 570, 32, COLOR.muted);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is empty'))), 'image/png');
  });
}

/** Opens the system's share sheet, or saves the file. Resolves to whether it was saved. */
export async function sharePicture(calls: CallSummary): Promise<boolean> {
  const picture = await drawPicture(calls);
  const files = [new File([picture], `${PRODUCT}-calls.png`, { type: 'image/png' })];
  if ('canShare' in navigator && navigator.canShare({ files })) {
    try {
      await navigator.share({ files });
      return false;
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return false;
    }
  }
  saveFile(`${PRODUCT}-calls.png`, picture);
  return true;
}
