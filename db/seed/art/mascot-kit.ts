import type { Random } from '../random.ts';
import { HEIGHT, ring, times, WIDTH, type Attributes, type Canvas } from './canvas.ts';
import { mix, type Palette } from './palettes.ts';

/** What the mascots of meme coins have in common: they are drawn like stickers, before a sunburst. */

export const INK = '#1c1230';
export const OUTLINE: Attributes = {
  stroke: INK,
  'stroke-width': 14,
  'stroke-linejoin': 'round',
  'stroke-linecap': 'round',
};

/** Rays, dots and confetti behind a mascot. */
export function sunburst(canvas: Canvas, palette: Palette, random: Random): void {
  canvas.paint(canvas.radial(`${palette.b} 0, ${palette.a} 0.55, ${palette.dusk} 1`, 0.5, 0.52, 0.75));
  const edge = ring(36, 450, 640, 1100, random.next());
  for (const i of times(18)) {
    canvas.polygon([[450, 640], edge[i * 2] ?? [0, 0], edge[i * 2 + 1] ?? [0, 0]], palette.light, { opacity: 0.32 });
  }
  for (const row of times(17)) {
    for (const column of times(17)) {
      const r = 19 - row * 1.15;
      canvas.circle(column * 56 + (row % 2) * 28, row * 27, r, palette.dusk, { opacity: 0.5 - row * 0.025 });
    }
  }
  canvas.glow(450, 650, 470, palette.light, 0.85);
  for (const _ of times(38)) {
    const [x, y] = [random.range(20, WIDTH - 20), random.range(20, HEIGHT - 20)];
    const turn = `rotate(${random.int(0, 180)} ${Math.round(x)} ${Math.round(y)})`;
    const color = random.pick([palette.c, palette.light, palette.dusk, mix(palette.c, palette.night, 0.3)]);
    if (random.chance(0.4)) canvas.circle(x, y, random.range(6, 13), color);
    else canvas.rect(x, y, random.range(18, 34), 12, color, { rx: 5, transform: turn });
  }
}

/** A round eye; it looks aside by parts of its radius. */
export function eye(canvas: Canvas, x: number, y: number, r: number, lookX = 0.2, lookY = 0.1): void {
  canvas.circle(x, y, r, '#ffffff', OUTLINE);
  canvas.circle(x + r * lookX, y + r * lookY, r * 0.56, INK);
  canvas.circle(x + r * (lookX - 0.2), y + r * (lookY - 0.24), r * 0.2, '#ffffff');
}

export function coin(canvas: Canvas, x: number, y: number, r: number): void {
  canvas.circle(x, y, r, canvas.linear('#fff3a8 0, #ffc928 0.5, #f08c00 1', 60), OUTLINE);
  canvas.circle(x, y, r * 0.68, 'none', { stroke: '#b86e00', 'stroke-width': r * 0.1 });
  canvas.path(`M${x} ${y - r * 0.48}L${x + r * 0.36} ${y}L${x} ${y + r * 0.48}L${x - r * 0.36} ${y}Z`, '#fffbe0');
}

/** Circles of one look, each as 'x y radius'. */
export function spots(canvas: Canvas, fill: string, circles: string, more: Attributes = {}): void {
  for (const circle of circles.split(', ')) {
    const [x = 0, y = 0, r = 0] = circle.split(' ').map(Number);
    canvas.circle(x, y, r, fill, more);
  }
}
