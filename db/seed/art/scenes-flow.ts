import { noiseField, type Random } from '../random.ts';
import { curve, HEIGHT, polyline, times, WIDTH, type Canvas, type Point } from './canvas.ts';
import { blend, mix, type Palette } from './palettes.ts';

/** Things that stream: silk, water, wind. */

/** Silk ribbons that turn over on their way across the picture. */
export function ribbons(canvas: Canvas, palette: Palette, random: Random): void {
  canvas.paint(canvas.linear(`${mix(palette.dusk, palette.a, 0.25)} 0, ${palette.dusk} 0.45, ${palette.night} 1`));
  canvas.glow(random.range(150, 750), random.range(150, 420), 620, palette.a, 0.55);
  canvas.glow(random.range(150, 750), random.range(800, 1100), 520, palette.c, 0.4);
  const angle = random.pick([-62, -48, 40, 58]);
  const looks = [
    [palette.dusk, palette.a, palette.b],
    [palette.c, palette.b, palette.light],
    [palette.a, palette.c, palette.b],
  ];
  canvas.group({ transform: `rotate(${angle} ${WIDTH / 2} ${HEIGHT / 2})` }, () => {
    for (const [i, colors] of looks.entries()) drawRibbon(canvas, colors, palette, random, 300 + i * 300);
  });
}

function drawRibbon(canvas: Canvas, colors: string[], palette: Palette, random: Random, y: number): void {
  const bands = 34;
  const [swing, swingPhase] = [random.range(60, 130), random.range(0, 6)];
  const [breadth, turns, turnPhase] = [random.range(120, 190), random.range(2.6, 4.2), random.range(0, 6)];
  const strand = (t: number): Point[] =>
    times(64).map((k) => {
      const u = k / 63;
      const center = y + swing * Math.sin(u * 5.5 + swingPhase) + 30 * Math.sin(u * 11 + turnPhase);
      const half = breadth * Math.sin(u * turns + turnPhase) + 26 * Math.sin(u * 7 + swingPhase);
      return [-420 + u * 1740, center + (t - 0.5) * 2 * half + 22 * Math.sin(u * 6 + t * 2.4)] as const;
    });
  for (const band of times(bands)) {
    const t = band / bands;
    // Overlapping bands leave no hair lines between them.
    const outline = [...strand(t), ...strand(t + 1.6 / bands).toReversed()];
    const shine = Math.max(0, Math.sin(t * Math.PI * 2.5 + turnPhase)) ** 5 * 0.5;
    const shade = Math.max(0, Math.cos(t * Math.PI * 2.5 + turnPhase)) ** 3 * 0.35;
    canvas.polygon(outline, mix(mix(blend(colors, t), palette.light, shine), palette.night, shade));
  }
  canvas.line(polyline(strand(0)), palette.light, 2.5, { opacity: 0.6 });
}

/** A low sun or moon over rolling water. */
export function tide(canvas: Canvas, palette: Palette, random: Random): void {
  canvas.paint(canvas.linear(`${palette.night} 0, ${palette.dusk} 0.28, ${mix(palette.a, palette.c, 0.35)} 0.52`));
  stars(canvas, palette, random, 70, 420);
  const [x, y, r] = [random.range(280, 620), random.range(330, 400), random.range(150, 190)];
  canvas.glow(x, y, r * 3, palette.c, 0.75);
  canvas.circle(x, y, r, canvas.linear(`${palette.light} 0, ${palette.c} 1`));
  const layers = 10;
  for (const layer of times(layers)) {
    const depth = layer / (layers - 1);
    const base = 470 + depth ** 1.25 * 640;
    const [height, length, phase] = [14 + depth * 46, 150 + depth * 320, random.range(0, 6)];
    const crest = times(31).map((k) => {
      const px = -40 + k * 33;
      return [
        px,
        base + height * Math.sin(px / length + phase) + height * 0.45 * Math.sin((px / length) * 2.3 + phase),
      ] as const;
    });
    const top = blend([palette.b, palette.a, palette.dusk, palette.night], depth * 0.95);
    const fill = canvas.linear(`${mix(top, palette.light, 0.34)} 0, ${top} 0.14, ${mix(top, palette.night, 0.55)} 0.6`);
    canvas.path(`${curve(crest)}L940 1240L-40 1240Z`, fill);
    canvas.line(curve(crest), palette.light, 2 + depth * 2, { opacity: 0.45 - depth * 0.25 });
    shimmer(canvas, palette, random, x, base + height, depth);
  }
}

function shimmer(canvas: Canvas, palette: Palette, random: Random, x: number, y: number, depth: number): void {
  for (const _ of times(5)) {
    const half = random.range(12, 40 + depth * 90);
    const px = x + random.range(-1, 1) * (60 + depth * 160);
    const py = y + random.range(4, 26 + depth * 26);
    canvas.line(`M${px - half} ${py}h${2 * half}`, palette.light, 3 + depth * 2, { opacity: random.range(0.1, 0.4) });
  }
}

/** Hundreds of threads blown over the plane by one wind. */
export function wind(canvas: Canvas, palette: Palette, random: Random): void {
  canvas.paint(canvas.linear(`${mix(palette.night, palette.dusk, 0.6)} 0, ${palette.night} 1`, 70));
  canvas.glow(random.range(100, 800), random.range(200, 500), 640, palette.dusk, 0.9);
  canvas.glow(random.range(100, 800), random.range(700, 1100), 480, palette.a, 0.35);
  const noise = noiseField(random);
  const turn = random.range(0, 6);
  for (const thread of times(420)) {
    let [x, y] = [random.range(-80, WIDTH + 80), random.range(-80, HEIGHT + 80)];
    const tone = noise(x / 420 + 40, y / 420) * 1.5 - 0.25;
    const points: Point[] = [[x, y]];
    for (const _ of times(random.int(10, 26))) {
      const angle = noise(x / 380, y / 380) * 7.5 + turn;
      x += Math.cos(angle) * 15;
      y += Math.sin(angle) * 15;
      points.push([x, y]);
    }
    const color = thread % 9 === 0 ? palette.light : blend([palette.dusk, palette.a, palette.b, palette.c], tone);
    canvas.line(curve(points), color, random.range(3, 13), { opacity: random.range(0.6, 1) });
    if (thread % 6 === 0) canvas.circle(x, y, random.range(3, 8), palette.light, { opacity: 0.9 });
  }
}

/** Curtains of northern light over dark hills. */
export function aurora(canvas: Canvas, palette: Palette, random: Random): void {
  canvas.paint(canvas.linear(`${palette.night} 0, ${palette.dusk} 0.45, ${mix(palette.dusk, palette.b, 0.55)} 0.72`));
  stars(canvas, palette, random, 130, 800);
  for (const [i, color] of [palette.a, palette.b, palette.c].entries()) {
    const [phase, base] = [random.range(0, 6), 560 + i * 70];
    const fill = canvas.linear(
      `${color} 0 0, ${color} 0.7 0.4, ${mix(color, palette.light, 0.45)} 0.96 0.85, ${color} 1 0`,
    );
    for (const k of times(76)) {
      const x = -20 + k * 12.5;
      const foot = base + 90 * Math.sin(x / 150 + phase) + 40 * Math.sin(x / 61 + phase * 2);
      const height = 300 + 170 * Math.sin(x / 90 + phase * 3) + random.range(-40, 40);
      canvas.rect(x, foot - height, 13.5, height, fill);
    }
  }
  hills(canvas, palette, random, 800, 4);
}

export function stars(canvas: Canvas, palette: Palette, random: Random, count: number, below: number): void {
  for (const _ of times(count)) {
    const r = random.chance(0.08) ? random.range(3, 4.5) : random.range(0.8, 2.2);
    canvas.circle(random.range(0, WIDTH), random.range(0, below), r, palette.light, {
      opacity: random.range(0.3, 0.95),
    });
  }
}

/** Ridges one behind the other, the nearest darkest. */
export function hills(canvas: Canvas, palette: Palette, random: Random, top: number, count: number): void {
  const noise = noiseField(random);
  for (const layer of times(count)) {
    const depth = (layer + 1) / count;
    const base = top + (layer * (HEIGHT - top)) / (count + 0.6);
    const ridge = times(61).map((k) => {
      const x = k * 15;
      const rough =
        noise(x / 190 + layer * 9, layer) * 150 + noise(x / 60 + layer * 5, 7) * 44 + noise(x / 20, layer + 3) * 12;
      return [x, base + 110 - rough] as const;
    });
    const color = mix(mix(palette.dusk, palette.a, 0.4), palette.night, depth);
    canvas.path(
      `${polyline(ridge)}L900 1200L0 1200Z`,
      canvas.linear(`${color} 0, ${mix(color, palette.night, 0.5)} 1`),
    );
  }
}
