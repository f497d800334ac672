import { noiseField, type Random } from '../random.ts';
import { HEIGHT, polyline, ring, times, WIDTH, type Canvas, type Point } from './canvas.ts';
import { blend, mix, type Palette } from './palettes.ts';

/** Things with faces and edges: a city, cubes, a gem, tiles. */

/** A city of blocks seen from above, lit from the left. */
export function city(canvas: Canvas, palette: Palette, random: Random): void {
  canvas.paint(canvas.linear(`${palette.night} 0, ${palette.dusk} 0.35, ${mix(palette.a, palette.c, 0.4)} 0.7`));
  canvas.glow(450, 420, 560, palette.c, 0.7);
  const noise = noiseField(random);
  const [half, rows] = [50, 19];
  for (const sum of times(rows * 2 - 1)) {
    for (const column of times(rows)) {
      const row = sum - column;
      if (row < 0 || row >= rows) continue;
      const x = 450 + (column - row) * half;
      const y = 470 + sum * half * 0.5;
      if (x < -60 || x > WIDTH + 60 || y > HEIGHT + 340) continue;
      const center = Math.exp(-(((x - 450) / 330) ** 2) - ((y - 760) / 260) ** 2);
      const height = 24 + noise(column / 2.3, row / 2.3) ** 2 * 220 + center * 200 * random.next();
      drawBlock(canvas, palette, random, [x, y], half * 0.94, height);
    }
  }
}

function drawBlock(
  canvas: Canvas,
  palette: Palette,
  random: Random,
  [x, y]: Point,
  half: number,
  height: number,
): void {
  const [quarter, top] = [half / 2, y - height];
  const color = random.chance(0.12) ? palette.c : blend([palette.dusk, palette.a, palette.b], height / 330);
  const roof: Point[] = [
    [x, top - quarter],
    [x + half, top],
    [x, top + quarter],
    [x - half, top],
  ];
  const leftFace: Point[] = [
    [x - half, top],
    [x, top + quarter],
    [x, y + quarter],
    [x - half, y],
  ];
  const rightFace: Point[] = [
    [x + half, top],
    [x, top + quarter],
    [x, y + quarter],
    [x + half, y],
  ];
  canvas.polygon(leftFace, mix(color, palette.night, 0.28));
  canvas.polygon(rightFace, mix(color, palette.night, 0.62));
  canvas.polygon(roof, mix(color, palette.light, 0.3));
  if (height < 70) return;
  for (const floor of times(Math.floor((height - 26) / 30))) {
    for (const side of [-1, 1]) {
      for (const column of [0.26, 0.7]) {
        if (random.chance(0.55)) continue;
        const wx = x + side * half * column;
        const wy = top + quarter * (1 - column) + 16 + floor * 30;
        const slope = -side * 4;
        const window: Point[] = [
          [wx - 6, wy - slope],
          [wx + 6, wy + slope],
          [wx + 6, wy + slope + 14],
          [wx - 6, wy - slope + 14],
        ];
        canvas.polygon(window, random.chance(0.75) ? palette.light : palette.c, { opacity: side < 0 ? 0.9 : 0.65 });
      }
    }
  }
}

/** Tumbling blocks: a wall of cubes in which light runs along. */
export function cubes(canvas: Canvas, palette: Palette, random: Random): void {
  canvas.paint(palette.night);
  const noise = noiseField(random);
  const r = 62;
  const w = r * Math.sqrt(3);
  for (const row of times(15)) {
    for (const column of times(10)) {
      const [x, y] = [column * w + (row % 2) * (w / 2) - 20, row * r * 1.5 - 20];
      const corners = ring(6, x, y, r + 0.6);
      const at = (i: number): Point => corners[i % 6] ?? [x, y];
      const tone = noise(x / 330, y / 330) * 1.35 - 0.15;
      const color = random.chance(0.06)
        ? palette.light
        : blend([palette.night, palette.dusk, palette.a, palette.b, palette.c], tone);
      canvas.polygon([[x, y], at(5), at(0), at(1)], mix(color, palette.light, 0.28));
      canvas.polygon([[x, y], at(1), at(2), at(3)], mix(color, palette.night, 0.5));
      canvas.polygon([[x, y], at(3), at(4), at(5)], mix(color, palette.night, 0.14));
      if (random.chance(0.18)) inset(canvas, palette, [x, y], r, color);
    }
  }
  canvas.glow(450, 540, 520, palette.a, 0.35);
}

function inset(canvas: Canvas, palette: Palette, [x, y]: Point, r: number, color: string): void {
  const corners = ring(6, x, y, r * 0.5);
  const at = (i: number): Point => corners[i % 6] ?? [x, y];
  canvas.polygon([[x, y], at(5), at(0), at(1)], mix(color, palette.night, 0.65));
  canvas.polygon([[x, y], at(1), at(2), at(3)], mix(color, palette.light, 0.45));
  canvas.polygon([[x, y], at(3), at(4), at(5)], mix(color, palette.night, 0.35));
}

/** One cut stone before soft light, with splinters around it. */
export function gem(canvas: Canvas, palette: Palette, random: Random): void {
  canvas.paint(canvas.linear(`${palette.night} 0, ${palette.dusk} 1`, 70));
  canvas.glow(220, 280, 560, palette.a, 0.6);
  canvas.glow(760, 930, 600, palette.b, 0.5);
  for (const [x, y] of ring(24, 450, 560, 900)) {
    canvas.line(`M450 560L${x} ${y}`, palette.light, random.range(1, 14), { opacity: random.range(0.02, 0.08) });
  }
  for (const [x, y] of ring(11, 450, 570, 440)) {
    const shard = random.range(22, 66);
    drawStone(canvas, palette, random, [x + random.range(-50, 50), y + random.range(-110, 110)], shard, shard * 1.7, 4);
  }
  canvas.glow(450, 560, 470, palette.light, 0.5);
  drawStone(canvas, palette, random, [450, 560], 285, 390, 8);
}

function drawStone(
  canvas: Canvas,
  palette: Palette,
  random: Random,
  [x, y]: Point,
  rx: number,
  ry: number,
  sides: number,
): void {
  const turn = sides === 8 ? 0.5 : random.range(0, 1);
  const squash = (r: number, shift = 0): Point[] =>
    ring(sides, 0, 0, 1, turn + shift).map(([px, py]) => [x + px * rx * r, y + py * ry * r] as const);
  const [outer, middle, table] = [squash(1), squash(0.74, 0.5), squash(0.46)];
  const colors = [palette.dusk, palette.a, palette.b, palette.c];
  const facet = (points: Point[], level: number): void => {
    const [cx, cy] = [
      points.reduce((s, p) => s + p[0], 0) / points.length,
      points.reduce((s, p) => s + p[1], 0) / points.length,
    ];
    const lit = 0.5 - ((cx - x) / rx + (cy - y) / ry) * 0.42 + random.range(-0.2, 0.2);
    const color = blend(colors, lit * 0.8 + random.range(-0.1, 0.2));
    const shade = mix(color, lit > 0.5 ? palette.light : palette.night, Math.abs(lit - 0.5) * 0.9 + level * 0.08);
    canvas.polygon(points, shade, {
      stroke: palette.light,
      'stroke-opacity': 0.35,
      'stroke-width': rx > 100 ? 2.5 : 1,
    });
  };
  for (const i of times(sides)) {
    const next = (i + 1) % sides;
    const p = (list: Point[], k: number): Point => list[k] ?? [x, y];
    facet([p(outer, i), p(outer, next), p(middle, i)], 0);
    facet([p(middle, i), p(outer, next), p(middle, next)], 0);
    facet([p(middle, i), p(middle, next), p(table, next)], 1);
    facet([p(table, i), p(table, next), p(middle, i)], 1);
  }
  const face = canvas.linear(`${palette.light} 0 0.95, ${palette.b} 0.5 0.85, ${palette.a} 1 0.9`, 60);
  canvas.polygon(table, face, { stroke: palette.light, 'stroke-width': 2 });
  const glint: Point[] = [table[sides - 1] ?? [x, y], table[1] ?? [x, y]];
  canvas.line(polyline(glint), palette.light, 3, { opacity: 0.5 });
}

/** A poster of simple shapes on a grid. */
export function tiles(canvas: Canvas, palette: Palette, random: Random): void {
  const size = 150;
  const colors = [palette.night, palette.dusk, palette.a, palette.b, palette.c, palette.light];
  for (const row of times(8)) {
    for (const column of times(6)) {
      const [ground, first, second] = random.shuffle(colors);
      canvas.rect(column * size, row * size, size + 1, size + 1, ground ?? palette.light);
      const turn = `translate(${column * size + 75} ${row * size + 75}) rotate(${random.int(0, 3) * 90})`;
      canvas.group({ transform: turn }, () => drawTile(canvas, random, first ?? palette.a, second ?? palette.b));
    }
  }
}

function drawTile(canvas: Canvas, random: Random, first: string, second: string): void {
  const kind = random.int(0, 7);
  if (kind === 0) canvas.path('M-75-75H75A150 150 0 0 1-75 75Z', first);
  if (kind === 0) canvas.path('M-75-75H0A75 75 0 0 1-75 0Z', second);
  if (kind === 1)
    for (const [r, fill] of [
      [62, first],
      [42, second],
      [20, first],
    ] as const)
      canvas.circle(0, 0, r, fill);
  if (kind === 2) canvas.path('M-75 0A75 75 0 0 1 75 0ZM-75 75A75 75 0 0 1 75 75Z', first);
  if (kind === 3) canvas.path('M-75-75A150 150 0 0 1 75 75A150 150 0 0 1-75-75Z', first);
  if (kind === 3) canvas.circle(0, 0, 24, second);
  if (kind === 4) canvas.path('M-75-75L75 75H-75Z', first);
  if (kind === 5) for (const i of times(4)) canvas.rect(-75, -75 + i * 38, 150, 19, i % 2 === 0 ? first : second);
  if (kind === 6) for (const i of times(9)) canvas.circle(-48 + (i % 3) * 48, -48 + Math.floor(i / 3) * 48, 15, first);
  if (kind !== 7) return;
  for (const [r, fill] of [
    [150, first],
    [112, second],
    [75, first],
    [38, second],
  ] as const) {
    canvas.path(`M-75 75V${75 - r}A${r} ${r} 0 0 1 ${-75 + r} 75Z`, fill);
  }
}
