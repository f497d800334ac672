import { randomFrom, type Random } from '../random.ts';
import { Canvas, ring, times } from './canvas.ts';
import { mix, PALETTES, type Palette } from './palettes.ts';

const SIZE = 400;

/** A square picture for a person, as SVG: a pattern, a face or a small world; the same name, the same picture. */
export function drawAvatar(name: string): string {
  const random = randomFrom(`avatar of ${name}`);
  const canvas = new Canvas(SIZE, SIZE);
  const palette = random.pick(Object.values(PALETTES));
  random.pick([face, pattern, face, world])(canvas, palette, random);
  return canvas.toSvg();
}

function pattern(canvas: Canvas, palette: Palette, random: Random): void {
  canvas.paint(canvas.linear(`${mix(palette.dusk, palette.a, 0.25)} 0, ${palette.night} 1`, random.int(20, 120)));
  const colors = [palette.a, palette.b, palette.c, palette.light];
  for (const row of times(5)) {
    for (const column of times(3)) {
      if (random.chance(0.22)) continue;
      const [color, kind] = [random.pick(colors), random.int(0, 3)];
      for (const mirrored of column === 2 ? [1] : [1, -1]) {
        const transform = `translate(${200 - mirrored * (2 - column) * 72} ${56 + row * 72}) scale(${mirrored} 1)`;
        canvas.group({ transform }, () => {
          if (kind === 0) canvas.circle(0, 0, 34, color);
          if (kind === 1) canvas.rect(-34, -34, 68, 68, color, { rx: 14 });
          if (kind === 2) canvas.path('M-34-34H34A68 68 0 0 1-34 34Z', color);
          if (kind === 3) canvas.path('M-34 34A68 68 0 0 1 34-34A68 68 0 0 1-34 34Z', color);
        });
      }
    }
  }
}

function face(canvas: Canvas, palette: Palette, random: Random): void {
  canvas.paint(canvas.linear(`${palette.a} 0, ${palette.dusk} 1`, random.int(30, 150)));
  const skin = random.pick([palette.b, palette.c, palette.light]);
  canvas.group({ transform: `rotate(${random.int(-14, 14)} 200 220)` }, () => {
    if (random.chance(0.5)) for (const x of [95, 305]) canvas.circle(x, 120, 52, mix(skin, palette.night, 0.25));
    else canvas.path('M80 190L95 40L190 110ZM320 190L305 40L210 110Z', mix(skin, palette.night, 0.25));
    canvas.rect(60, 85, 280, 360, canvas.linear(`${mix(skin, '#ffffff', 0.35)} 0, ${skin} 1`), { rx: 135 });
    const [spread, r, ink] = [random.range(48, 68), random.range(14, 24), mix(palette.night, '#000000', 0.3)];
    for (const side of [-1, 1]) {
      canvas.circle(200 + side * spread, 205, r, ink);
      canvas.circle(200 + side * spread + 5, 205 - r * 0.35, r * 0.3, '#ffffff');
      canvas.ellipse(200 + side * (spread + 26), 256, 24, 15, palette.c, { opacity: 0.55 });
    }
    const smile = random.range(10, 44);
    canvas.line(`M160 262Q200 ${262 + smile} 240 262`, ink, 12);
    if (random.chance(0.35)) canvas.line('M75 200H325', ink, 10);
    if (random.chance(0.35))
      for (const side of [-1, 1])
        canvas.circle(200 + side * spread, 205, 44, 'none', { stroke: ink, 'stroke-width': 10 });
  });
}

function world(canvas: Canvas, palette: Palette, random: Random): void {
  canvas.paint(canvas.linear(`${palette.dusk} 0, ${palette.night} 1`, 60));
  for (const [x, y] of ring(26, 200, 200, 190)) {
    canvas.circle(x + random.range(-90, 90), y + random.range(-90, 90), random.range(1.5, 4.5), palette.light, {
      opacity: 0.8,
    });
  }
  canvas.glow(200, 200, 200, palette.a, 0.8);
  canvas.circle(200, 200, 112, canvas.linear(`${palette.b} 0, ${palette.a} 0.5, ${palette.c} 1`, random.int(0, 180)));
  for (const i of times(4)) {
    const half = 108 - i * 14;
    canvas.ellipse(200, 140 + i * 42, half, random.range(4, 12), i % 2 === 0 ? palette.light : palette.night, {
      opacity: 0.25,
    });
  }
  const shade = canvas.radial(`#ffffff 0 0.5, #ffffff 0.45 0, ${palette.night} 1 0.75`, 0.32, 0.28, 0.8);
  canvas.circle(200, 200, 112, shade);
  canvas.line('M30 235C60 290 300 240 368 160', palette.light, 12, {
    transform: `rotate(${random.int(-20, 30)} 200 200)`,
    opacity: 0.9,
  });
}
