import { PRODUCT } from '#shared/constants.ts';
import type { CallSummary } from '#shared/contract/users.ts';
import { ofCallsText } from '#shared/figures/calls.ts';
import type { TicketFace } from '../../../components/ticket/ticket-card.tsx';
import { saveFile } from '../../../lib/save-file.ts';
import { streakText } from '../../../voting/reward.ts';
import type { Week } from './weeks.ts';

export const [WIDTH, HEIGHT] = [1080, 1350];
/** The paper on its ground, the same in both themes. */
const EDGE = 40;
const LEFT = 96;
const INNER = WIDTH - 2 * LEFT;
const COLOR = {
  ground: '#0b1c2c',
  paper: '#fffefb',
  text: '#0b1c2c',
  muted: '#3f5264',
  line: '#b9bfc0',
  blank: '#e9e8e1',
  bullish: '#067647',
  bearish: '#b4232f',
};
const FILE = `${PRODUCT}-week.png`;
const HOLES = 7;
const MOST = 21;
/** The band of the cards. */
const [TOP, BOTTOM] = [500, 1100];

interface TicketOfWeek {
  week: Week;
  calls: CallSummary;
  streak: number;
}

/** Bullish ones first: an order or a day would lead from the picture to a wallet's votes in the record (R90). */
export const picturedFaces = ({ days }: Week): TicketFace[] =>
  days
    .flatMap(({ faces }) => faces)
    .toSorted(
      (one, other) =>
        Number(one.voteType === 'bearish') - Number(other.voteType === 'bearish') || one.name.localeCompare(other.name),
    );

export const majorityText = (calls: CallSummary): string =>
  calls.calls > 0 ? `${ofCallsText(calls)} with the verified majority` : '';

/** Null for a picture of another origin, which would spoil the canvas, and for one that does not load. */
async function loadPicture(url: string | null): Promise<HTMLImageElement | null> {
  if (!url || new URL(url, location.href).origin !== location.origin) return null;
  const image = Object.assign(new Image(), { src: url });
  return image.decode().then(
    () => image,
    () => null,
  );
}

type Context = CanvasRenderingContext2D;

function circle(context: Context, x: number, y: number, radius: number, color: string): void {
  context.fillStyle = color;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

/** Up for bullish, down for bearish. */
function arrow(context: Context, x: number, y: number, size: number, isUp: boolean): void {
  const turned = isUp ? 1 : -1;
  context.beginPath();
  context.moveTo(x, y - (turned * size) / 2);
  context.lineTo(x + size / 2, y + (turned * size) / 2);
  context.lineTo(x - size / 2, y + (turned * size) / 2);
  context.fill();
}

function drawPaper(context: Context): void {
  context.fillStyle = COLOR.ground;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.fillStyle = COLOR.paper;
  context.fillRect(EDGE, EDGE, WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE);
  for (let x = EDGE + 25; x < WIDTH - EDGE; x += 50)
    for (const y of [EDGE, HEIGHT - EDGE]) circle(context, x, y, 14, COLOR.ground);
}

function drawPerforation(context: Context, y: number): void {
  for (const x of [EDGE, WIDTH - EDGE]) circle(context, x, y, 28, COLOR.ground);
  context.strokeStyle = COLOR.line;
  context.lineWidth = 4;
  context.setLineDash([14, 12]);
  context.beginPath();
  context.moveTo(LEFT, y);
  context.lineTo(WIDTH - LEFT, y);
  context.stroke();
}

interface Place {
  x: number;
  y: number;
  width: number;
}

function drawCard(context: Context, face: TicketFace, image: HTMLImageElement | null, { x, y, width }: Place): void {
  const height = (width * 4) / 3;
  const color = COLOR[face.voteType ?? 'bullish'];
  context.save();
  context.beginPath();
  context.roundRect(x, y, width, height, width * 0.12);
  context.clip();
  context.fillStyle = COLOR.blank;
  context.fillRect(x, y, width, height);
  if (image) {
    const scale = Math.max(width / image.naturalWidth, height / image.naturalHeight);
    const [wide, high] = [image.naturalWidth * scale, image.naturalHeight * scale];
    context.drawImage(image, x + (width - wide) / 2, y + (height - high) / 2, wide, high);
  }
  context.strokeStyle = color;
  context.lineWidth = width * 0.08;
  context.setLineDash([]);
  context.beginPath();
  context.roundRect(x, y, width, height, width * 0.12);
  context.stroke();
  context.fillStyle = color;
  context.fillRect(x, y, width * 0.32, width * 0.32);
  context.fillStyle = COLOR.paper;
  arrow(context, x + width * 0.17, y + width * 0.17, width * 0.16, face.voteType === 'bullish');
  context.restore();
}

/** Few cards are large ones, in the middle of their band. */
function drawCards(context: Context, faces: readonly TicketFace[], images: Array<HTMLImageElement | null>): void {
  const columns = faces.length <= 3 ? 3 : faces.length <= 8 ? 4 : faces.length <= 10 ? 5 : 7;
  const gap = 180 / (columns + 2);
  const width = (INNER - gap * (columns - 1)) / columns;
  const step = (width * 4) / 3 + gap;
  const top = (TOP + BOTTOM - Math.ceil(faces.length / columns) * step + gap) / 2;
  for (const [at, face] of faces.entries())
    drawCard(context, face, images[at] ?? null, {
      x: LEFT + (at % columns) * (width + gap),
      y: top + Math.floor(at / columns) * step,
      width,
    });
}

/** Draws the ticket; only pictures of this origin, and no name, day or wallet. */
export async function drawTicket(canvas: HTMLCanvasElement, { week, calls, streak }: TicketOfWeek): Promise<Blob> {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser draws no pictures');
  const faces = picturedFaces(week).slice(0, MOST);
  const family = getComputedStyle(document.documentElement).getPropertyValue('--font-display') || 'sans-serif';
  const fontOf = (sizePx: number) => `700 ${sizePx}px ${family}`;
  // It also looks for the fonts of the fallback, which no machine has to have.
  const [images] = await Promise.all([
    Promise.all(faces.map(({ imageUrl }) => loadPicture(imageUrl))),
    document.fonts.load(fontOf(40)).catch(() => undefined),
  ]);
  const write = (text: string, x: number, baseline: number, sizePx: number, color = COLOR.text) => {
    context.font = fontOf(sizePx);
    context.fillStyle = color;
    context.fillText(text, x, baseline, WIDTH - LEFT - x);
    return x + context.measureText(text).width;
  };
  context.direction = 'ltr';
  drawPaper(context);
  write(location.host, write(PRODUCT, LEFT, 142, 44) + 20, 142, 30, COLOR.muted);
  const count = week.bullish + week.bearish;
  const end = write(count.toLocaleString('en-US'), LEFT - 8, 372, 250) + 36;
  write(`${count === 1 ? 'card' : 'cards'} this week`, end, 252, 46);
  for (const [at, direction] of (['bullish', 'bearish'] as const).entries()) {
    context.fillStyle = COLOR[direction];
    arrow(context, end + 16, 300 + at * 56, 26, direction === 'bullish');
    write(`${week[direction].toLocaleString('en-US')} ${direction}`, end + 44, 316 + at * 56, 42, COLOR[direction]);
  }
  drawPerforation(context, 442);
  drawCards(context, faces, images);
  write(majorityText(calls), LEFT, streak > 0 ? 1178 : 1240, 40);
  if (streak > 0) {
    for (let at = 0; at < HOLES; at += 1)
      circle(context, LEFT + 22 + at * 58, 1240, 22, at < streak ? COLOR.ground : COLOR.blank);
    write(streakText(streak), LEFT + HOLES * 58 + 8, 1254, 40);
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is empty'))), 'image/png');
  });
}

const filesOf = (picture: Blob) => [new File([picture], FILE, { type: 'image/png' })];

export const canShare = (): boolean => 'canShare' in navigator && navigator.canShare({ files: filesOf(new Blob()) });

/** Opens the system's share sheet, or saves the file. Resolves to whether it was saved. */
export async function sharePicture(picture: Blob): Promise<boolean> {
  if (canShare()) {
    try {
      await navigator.share({ files: filesOf(picture) });
      return false;
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return false;
    }
  }
  saveFile(FILE, picture);
  return true;
}
