import { ring, times, type Canvas, type Point } from './canvas.ts';
import { mix, type Palette } from './palettes.ts';

/** One stroke of a sign in a box from -50 to 50: a filled shape, or a line when it has a width. */
interface Mark {
  d: string;
  width?: number;
  /** Drawn in the second colour. */
  second?: boolean;
}

const disc = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

const rays = (count: number, inner: number, outer: number): string => {
  const [from, to] = [ring(count, 0, 0, inner), ring(count, 0, 0, outer)];
  const text = ([x, y]: Point = [0, 0]): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return times(count)
    .map((i) => `M${text(from[i])}L${text(to[i])}`)
    .join('');
};

const SIGNS = {
  shell: [
    {
      d: 'M0 44C-12 38-48 8-46-14A13 13 0 0 1-25-28A14 14 0 0 1 0-38A14 14 0 0 1 25-28A13 13 0 0 1 46-14C48 8 12 38 0 44Z',
    },
    { d: 'M0 36V-22M-6 34L-24-14M6 34L24-14M-10 30L-37-4M10 30L37-4', width: 4.5, second: true },
  ],
  flame: [
    { d: 'M2-50C10-26 36-14 36 14A36 36 0 0 1-36 14C-36-6-22-12-19-28C-9-24-4-15-4-6C6-17 6-34 2-50Z' },
    { d: 'M1 4C8 14 15 20 15 31A15 15 0 0 1-15 31C-15 20-5 15 1 4Z', second: true },
  ],
  sails: [
    { d: 'M4-50V24H44C38-6 22-32 4-50Z' },
    { d: 'M-5-34V24H-34C-30 2-19-18-5-34Z', second: true },
    { d: 'M-46 33H48C41 47 28 50 0 50S-39 47-46 33Z' },
  ],
  feather: [
    { d: 'M40-48C-12-46-40-12-36 26C-30 30-22 33-14 33C22 32 44 0 40-48Z' },
    { d: 'M-46 50C-34 20-14-6 20-28M-20 12L14 10M-6-6L28-10', width: 5, second: true },
  ],
  kettle: [
    { d: 'M-30 0C-30-22 30-22 30 0L36 34C36 46-36 46-36 34Z' },
    { d: 'M32 12C46 10 40-10 50-14', width: 9 },
    { d: 'M-24-20C-26-50 26-50 24-20', width: 6 },
    { d: `M-22 16C-10 8 8 24 22 16${disc(0, -20, 5)}`, width: 5, second: true },
  ],
  leaf: [
    { d: 'M-38 38C-48-20-8-46 44-46C48 4 22 46-38 38Z' },
    { d: 'M-46 48C-30 16-8-8 22-26M-16 12L10 14M-2-4L-6-22', width: 5, second: true },
  ],
  fox: [
    { d: 'M-46-44L-17-24H17L46-44L42 4L0 46L-42 4Z' },
    { d: 'M-42 4L-12 12L0 46ZM42 4L12 12L0 46Z', second: true },
    { d: `${disc(-17, -2, 4.5)}${disc(17, -2, 4.5)}${disc(0, 40, 6)}`, second: true },
  ],
  kite: [
    { d: 'M0-52L36-10L0 32Z' },
    { d: 'M0-52L-36-10L0 32Z', second: true },
    { d: 'M0 32C-14 36 14 42 0 50M-36-10H36', width: 4 },
  ],
  bricks: [
    { d: 'M-44 18h40v22h-40ZM2 18h42v22h-42ZM-44-36h40v22h-40Z' },
    { d: 'M-22-9h44v22h-44Z', second: true },
    { d: 'M2-36h42v22h-42Z', second: true },
  ],
  lighthouse: [
    { d: 'M-13-24H13L22 46H-22Z' },
    { d: 'M-11-46H11V-29H-11ZM-16 0L16 0L18 14H-18Z', second: true },
    { d: 'M20-38L48-48M20-34L50-28M-20-38L-48-48M-20-34L-50-28', width: 5 },
  ],
  hexagons: [
    { d: 'M0-50L43-25V25L0 50L-43 25V-25Z' },
    { d: 'M0 0L43-25M0 0V50M0 0L-43-25M0-24L22-12V12L0 24L-22 12V-12Z', width: 5, second: true },
  ],
  key: [
    { d: `${disc(-20, -18, 28)}M2-2L40 36L30 46L22 38L16 44L6 34L12 28L-10 10Z` },
    { d: disc(-20, -18, 11), second: true },
  ],
  oak: [
    { d: `${disc(0, -20, 28)}${disc(-24, 2, 22)}${disc(24, 2, 22)}${disc(0, 4, 24)}` },
    { d: 'M0 48V-8M0 18L-18 0M0 8L16-8', width: 7, second: true },
  ],
  council: [
    {
      d: ring(6, 0, 0, 36)
        .map(([x, y]) => disc(Math.round(x), Math.round(y), 11))
        .join(''),
    },
    { d: disc(0, 0, 13), second: true },
  ],
  coral: [
    {
      d: 'M0 48V-6M0 20C-26 18-30-2-28-20M0 8C24 6 30-10 28-30M-28 2C-44-2-46-16-44-26M28-12C14-20 10-34 12-46',
      width: 10,
    },
    { d: 'M0-6C-12-16-12-32-8-44', width: 10, second: true },
  ],
  bubble: [
    { d: 'M-46-8A38 34 0 0 1-8-42H8A38 34 0 0 1 8 26H-4L-26 46V22A36 34 0 0 1-46-8Z' },
    { d: `${disc(-22, -8, 6.5)}${disc(0, -8, 6.5)}${disc(22, -8, 6.5)}`, second: true },
  ],
  plane: [{ d: 'M-50 2L50-44L18 44L-4 16Z' }, { d: 'M-4 16L50-44L-18 10V40Z', second: true }],
  compass: [
    { d: 'M0-52L11-11L52 0L11 11L0 52L-11 11L-52 0L-11-11Z' },
    { d: 'M0-36L0 0L36 0L7-7ZM0 36L0 0L-36 0L-7 7Z', second: true },
    { d: disc(0, 0, 40), width: 4 },
  ],
  sun: [{ d: disc(0, 0, 24) }, { d: rays(12, 33, 47), width: 7, second: true }],
  cell: [
    { d: 'M-40-14C-36-44 4-54 28-38S54 18 30 38S-22 50-38 28S-44 0-40-14Z' },
    { d: `${disc(-8, -8, 15)}${disc(22, 16, 7)}${disc(-14, 26, 5)}${disc(18, -22, 5)}`, second: true },
  ],
  moon: [
    { d: 'M14-46A46 46 0 1 0 46 22A38 38 0 0 1 14-46Z' },
    { d: 'M30-34L34-24L44-20L34-16L30-6L26-16L16-20L26-24Z', second: true },
  ],
  tiles: [
    { d: 'M-46-46H-2A44 44 0 0 1-46-2ZM46 46H2A44 44 0 0 1 46 2Z' },
    { d: `${disc(24, -24, 21)}M-46 2H-2V46H-46Z`, second: true },
  ],
  waves: [
    { d: 'M-46-22C-30-40-16-40 0-22S30-4 46-22', width: 11 },
    { d: 'M-46 4C-30-14-16-14 0 4S30 22 46 4', width: 11, second: true },
    { d: 'M-46 30C-30 12-16 12 0 30S30 48 46 30', width: 11 },
  ],
} satisfies Record<string, Mark[]>;

export type EmblemName = keyof typeof SIGNS;

function drawSign(canvas: Canvas, name: EmblemName, at: Point, scale: number, first: string, second: string): void {
  canvas.group({ transform: `translate(${at[0]} ${at[1]}) scale(${scale})` }, () => {
    const marks: readonly Mark[] = SIGNS[name];
    for (const mark of marks) {
      const color = mark.second === true ? second : first;
      if (mark.width === undefined) canvas.path(mark.d, color);
      else canvas.line(mark.d, color, mark.width);
    }
  });
}

export type BadgeStyle = 'glass' | 'coin' | 'tile' | 'bare';

/** The project's sign on a disc, a coin, a tile or by itself, with its shadow. */
export function drawBadge(
  canvas: Canvas,
  palette: Palette,
  name: EmblemName,
  style: BadgeStyle,
  at: Point,
  r: number,
): void {
  const [x, y] = at;
  canvas.glow(x, y + r * 0.14, r * 1.75, palette.night, 0.85);
  if (style === 'glass') drawGlass(canvas, palette, at, r);
  if (style === 'coin') drawCoin(canvas, palette, at, r);
  if (style === 'tile') drawTile(canvas, palette, at, r);
  const scale = r * (style === 'bare' ? 0.0235 : 0.0118);
  drawSign(canvas, name, [x, y + scale * 5], scale, palette.night, palette.night);
  const second = style === 'bare' ? palette.b : style === 'glass' ? palette.c : mix(palette.night, palette.dusk, 0.55);
  drawSign(canvas, name, at, scale, palette.light, second);
}

function drawGlass(canvas: Canvas, palette: Palette, [x, y]: Point, r: number): void {
  canvas.circle(x, y, r, mix(palette.night, palette.dusk, 0.5), { opacity: 0.55 });
  canvas.circle(x, y, r, canvas.linear('#ffffff 0 0.42, #ffffff 0.45 0.1, #ffffff 1 0.2', 60), {
    stroke: '#ffffff',
    'stroke-opacity': 0.75,
    'stroke-width': 3,
  });
  canvas.circle(x, y, r * 0.86, 'none', { stroke: '#ffffff', 'stroke-opacity': 0.25, 'stroke-width': 2 });
}

function drawCoin(canvas: Canvas, palette: Palette, [x, y]: Point, r: number): void {
  canvas.circle(x, y + r * 0.09, r, mix(palette.a, palette.night, 0.55));
  canvas.circle(x, y, r, canvas.linear(`${mix(palette.b, '#ffffff', 0.35)} 0, ${palette.b} 0.5, ${palette.a} 1`, 55));
  for (const [tx, ty] of ring(44, x, y, r * 0.915)) canvas.circle(tx, ty, r * 0.022, palette.night, { opacity: 0.35 });
  canvas.circle(
    x,
    y,
    r * 0.82,
    canvas.linear(`${mix(palette.a, palette.night, 0.35)} 0, ${mix(palette.a, palette.b, 0.3)} 1`, 55),
  );
  canvas.line(
    `M${x - r * 0.62} ${y - r * 0.42}A${r * 0.75} ${r * 0.75} 0 0 1 ${x} ${y - r * 0.75}`,
    '#ffffff',
    r * 0.035,
    {
      opacity: 0.7,
    },
  );
}

function drawTile(canvas: Canvas, palette: Palette, [x, y]: Point, r: number): void {
  const box = { rx: r * 0.46 };
  canvas.rect(x - r, y - r + r * 0.1, 2 * r, 2 * r, mix(palette.a, palette.night, 0.6), box);
  canvas.rect(x - r, y - r, 2 * r, 2 * r, canvas.linear(`${palette.b} 0, ${palette.a} 1`, 60), box);
  canvas.rect(x - r, y - r, 2 * r, r * 0.95, canvas.linear('#ffffff 0 0.45, #ffffff 1 0.02'), box);
}
