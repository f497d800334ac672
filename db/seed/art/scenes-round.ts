import type { Random } from '../random.ts';
import { HEIGHT, ring, times, WIDTH, type Canvas, type Point } from './canvas.ts';
import { blend, mix, type Palette } from './palettes.ts';

/** Things people do together: circles of petals, a council, many voices. */

/** A rose window of turned petals. */
export function rosette(canvas: Canvas, palette: Palette, random: Random): void {
  canvas.paint(
    canvas.radial(`${mix(palette.dusk, palette.a, 0.5)} 0, ${palette.dusk} 0.55, ${palette.night} 1`, 0.5, 0.46, 0.75),
  );
  for (const [x, y] of ring(60, 450, 560, 1000)) canvas.line(`M450 560L${x} ${y}`, palette.b, 3, { opacity: 0.12 });
  const folds = random.pick([12, 14, 16]);
  const colors = [palette.c, palette.a, palette.b, palette.light];
  for (const layer of times(6)) {
    const [reach, breadth] = [560 - layer * 78, 74 - layer * 8];
    const color = blend(colors, layer / 5.5);
    const fill = canvas.linear(`${color} 0 0.95, ${mix(color, palette.night, 0.35)} 0.6 0.9, ${palette.night} 1 0.9`);
    for (const i of times(folds)) {
      const angle = ((i + (layer % 2) / 2) * 360) / folds;
      canvas.group({ transform: `translate(450 560) rotate(${angle})` }, () => {
        canvas.path(petal(reach, breadth), fill, { stroke: mix(color, palette.light, 0.5), 'stroke-width': 2.5 });
        canvas.circle(0, -reach * 0.8, 6 + layer, palette.light, { opacity: 0.85 });
      });
    }
  }
}

function petal(reach: number, breadth: number): string {
  return `M0 0C${-breadth * 1.4} ${-reach * 0.4} ${-breadth} ${-reach * 0.8} 0 ${-reach}C${breadth} ${-reach * 0.8} ${breadth * 1.4} ${-reach * 0.4} 0 0Z`;
}

/** Seats around a table, joined by every opinion that crossed it. */
export function council(canvas: Canvas, palette: Palette, random: Random): void {
  canvas.paint(canvas.linear(`${palette.night} 0, ${palette.dusk} 0.6, ${palette.night} 1`, 75));
  canvas.glow(450, 570, 720, palette.a, 0.9);
  for (const i of times(7))
    canvas.circle(450, 570, 440 + i * 62, 'none', { stroke: palette.b, 'stroke-width': 2, opacity: 0.34 - i * 0.04 });
  const seats = ring(24, 450, 570, 356);
  const colors = [palette.a, palette.b, palette.c, palette.light];
  for (const _ of times(88)) {
    const [from, to] = [random.pick(seats), random.pick(seats)];
    const bend = [450 * 0.55 + (from[0] + to[0]) * 0.225, 570 * 0.55 + (from[1] + to[1]) * 0.225];
    const d = `M${from[0]} ${from[1]}Q${bend[0]} ${bend[1]} ${to[0]} ${to[1]}`;
    canvas.line(d, random.pick(colors), random.range(3, 13), { opacity: random.range(0.5, 0.9) });
  }
  for (const [i, [x, y]] of seats.entries()) {
    const color = colors[i % 3] ?? palette.a;
    canvas.circle(x, y, 36, palette.night);
    canvas.circle(x, y, 31, canvas.linear(`${mix(color, palette.light, 0.45)} 0, ${color} 1`));
    canvas.circle(x, y - 7, 9, palette.night);
    canvas.path(`M${x - 17} ${y + 19}a17 17 0 0 1 34 0Z`, palette.night);
  }
}

/** Many voices: bubbles of all sizes, each saying something else. */
export function chatter(canvas: Canvas, palette: Palette, random: Random): void {
  canvas.paint(canvas.linear(`${palette.dusk} 0, ${palette.night} 1`, 70));
  canvas.glow(200, 250, 560, palette.a, 0.7);
  canvas.glow(760, 980, 560, palette.b, 0.5);
  const colors = [palette.a, palette.b, palette.c, palette.light];
  const placed: [number, number, number][] = [[450, 560, 205]];
  for (const _ of times(1500)) {
    const r = placed.length < 9 ? random.range(88, 150) : random.range(26, 84);
    const [x, y] = [random.range(-20, WIDTH + 20), random.range(0, HEIGHT)];
    if (placed.every(([px, py, pr]) => Math.hypot(px - x, py - y) > (pr + r) * 1.06)) placed.push([x, y, r]);
  }
  for (const [i, [x, y, r]] of placed.slice(1).entries())
    speech(canvas, palette, random, [x, y], r, colors[i % 4] ?? palette.a);
}

function speech(canvas: Canvas, palette: Palette, random: Random, [x, y]: Point, r: number, color: string): void {
  const side = x < WIDTH / 2 ? 1 : -1;
  canvas.group({ transform: `translate(${x} ${y}) scale(${side} 1)` }, () => {
    const shape = `M${r} 0A${r} ${r * 0.86} 0 1 0 ${r * 0.55} ${r * 0.72}L${r * 0.98} ${r}L${r * 0.85} ${r * 0.45}A${r} ${r} 0 0 0 ${r} 0Z`;
    canvas.group({ transform: `translate(0 ${r * 0.1})`, opacity: '0.35' }, () => canvas.path(shape, palette.night));
    canvas.path(shape, canvas.linear(`${mix(color, '#ffffff', 0.3)} 0, ${mix(color, palette.dusk, 0.12)} 1`));
  });
  const ink = mix(palette.night, palette.dusk, 0.4);
  const kind = random.int(0, 4);
  if (kind === 0) for (const dx of [-0.42, 0, 0.42]) canvas.circle(x + dx * r, y, r * 0.13, ink);
  if (kind === 1) canvas.path(heart(x, y, r * 0.5), ink);
  if (kind === 2)
    canvas.line(
      `M${x - r * 0.5} ${y}q${r * 0.17} ${-r * 0.4} ${r * 0.34} 0t${r * 0.33} 0t${r * 0.33} 0`,
      ink,
      r * 0.13,
    );
  if (kind === 3)
    for (const row of [-0.26, 0, 0.26])
      canvas.line(`M${x - r * 0.48} ${y + row * r}h${r * (row > 0.1 ? 0.55 : 0.96)}`, ink, r * 0.11);
  if (kind !== 4) return;
  for (const dx of [-0.28, 0.28]) canvas.circle(x + dx * r, y - r * 0.2, r * 0.1, ink);
  canvas.line(
    `M${x - r * 0.4} ${y + r * 0.12}A${r * 0.44} ${r * 0.44} 0 0 0 ${x + r * 0.4} ${y + r * 0.12}`,
    ink,
    r * 0.11,
  );
}

/** A heart around a point; `s` is half its width. */
export function heart(x: number, y: number, s: number): string {
  return `M${x} ${y + s}C${x - s * 1.5} ${y + s * 0.1} ${x - s} ${y - s} ${x} ${y - s * 0.35}C${x + s} ${y - s} ${x + s * 1.5} ${y + s * 0.1} ${x} ${y + s}Z`;
}
