import sharp from 'sharp';
import type { RawPixels } from '../../images.ts';
import { randomFrom, type Random } from '../random.ts';
import { Canvas } from './canvas.ts';
import { drawBadge, type BadgeStyle, type EmblemName } from './emblems.ts';
import { sunburst } from './mascot-kit.ts';
import { cat, frog, goose, octopus } from './mascots-animals.ts';
import { potato, toast } from './mascots-food.ts';
import { PALETTES, type Palette, type PaletteName } from './palettes.ts';
import { aurora, ribbons, tide, wind } from './scenes-flow.ts';
import { relief } from './scenes-relief.ts';
import { chatter, council, rosette } from './scenes-round.ts';
import { dish, glass, horizon, orbits, valley } from './scenes-sky.ts';
import { city, cubes, gem, tiles } from './scenes-solid.ts';
import { drawSprite, type SpriteName } from './sprites.ts';

const SCENES = {
  aurora,
  ribbons,
  tide,
  wind,
  relief,
  chatter,
  council,
  rosette,
  dish,
  glass,
  horizon,
  orbits,
  valley,
  city,
  cubes,
  gem,
  tiles,
  sunburst,
} satisfies Record<string, (canvas: Canvas, palette: Palette, random: Random) => void>;

const MASCOTS = { frog, toast, goose, cat, potato, octopus } satisfies Record<
  string,
  (canvas: Canvas, palette: Palette) => void
>;

/** What a project's picture shows: a scene in its colours, and before it one hero (a gem is its own). */
export interface Picture {
  scene: keyof typeof SCENES;
  palette: PaletteName;
  emblem?: EmblemName;
  badge?: BadgeStyle;
  sprite?: SpriteName;
  mascot?: keyof typeof MASCOTS;
}

/** The picture as SVG; the same name and picture give the same drawing. */
export function drawPicture(name: string, picture: Picture): string {
  const canvas = new Canvas();
  const palette = PALETTES[picture.palette];
  SCENES[picture.scene](canvas, palette, randomFrom(`picture of ${name}`));
  if (picture.emblem !== undefined)
    drawBadge(canvas, palette, picture.emblem, picture.badge ?? 'glass', [450, 560], 168);
  if (picture.sprite !== undefined) drawSprite(canvas, palette, picture.sprite, 440, 590, 38);
  if (picture.mascot !== undefined) MASCOTS[picture.mascot](canvas, palette);
  // Darker towards the edges: the eye stays in the middle.
  const shade = picture.mascot === undefined ? 0.42 : 0.18;
  canvas.paint(
    canvas.radial(`${palette.night} 0 0, ${palette.night} 0.62 0, ${palette.night} 1 ${shade}`, 0.5, 0.46, 0.8),
  );
  return canvas.toSvg();
}

/** SVG of ours as pixels. */
export async function renderSvg(svg: string): Promise<RawPixels> {
  const { data, info } = await sharp(Buffer.from(svg))
    .flatten()
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: 3 };
}
