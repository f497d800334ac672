import { noiseField, type Random } from '../random.ts';
import { curve, times, type Canvas, type Point } from './canvas.ts';
import { blend, mix, type Palette } from './palettes.ts';

/** A landscape cut from sheets of paper, one for each height. */

const CELL_PX = 20;
/** The field reaches beyond the picture, so that every outline is closed outside of it. */
const COLUMNS = 51;
const ROWS = 66;

export function relief(canvas: Canvas, palette: Palette, random: Random): void {
  const heights = terrain(random);
  const colors = [palette.night, palette.dusk, palette.a, palette.b, palette.light];
  canvas.paint(palette.night);
  const levels = 13;
  for (const level of times(levels)) {
    const share = level / (levels - 1);
    const outline = contour(heights, 0.2 + share * 0.62)
      .map((loop) => `${curve(loop)}Z`)
      .join('');
    if (outline === '') continue;
    const color = blend(colors, share);
    for (const [shift, opacity] of [
      [18, 0.16],
      [10, 0.2],
      [5, 0.22],
    ] as const) {
      canvas.path(outline, '#000000', {
        'fill-rule': 'evenodd',
        transform: `translate(${shift * 0.35} ${shift})`,
        opacity,
      });
    }
    canvas.path(outline, color, { 'fill-rule': 'evenodd', stroke: mix(color, palette.light, 0.4), 'stroke-width': 2 });
    if (level === 5) route(canvas, palette, random);
  }
}

function route(canvas: Canvas, palette: Palette, random: Random): void {
  const points: Point[] = times(7).map((i) => [random.range(80, 820), 1160 - i * 180]);
  canvas.line(curve(points), palette.c, 9, { 'stroke-dasharray': '1 24' });
}

function terrain(random: Random): number[][] {
  const noise = noiseField(random);
  const [px, py] = [random.range(0.3, 0.7), random.range(0.34, 0.55)];
  return times(ROWS).map((row) =>
    times(COLUMNS).map((column) => {
      if (row === 0 || column === 0 || row === ROWS - 1 || column === COLUMNS - 1) return 0;
      const [x, y] = [column / COLUMNS, row / ROWS];
      const rough = noise(x * 3.2, y * 4.2) * 0.62 + noise(x * 7 + 9, y * 9) * 0.26 + noise(x * 15, y * 20 + 5) * 0.08;
      return rough + 0.34 * Math.exp(-(((x - px) / 0.26) ** 2) - ((y - py) / 0.2) ** 2);
    }),
  );
}

/** Marching squares: the closed outlines of everything above `level`, in pixels. */
function contour(heights: number[][], level: number): Point[][] {
  const next = new Map<string, { to: string; at: Point }[]>();
  for (const row of times(ROWS - 1)) {
    for (const column of times(COLUMNS - 1)) {
      for (const [from, to] of crossings(heights, column, row, level)) {
        const key = from.join();
        next.set(key, [...(next.get(key) ?? []), { to: to.join(), at: from }]);
      }
    }
  }
  const loops: Point[][] = [];
  for (const start of next.keys()) {
    const loop: Point[] = [];
    for (let key = start, step = next.get(key)?.pop(); step !== undefined; step = next.get(key)?.pop()) {
      loop.push(step.at);
      key = step.to;
    }
    const [first] = loop;
    if (first !== undefined && loop.length > 7) loops.push([...loop, first]);
  }
  return loops;
}

/** Directed pieces of the outline in one cell, with the higher ground always on the same side. */
function crossings(heights: number[][], column: number, row: number, level: number): [Point, Point][] {
  const corners = (
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ] as const
  ).map(([dx, dy]) => {
    const height = heights[row + dy]?.[column + dx] ?? 0;
    return { x: column + dx, y: row + dy, height };
  });
  const entries: Point[] = [];
  const exits: Point[] = [];
  for (const [i, from] of corners.entries()) {
    const to = corners[(i + 1) % 4];
    if (to === undefined || from.height > level === to.height > level) continue;
    // Measured from the lower corner, so that both cells of an edge find the very same point.
    const [low, high] = from.height < to.height ? [from, to] : [to, from];
    const t = (level - low.height) / (high.height - low.height);
    const at: Point = [(low.x + (high.x - low.x) * t) * CELL_PX - 50, (low.y + (high.y - low.y) * t) * CELL_PX - 50];
    (to.height > level ? entries : exits).push(at);
  }
  return entries.map((entry, i) => [entry, exits[i] ?? entry]);
}
