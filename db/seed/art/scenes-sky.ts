import { noiseField, type Random } from '../random.ts';
import { HEIGHT, ring, times, WIDTH, type Canvas, type Point } from './canvas.ts';
import { blend, mix, type Palette } from './palettes.ts';
import { hills, stars } from './scenes-flow.ts';

/** Things far away: planets, neon horizons, soft clouds of colour. */

/** Small worlds on their orbits around the middle, and a large one close by. */
export function orbits(canvas: Canvas, palette: Palette, random: Random): void {
  canvas.paint(canvas.linear(`${palette.night} 0, ${palette.dusk} 0.55, ${palette.night} 1`, 65));
  const side = random.pick([-1, 1]);
  canvas.glow(450 - side * 260, 240, 560, palette.c, 0.55);
  canvas.glow(450 + side * 300, 900, 640, palette.a, 0.6);
  stars(canvas, palette, random, 190, HEIGHT);
  canvas.group({ transform: `translate(450 560) rotate(${side * -18})` }, () => {
    for (const i of times(6)) {
      const [rx, ry] = [250 + i * 72, 215 + i * 58];
      const color = blend([palette.b, palette.a, palette.c], i / 5);
      const dashes = i % 2 === 0 ? '1 0' : '2 15';
      canvas.ellipse(0, 0, rx, ry, 'none', {
        stroke: color,
        'stroke-width': 4,
        'stroke-dasharray': dashes,
        'stroke-linecap': 'round',
      });
      const angle = random.range(0, 2 * Math.PI);
      canvas.circle(Math.cos(angle) * rx, Math.sin(angle) * ry, 8, palette.light);
      const place = angle + random.range(1.5, 4);
      drawPlanet(canvas, palette, random, [Math.cos(place) * rx, Math.sin(place) * ry], random.range(22, 58));
    }
  });
  giant(canvas, palette, random, [450 + side * 290, 1010]);
}

function giant(canvas: Canvas, palette: Palette, random: Random, [x, y]: Point): void {
  const hoop = { transform: `rotate(-20 ${x} ${y})` };
  for (const half of [0, 1]) {
    for (const [r, width, color] of [
      [430, 34, palette.b],
      [480, 12, palette.c],
      [510, 5, palette.light],
    ] as const) {
      canvas.line(`M${x - r} ${y}A${r} ${r * 0.24} 0 0 ${1 - half} ${x + r} ${y}`, color, width, {
        ...hoop,
        opacity: 0.75,
      });
    }
    if (half === 0) drawPlanet(canvas, palette, random, [x, y], 265);
  }
}

function drawPlanet(canvas: Canvas, palette: Palette, random: Random, [x, y]: Point, r: number): void {
  const [bright, deep] = random.pick([
    [palette.b, palette.a],
    [palette.c, palette.a],
    [palette.light, palette.b],
  ] as const);
  canvas.glow(x, y, r * 1.55, bright, 0.5);
  canvas.circle(x, y, r, canvas.linear(`${bright} 0, ${deep} 0.55, ${palette.dusk} 1`, 50));
  if (r > 100) {
    for (const band of times(6)) {
      const by = y - r * 0.72 + band * r * 0.27;
      const half = Math.sqrt(Math.max(0, r * r - (by - y) ** 2)) * 0.96;
      canvas.ellipse(x, by, half, r * random.range(0.03, 0.075), band % 2 === 0 ? palette.light : palette.dusk, {
        opacity: 0.22,
      });
    }
  }
  canvas.circle(
    x,
    y,
    r,
    canvas.radial(`#ffffff 0 0.55, #ffffff 0.4 0, ${palette.night} 0.68 0.1, ${palette.night} 1 0.82`, 0.32, 0.28, 0.8),
  );
}

/** A striped sun over a neon grid. */
export function horizon(canvas: Canvas, palette: Palette, random: Random): void {
  canvas.paint(canvas.linear(`${palette.night} 0, ${palette.dusk} 0.4, ${palette.a} 0.66`));
  stars(canvas, palette, random, 140, 620);
  canvas.glow(450, 560, 620, palette.a, 0.9);
  canvas.circle(450, 520, 330, canvas.linear(`${palette.b} 0, ${mix(palette.b, palette.a, 0.5)} 0.5, ${palette.a} 1`));
  const sky = mix(palette.dusk, palette.a, 0.75);
  for (const i of times(6)) canvas.rect(100, 600 + i * 38, 700, 6 + i * 4.2, sky, { opacity: 0.85 });
  const noise = noiseField(random);
  const peaks: Point[] = times(19).map((k) => [
    k * 50,
    770 - noise(k * 0.9, 1) * 150 * Math.min(1, Math.abs(k - 9) / 5),
  ]);
  canvas.polygon(
    [...peaks, [WIDTH, 800], [0, 800]],
    canvas.linear(`${mix(palette.dusk, palette.night, 0.3)} 0, ${palette.night} 1`),
  );
  canvas.rect(
    0,
    780,
    WIDTH,
    420,
    canvas.linear(
      `${mix(palette.night, palette.a, 0.35)} 0, ${palette.night} 0.5, ${mix(palette.night, palette.dusk, 0.5)} 1`,
    ),
  );
  for (const i of times(31)) {
    const spread = i - 15;
    canvas.line(`M${450 + spread * 34} 780L${450 + spread * 190} 1200`, palette.c, 3, { opacity: 0.7 });
  }
  for (const i of times(12))
    canvas.line(`M0 ${780 + 3.2 * i ** 2 + 5 * i}H900`, palette.c, 2 + i * 0.35, { opacity: 0.75 });
  canvas.rect(0, 776, WIDTH, 7, palette.light, { opacity: 0.8 });
}

/** Soft clouds of colour behind panes of glass. */
export function glass(canvas: Canvas, palette: Palette, random: Random): void {
  canvas.paint(canvas.linear(`${palette.dusk} 0, ${palette.a} 1`, 60));
  const spots = random.shuffle([palette.b, palette.c, palette.a, palette.light, palette.c, palette.dusk, palette.b]);
  for (const [i, color] of spots.entries()) {
    const [x, y] = [random.range(0, WIDTH), (i + 0.5) * (HEIGHT / spots.length)];
    canvas.glow(x, y, random.range(340, 560), color, 0.95);
  }
  for (const i of times(5)) {
    const angle = -26 + i * 13 + random.range(-4, 4);
    canvas.group({ transform: `translate(450 980) rotate(${angle}) translate(0 -420)` }, () => {
      const box = { rx: 46, stroke: '#ffffff', 'stroke-opacity': 0.7, 'stroke-width': 2.5 };
      canvas.rect(
        -190,
        -260,
        380,
        520,
        canvas.linear(`#ffffff 0 0.62, #ffffff 0.5 0.1, ${palette.night} 1 0.34`, 70),
        box,
      );
    });
  }
  for (const _ of times(26)) {
    const [x, y, r] = [random.range(0, WIDTH), random.range(0, HEIGHT), random.range(6, 34)];
    canvas.circle(x, y, r, canvas.radial('#ffffff 0 0.75, #ffffff 0.6 0.12, #ffffff 1 0.4', 0.35, 0.3, 0.75));
  }
}

/** Evening hills under a big sun, with birds. */
export function valley(canvas: Canvas, palette: Palette, random: Random): void {
  canvas.paint(canvas.linear(`${palette.dusk} 0, ${palette.a} 0.3, ${palette.b} 0.62`));
  stars(canvas, palette, random, 50, 260);
  const x = random.range(300, 600);
  for (const [i, r] of [520, 400, 290].entries()) canvas.circle(x, 520, r, palette.light, { opacity: 0.07 + i * 0.04 });
  canvas.circle(x, 520, 190, canvas.linear(`${palette.light} 0, ${palette.b} 1`));
  for (const _ of times(7)) {
    const [cx, cy, half] = [random.range(0, 900), random.range(180, 620), random.range(70, 210)];
    canvas.rect(cx - half, cy, 2 * half, 20, palette.light, { rx: 10, opacity: 0.28 });
    canvas.rect(cx - half * 0.4, cy - 20, half, 20, palette.light, { rx: 10, opacity: 0.2 });
  }
  for (const _ of times(9)) {
    const [bx, by, s] = [random.range(100, 800), random.range(150, 480), random.range(9, 20)];
    canvas.line(`M${bx - s} ${by}q${s / 2} ${-s * 0.7} ${s} 0q${s / 2} ${-s * 0.7} ${s} 0`, palette.night, 4, {
      opacity: 0.7,
    });
  }
  hills(canvas, palette, random, 640, 5);
}

/** Culture in a dish: cells that grow around each other. */
export function dish(canvas: Canvas, palette: Palette, random: Random): void {
  canvas.paint(canvas.linear(`${palette.dusk} 0, ${palette.night} 1`, 65));
  canvas.glow(200, 250, 620, palette.a, 0.75);
  canvas.glow(740, 960, 560, palette.c, 0.6);
  canvas.circle(450, 570, 424, palette.night, {
    opacity: 0.55,
    stroke: palette.light,
    'stroke-opacity': 0.5,
    'stroke-width': 6,
  });
  canvas.circle(450, 570, 400, 'none', { stroke: palette.light, 'stroke-opacity': 0.25, 'stroke-width': 3 });
  const placed: [number, number, number][] = [[450, 570, 165]];
  for (const _ of times(2600)) {
    const r = placed.length < 14 ? random.range(44, 84) : random.range(9, 38);
    const [x, y] = [random.range(60, 840), random.range(180, 960)];
    if (Math.hypot(x - 450, y - 570) + r > 388) continue;
    if (placed.every(([px, py, pr]) => Math.hypot(px - x, py - y) > pr + r + 5)) placed.push([x, y, r]);
  }
  for (const [x, y, r] of placed.slice(1)) {
    const color = random.pick([palette.a, palette.b, palette.c, palette.c]);
    canvas.circle(
      x,
      y,
      r,
      canvas.radial(
        `${mix(color, palette.light, 0.5)} 0, ${color} 0.6, ${mix(color, palette.dusk, 0.45)} 1`,
        0.4,
        0.38,
        0.66,
      ),
    );
    for (const [dx, dy] of ring(random.int(1, 4), 0, 0, r * 0.4)) {
      canvas.circle(x + dx, y + dy, r * random.range(0.1, 0.22), palette.night, { opacity: 0.6 });
    }
  }
  canvas.line('M142 400A350 350 0 0 1 420 192', '#ffffff', 16, { opacity: 0.3 });
}
