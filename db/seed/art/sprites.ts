import { times, type Canvas } from './canvas.ts';
import { mix, type Palette } from './palettes.ts';

/** Heroes of games as left halves; the right half is the mirror image. Letters are colours, see `colorOf`. */
const SPRITES = {
  viking: `
    ..l.....
    .ll.....
    .ll..KKK
    .lllKaab
    ..lLKabb
    ..KKKabb
    ...KaaaK
    ..KKKKKK
    ..Kbbcbb
    ..KKKKKK
    ..KsssKs
    ..KsKKss
    ..Kssssp
    ..KccKKK
    ..Kccccc
    ..KCcccc
    ...KCccc
    ....KCcc
    .....KKK`,
  slime: `
    .....KKK
    ...KKaaa
    ..Kaalaa
    .Kaallaa
    .Kallaaa
    Kaaaaaaa
    KaaKKaaa
    KaaKlKaa
    KaaKKKaa
    KacKKKaa
    KaccaaaK
    KAaaaaaK
    KAaaaaaa
    KAAaaaaa
    .KAAAAAA
    ..KKKKKK`,
  ship: `
    .......K
    ......Kl
    ......Kl
    .....Kll
    .....KlK
    ....KlKb
    ....KlKb
    ..K.KllK
    .KcKKlll
    .KcKlLll
    KccKlLla
    KcccKLla
    KccccKaa
    KCKKccKK
    KK..KKbb
    .....bbl
    ......bb
    .......b`,
  mushroom: `
    .....KKK
    ...KKccc
    ..Kcclcc
    .Kccllcc
    .Kccclcc
    Kccccccl
    Kclccccl
    Kllccccc
    KClCCCCC
    KKKKKKKK
    ..KlllLl
    ..KlKlll
    ..KlKlll
    ..Kpplll
    ..KllllK
    ..KLlllK
    ...KLlll
    ....KKKK`,
  racer: `
    ....K..K
    ....bK.b
    ....bbKb
    ....bbbb
    ....bbcb
    ...KKKKK
    ..KaaaaA
    ..KaKKKK
    ..KaKllc
    ..KAKKKK
    .KKKAaaa
    KaaaKKKK
    KaaaaaaK
    dKKaabbb
    dDKKaabl
    dDdKAAaa
    dDdKKKKK
    ddd.....`,
} as const;

export type SpriteName = keyof typeof SPRITES;

function colorOf(letter: string, palette: Palette): string | undefined {
  const { night, a, b, c, light } = palette;
  const colors: Record<string, string> = {
    K: mix(night, '#000000', 0.35),
    a,
    A: mix(a, night, 0.35),
    b,
    B: mix(b, night, 0.35),
    c,
    C: mix(c, night, 0.35),
    l: light,
    L: mix(light, night, 0.25),
    s: '#ffcf9e',
    p: '#ff9a8a',
    d: '#39304f',
    D: '#6b6188',
  };
  return colors[letter];
}

/** Draws the figure as small blocks with some depth, centred on a point. */
export function drawSprite(
  canvas: Canvas,
  palette: Palette,
  name: SpriteName,
  x: number,
  y: number,
  block: number,
): void {
  const rows = SPRITES[name]
    .trim()
    .split('\n')
    .map((row) => row.trim());
  const pixels = rows.flatMap((row, y) => {
    const half = row.split('');
    return [...half, ...half.toReversed()].map((letter, x) => ({
      row: y,
      column: x,
      color: colorOf(letter, palette),
    }));
  });
  const [left, top] = [x - 8 * block, y - (rows.length / 2) * block];
  const square = (row: number, column: number, shift: number, color: string): void =>
    canvas.rect(left + column * block + shift, top + row * block + shift, block + 0.5, block + 0.5, color);

  // What flies has no shadow below it.
  if (name !== 'ship') {
    canvas.ellipse(x + block, top + rows.length * block + block, block * 8.5, block * 1.3, palette.night, {
      opacity: 0.55,
    });
  }
  for (const depth of times(5).toReversed()) {
    for (const { row, column, color } of pixels) {
      if (color !== undefined) square(row, column, (depth + 1) * block * 0.13, mix(color, palette.night, 0.6));
    }
  }
  for (const { row, column, color } of pixels) {
    if (color === undefined) continue;
    square(row, column, 0, color);
    const [px, py] = [left + column * block, top + row * block];
    canvas.rect(px, py, block, block * 0.14, '#ffffff', { opacity: 0.35 });
    canvas.rect(px, py, block * 0.14, block, '#ffffff', { opacity: 0.18 });
    canvas.rect(px, py + block * 0.86, block, block * 0.14, palette.night, { opacity: 0.3 });
  }
}
