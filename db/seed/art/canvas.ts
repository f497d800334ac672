/** A picture under way: SVG elements in drawing order, and the gradients that they use. */

/** Size of a project's picture, 3:4. */
export const WIDTH = 900;
export const HEIGHT = 1200;

export type Point = readonly [x: number, y: number];
const round = (value: number): number => Math.round(value * 10) / 10;
const roundMore = (value: number): number => Math.round(value * 1000) / 1000;

/** SVG attributes of an element; numbers are rounded to a tenth of a pixel. */
export type Attributes = Record<string, string | number>;

export class Canvas {
  readonly width: number;
  readonly height: number;
  #gradients: string[] = [];
  #body: string[] = [];

  constructor(width: number = WIDTH, height: number = HEIGHT) {
    this.width = width;
    this.height = height;
  }

  /** `opacity` is meant for an element with a fill or a stroke, not for both where they overlap. */
  add(element: string, { opacity, ...attributes }: Attributes): void {
    // Fading fill and stroke each by itself needs no layer of its own, which would cost ten times as much.
    const faded = opacity === undefined ? {} : { 'fill-opacity': opacity, 'stroke-opacity': opacity };
    const text = Object.entries({ ...attributes, ...faded }).map(
      ([key, value]) =>
        ` ${key}="${typeof value === 'number' ? (key.endsWith('opacity') ? roundMore(value) : round(value)) : value}"`,
    );
    this.#body.push(`<${element}${text.join('')}/>`);
  }

  /** Everything that `draw` adds, moved, turned or faded together. */
  group(attributes: Record<string, string>, draw: () => void): void {
    const text = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
    this.#body.push(`<g${text.join('')}>`);
    draw();
    this.#body.push('</g>');
  }

  rect(x: number, y: number, width: number, height: number, fill: string, more: Attributes = {}): void {
    this.add('rect', { x, y, width, height, fill, ...more });
  }

  circle(cx: number, cy: number, r: number, fill: string, more: Attributes = {}): void {
    this.add('circle', { cx, cy, r, fill, ...more });
  }

  ellipse(cx: number, cy: number, rx: number, ry: number, fill: string, more: Attributes = {}): void {
    this.add('ellipse', { cx, cy, rx, ry, fill, ...more });
  }

  path(d: string, fill: string, more: Attributes = {}): void {
    this.add('path', { d, fill, ...more });
  }

  line(d: string, stroke: string, strokeWidth: number, more: Attributes = {}): void {
    this.add('path', {
      d,
      fill: 'none',
      stroke,
      'stroke-width': strokeWidth,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
      ...more,
    });
  }

  polygon(points: readonly Point[], fill: string, more: Attributes = {}): void {
    this.path(`${polyline(points)}Z`, fill, more);
  }

  /**
   * Fill for an element: from its top to its bottom, or along `angle` degrees (0 = from left to right).
   * Stops are 'colour offset opacity, …': '#123456 0, #ffffff 1 0.5'; opacity is 1 when left out.
   */
  linear(stops: string, angle = 90): string {
    return this.#gradient('linearGradient', ` gradientTransform="rotate(${angle} .5 .5)"`, stops);
  }

  /** Fill for an element: from a point inside it (0..1) outwards. */
  radial(stops: string, cx = 0.5, cy = 0.5, r = 0.5): string {
    return this.#gradient('radialGradient', ` cx="${cx}" cy="${cy}" r="${r}"`, stops);
  }

  /** Soft light around a point; a gradient, because blurring is slow. */
  glow(cx: number, cy: number, r: number, color: string, opacity = 1): void {
    const fill = this.radial(
      `${color} 0 ${opacity}, ${color} 0.35 ${opacity * 0.55}, ${color} 0.7 ${opacity * 0.14}, ${color} 1 0`,
    );
    this.circle(cx, cy, r, fill);
  }

  /** Covers everything with a fill. */
  paint(fill: string): void {
    this.rect(0, 0, this.width, this.height, fill);
  }

  toSvg(): string {
    const size = `width="${this.width}" height="${this.height}" viewBox="0 0 ${this.width} ${this.height}"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><defs>${this.#gradients.join('')}</defs>${this.#body.join('')}</svg>`;
  }

  #gradient(kind: string, attributes: string, stops: string): string {
    const id = `g${this.#gradients.length}`;
    const inner = stops.split(', ').map((stop) => {
      const [color = '', offset = '0', opacity = '1'] = stop.split(' ');
      return `<stop offset="${offset}" stop-color="${color}" stop-opacity="${opacity}"/>`;
    });
    this.#gradients.push(`<${kind} id="${id}"${attributes}>${inner.join('')}</${kind}>`);
    return `url(#${id})`;
  }
}

/** Path data of straight lines through points, open. */
export function polyline(points: readonly Point[]): string {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
}

/** Path data of a smooth curve through points (Catmull-Rom as Béziers), open. */
export function curve(points: readonly Point[]): string {
  const at = (index: number): Point => points[Math.max(0, Math.min(points.length - 1, index))] ?? [0, 0];
  let d = polyline([at(0)]);
  for (let i = 0; i < points.length - 1; i++) {
    const [before, from, to, after] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    const handles = [
      from[0] + (to[0] - before[0]) / 6,
      from[1] + (to[1] - before[1]) / 6,
      to[0] - (after[0] - from[0]) / 6,
      to[1] - (after[1] - from[1]) / 6,
      ...to,
    ];
    d += `C${handles.map(round).join(' ')}`;
  }
  return d;
}

/** Points on a circle, the first one straight up. */
export function ring(count: number, cx: number, cy: number, r: number, turn = 0): Point[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = ((i + turn) / count) * 2 * Math.PI - Math.PI / 2;
    return [cx + r * Math.cos(angle), cy + r * Math.sin(angle)] as const;
  });
}

/** Whole numbers from 0 to count - 1. */
export function times(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
