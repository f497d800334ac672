/** Colours of one project: two for the ground, dark first, three that shine, and a near white. */
export interface Palette {
  night: string;
  dusk: string;
  a: string;
  b: string;
  c: string;
  light: string;
}

function palette(colors: string): Palette {
  const [night = '', dusk = '', a = '', b = '', c = '', light = ''] = colors.split(' ').map((color) => `#${color}`);
  return { night, dusk, a, b, c, light };
}

export const PALETTES = {
  lagoon: palette('03203a 0b5a78 12b5c9 5ef2d0 ff8f6b eafff9'),
  ember: palette('1f0a24 6b1648 ff5d3b ffb03a ff2e7e fff1d6'),
  harbor: palette('0a1033 1f3a93 3f8efc 7de2fc ffcb57 f2f8ff'),
  quill: palette('150a3a 3d1d8f 8a5bff ff7bd5 57e3ff f7efff'),
  saltwind: palette('07213f 1b56b8 47b5ff c9f2ff ff6b6b ffffff'),
  copper: palette('26120a 7a3215 e07a3f ffc27a 4fd1c5 fff3e2'),
  orchard: palette('0a2a20 11735a 49d17d d6f26b ff7aa8 fbffe9'),
  fox: palette('2b0f2e 8f2d56 ff7a3d ffd166 2ec4b6 fff7ea'),
  amethyst: palette('12062b 461a8a a44dff ff6ad5 5ce1ff fdf0ff'),
  tessera: palette('14213d e63946 f4a261 2a9d8f e9c46a fdf6e3'),
  midnight: palette('040817 17285f 4f6bff 8ef0d0 ff9ecf f0f6ff'),
  synth: palette('12022f 5a0f7a ff2fa0 ffb347 21e6ff fff0fb'),
  slime: palette('06231f 0c6b52 3ff08a c8ff4d ff5fa2 f2fff0'),
  nova: palette('050b2c 2b1a80 3d7bff 22e0ff ffd84d eef6ff'),
  moss: palette('0a1f1c 1f5c4a 7cc36a f4d35e f95738 fbfbe6'),
  gravel: palette('1c0b1a 7b1e3b ff4b3e ffb20f ffe548 fff8e0'),
  lime: palette('14532d 4ade80 bef264 fde047 fb7185 f7fee7'),
  peach: palette('7c2d12 fb923c fdba74 fde68a f472b6 fff7ed'),
  sky: palette('0c4a6e 38bdf8 7dd3fc bae6fd fbbf24 f0f9ff'),
  lilac: palette('3b0764 a78bfa c4b5fd f0abfc fde047 faf5ff'),
  mustard: palette('713f12 facc15 fde047 fef08a ef4444 fefce8'),
  bubblegum: palette('500724 f472b6 f9a8d4 fbcfe8 22d3ee fff1f7'),
  steel: palette('0a1430 1f4d8f 3fa7ff 9ff5e6 ff9f4a f2fbff'),
  beacon: palette('0d0a2c 33227a f25c9a ffc857 58d5ff fff8ec'),
  loom: palette('101a2e 234b6e 2fb7a3 f2d15c f26d5b fbfaf0'),
  oak: palette('1a1710 4d5a24 a3b83a f0c24b e2703a fbf7e4'),
  well: palette('06213a 0f5f8a 24c4cf ffc23d ff6b6b f3fbfb'),
  reef: palette('04253f 0b6e8a 22c1b5 ffd6a5 ff6f61 fff6ee'),
  murmur: palette('1b0b3f 5226b8 9b6bff ff8fb8 5df0e0 fdf4ff'),
  carrier: palette('0b2349 1d5fc2 56a8ff ffd35c ff7f6e f4faff'),
  campfire: palette('120b26 43245e ff7a45 ffc15a ff4f79 fff2dd'),
  atlas: palette('1d2b3a 3e6a70 6fb39a f2dfa6 e2734b fdf8e9'),
  solar: palette('2a0f3c b5305e ff6f4f ffb84a ffe27a fffbe6'),
  petri: palette('130a3a 3a2fa8 35e0c8 ffe14d ff5f9e f6fffb'),
} as const;

export type PaletteName = keyof typeof PALETTES;

function channels(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}

/** The colour at `t` (0..1) on the way from one #rrggbb to another. */
export function mix(from: string, to: string, t: number): string {
  const share = Math.max(0, Math.min(1, t));
  const end = channels(to);
  const mixed = channels(from).map((value, i) => Math.round(value + ((end[i] ?? value) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** The colour at `t` (0..1) along several, evenly spaced. */
export function blend(colors: readonly string[], t: number): string {
  const position = Math.max(0, Math.min(0.9999, t)) * (colors.length - 1);
  const index = Math.floor(position);
  return mix(colors[index] ?? '#000000', colors[index + 1] ?? '#000000', position - index);
}
