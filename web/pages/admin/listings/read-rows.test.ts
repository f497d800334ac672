import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanText } from '#shared/text/clean-text.ts';
import { runs } from '#shared/testing/property-runs.ts';
import { toSheet } from './catalogue-sheet.ts';
import { readSheet } from './read-rows.ts';

const HEAD = 'name,category,description,picture,twitterHandle,website';
const sheet = (...parts: BlobPart[]) => readSheet(new Blob(parts));
const rows = async (...parts: BlobPart[]) => (await sheet(...parts)).rows;

test('reads CSV with a byte order mark, Windows line ends, quotes, and guarded formulas as texts [R72]', async () => {
  const found = await rows(
    `\uFEFF${HEAD}\r\n"A ""B"", C",DeFi,'=1+1,a.png,@a,\r\n\r\nD,NFT,=HYPERLINK("x"),d.png,d,https://d.example\r\n`,
  );
  expect(found).toMatchObject([
    {
      number: 2,
      picture: 'a.png',
      texts: { name: 'A "B", C', description: '=1+1', twitterHandle: '@a', website: '' },
    },
    { number: 4, texts: { name: 'D', website: 'https://d.example' } },
  ]);
});

test('reads JSON [R72]', async () => {
  expect(await rows('[{"name":"A","picture":"a.png","website":null}]')).toMatchObject([
    { number: 1, picture: 'a.png', texts: { name: 'A', category: '', website: '' } },
  ]);
});

const BLANK_LINES = ['', ' ', ',,,,,', ' , ,,,,'];
const END = '\n';

test('reads every row wherever blank lines are, and numbers rows as a spreadsheet does [R72]', async () => {
  const line = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...BLANK_LINES) }, fc.constant('row'));
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 60 }),
      fc.array(fc.constantFrom(...BLANK_LINES), { maxLength: 12 }),
      fc.constantFrom(',', ';', '\t'),
      async (kinds, before, delimiter) => {
        const lines = [
          ...before,
          HEAD,
          'First,DeFi,A reef,a.png,a,',
          ...kinds.map((kind, at) => (kind === 'row' ? `Reef ${at},DeFi,A reef,a.png,a,` : kind)),
        ];
        const { rows: found, notes } = await sheet(lines.map((text) => text.replaceAll(',', delimiter)).join(END));
        const expected = lines.flatMap((text, at) => (/^(?:First|Reef)/.test(text) ? [at + 1] : []));
        expect(found.map(({ number }) => number)).toEqual(expected);
        expect(found.map(({ texts }) => texts.name)).toEqual(
          expected.map((number) => lines[number - 1]?.split(',')[0]),
        );
        const blank = lines.findIndex((text) => BLANK_LINES.includes(text)) + 1;
        const isNamed = blank > 0 && blank < (expected.at(-1) ?? 0);
        expect(notes.map((note) => note.split(/[\s,.]+/)[4])).toEqual(isNamed ? [String(blank)] : []);
      },
    ),
    runs(),
  );
});

test('counts blank lines toward no limit: 2,000 rows between them are read, and 2,001 are rejected [R72]', async () => {
  const file = (count: number) => `${HEAD}\n${'Reef,DeFi,A reef,a.png,a,\n\n,,,,,\n'.repeat(count)}`;
  expect(await rows(file(2_000))).toHaveLength(2_000);
  await expect(rows(file(2_001))).rejects.toThrow('at most 2,000 rows. The first one too many is row 6002.');
});

test('reads rows whose last empty cells a spreadsheet left out or added [R72]', async () => {
  expect(await rows(`${HEAD}\r\nA,DeFi,A reef,a.png,a\r\nB,DeFi,A reef,b.png,b,,,\r\n`)).toMatchObject([
    { number: 2, picture: 'a.png', texts: { name: 'A', website: '' } },
    { number: 3, picture: 'b.png', texts: { name: 'B', website: '' } },
  ]);
});

const CAFE = `${HEAD}\r\nCafé,DeFi,déjà vu,a.png,a,\r\n`;
const CAFE_JSON = '[{"name":"Café","picture":"a.png"}]';

/** UTF-16 with its mark. */
function utf16(text: string, littleEndian: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(2 * text.length + 2));
  for (const [at, unit] of [0xfeff, ...Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))].entries())
    view.setUint16(2 * at, unit, littleEndian);
  return new Uint8Array(view.buffer);
}
const raw = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

test.each([
  ['CSV, little-endian', utf16(CAFE, true)],
  ['CSV with tabs, big-endian', utf16(CAFE.replaceAll(',', '\t'), false)],
  ['JSON', utf16(CAFE_JSON, true)],
])('reads UTF-16 by its mark: %s [R72]', async (_, file) => {
  expect(await rows(file)).toMatchObject([{ picture: 'a.png', texts: { name: 'Café' } }]);
});

/** Letters of languages that the encoding can write. */
const FRENCH = 'Café d’été – «à côté», naïve señor, Köln, Ångström';
const MAC = raw('Caf\x8e d\xd5\x8et\x8e \xd0 \xc7\x88 c\x99t\x8e\xc8, na\x95ve se\x96or, K\x9aln, \x81ngstr\x9am');
const WINDOWS = raw('Caf\xe9 d\x92\xe9t\xe9 \x96 \xab\xe0 c\xf4t\xe9\xbb, na\xefve se\xf1or, K\xf6ln, \xc5ngstr\xf6m');

test.each([
  ['Windows-1252', WINDOWS],
  ['Mac Roman', MAC],
])('reads a sheet in %s, and shows words by which a person sees the guess [R88]', async (encoding, letters) => {
  for (const [before, after] of [
    [`${HEAD}\r\n"`, '",DeFi,A reef,a.png,a,\r\n'],
    ['[{"name":"', '","picture":"a.png"}]'],
  ] as const) {
    const { rows: found, notes } = await sheet(before, letters, after);
    expect(found.map(({ texts }) => texts.name)).toEqual([FRENCH]);
    expect(notes).toEqual([
      expect.stringMatching(
        `^The file does not say its encoding. It is read as ${encoding}: .*Café.* If this is wrong`,
      ),
    ]);
  }
});

test.each([true, false])('reads UTF-16 without its mark, the small byte first: %s [R88]', async (isLittle) => {
  for (const file of [CAFE, CAFE_JSON]) {
    const { rows: found, notes } = await sheet(utf16(file, isLittle).slice(2));
    expect(found).toMatchObject([{ picture: 'a.png', texts: { name: 'Café' } }]);
    expect(notes).toEqual([expect.stringMatching(/^The file does not say its encoding. It is read as UTF-16: .*Café/)]);
  }
});

test.each([
  ['Windows-1251', raw(`${HEAD}\r\n\xca\xee\xf0\xe0\xeb\xeb,DeFi,A reef,a.png,a,\r\n`)],
  ['UTF-16 by its mark, and then UTF-32', raw('\xff\xfe\0\0n\0\0\0a\0\0\0')],
])('rejects a file whose letters cannot be read, and says how to save it: %s [R88]', async (_, file) =>
  expect(rows(file)).rejects.toThrow(/^This file is not UTF-8, .* Save it as CSV UTF-8/),
);

test('names a workbook that is chosen instead of a sheet [R88]', async () =>
  expect(rows('PK\x03\x04\x14\0')).rejects.toThrow(/^This file is a workbook .* Save it as CSV UTF-8/));

const errorsOf = async (text: string) =>
  (await rows(text)).map(({ errors }) => errors.map(({ field, message }) => `${field}: ${message}`));

test.each([
  ['UTF-8', raw(`${HEAD}\nCaf\xc3\xa9,DeFi,A reef,a.png,a,\nTide,DeFi,A r\xe9ef,b.png,b,`)],
  ['marked UTF-8', raw(`\xef\xbb\xbf${HEAD}\nCafe,DeFi,A reef,a.png,a,\nTide,DeFi,A r\xe9ef,b.png,b,`)],
  ['UTF-16', utf16(`${HEAD}\nCafé,DeFi,A reef,a.png,a,\nTide,DeFi,A r\udc00ef,b.png,b,`, true)],
])('names the row with broken letters of a file in %s, and reads the others [R88]', async (_, file) =>
  expect((await rows(file)).map(({ errors }) => errors.map(({ field }) => field))).toEqual([[], ['description']]),
);

test('names what is wrong with a cell by its row and column, and reads the others [R88]', async () => {
  expect(
    await errorsOf(
      `${HEAD}\nA,DeFi,Fine,a.png,a,\nCaf\uFFFD,DeFi,Lost,b.png,b,\nC,DeFi,${'c'.repeat(1_001)},c.png,c,\nD,DeFi,More,d.png,d,,note,,and more\n`,
    ),
  ).toEqual([
    [],
    [expect.stringMatching(/^name: Some letters were lost/)],
    ['description: This cell has more than 1,000 characters'],
    ['row: It has more cells than the header: note, and more'],
  ]);
  expect(await errorsOf('[{"name":"A"},{"name":["B"]},{"name":"C","Name":"D"}]')).toEqual([
    [],
    ['name: Enter a text, not a list or an object'],
    ['name: Two columns of this name say different things'],
  ]);
});

test('reads columns in any spelling of their names [R88]', async () => {
  const spelled = (name: string) => {
    const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ');
    const title = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    const joints = fc.constantFrom(' ', '_', '-', '\u00a0', '.', ' - ', '');
    const edges = fc.constantFrom('', ' ', '\u00a0', '\ufeff', '\u200b', '\t', '*', ':');
    return fc
      .tuple(
        fc.constantFrom(
          words,
          title,
          words.map((word) => word.toUpperCase()),
        ),
        joints,
        edges,
        edges,
      )
      .map(([parts, joint, before, after]) => before + parts.join(joint) + after);
  };
  const header = fc.tuple(...HEAD.split(',').map(spelled));
  await fc.assert(
    fc.asyncProperty(header, fc.constantFrom(',', ';', '|'), fc.boolean(), async (names, delimiter, isNamed) => {
      const lines = [names, ['A', 'DeFi', 'A reef', 'a.png', 'a', 'https://a.example']].map((cells) =>
        cells.join(delimiter),
      );
      const { rows: found, notes } = await sheet([...(isNamed ? [`sep=${delimiter}`] : []), ...lines].join('\r\n'));
      const texts = { name: 'A', category: 'DeFi', twitterHandle: 'a', website: 'https://a.example' };
      expect(found).toMatchObject([{ number: 2, picture: 'a.png', errors: [], texts }]);
      expect(notes).toEqual([]);
      const [json] = await rows(JSON.stringify([Object.fromEntries(names.map((name, at) => [name, `cell ${at}`]))]));
      expect(json?.texts).toMatchObject({ name: 'cell 0', twitterHandle: 'cell 4' });
    }),
    runs(),
  );
});

test.each(['sep=;', '"sep=;"', 'SEP=;', 'sep=;;;;'])(
  'the line %j names the delimiter, and is not counted as a row [R88]',
  async (line) =>
    expect(await rows(`${line}\r\n${HEAD.replaceAll(',', ';')}\r\nA, B;DeFi;A reef, small;a.png;a;`)).toMatchObject([
      { number: 2, texts: { name: 'A, B', description: 'A reef, small' } },
    ]),
);

test('names columns that are not read where they hold something [R88]', async () => {
  const { notes } = await sheet(`${HEAD},Note,,empty\nA,DeFi,A reef,a.png,a,,yes,x,\n`);
  expect(notes).toEqual(['Columns that are not read: Note, one without a name.']);
});

test('reads every cell whatever line ends the file mixes and whatever ends it [R88]', async () => {
  const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
  await fc.assert(
    fc.asyncProperty(
      fc.array(lineEnd, { minLength: 2, maxLength: 8 }),
      fc.constantFrom('', '\u001a', '\r\n\u001a', '\u001a\r\n'),
      async (ends, end) => {
        const lines = ends.map(
          (lineEnd, at) => (at === 0 ? HEAD : `"A ${at}\n${at}",DeFi,A reef,a.png,a, ${at} `) + lineEnd,
        );
        const found = await rows(lines.join('') + end);
        expect(found.map(({ number, texts }) => [number, texts.name, texts.website])).toEqual(
          ends.slice(1).map((_, at) => [at + 2, `A ${at + 1}\n${at + 1}`, `${at + 1}`]),
        );
      },
    ),
    runs(),
  );
});

test.each([
  ['with the end mark of DOS', '[{"name":"A"},{"name":"B"}]\r\n\u001a', [1, 2]],
  ['lines of objects', '{"name":"A"}\n\n{"name":"B"}\r\n', [1, 3]],
  ['an object around the list', '{"count":2,"projects":[{"name":"A"},{"name":"B"}]}', [1, 2]],
  ['a byte order mark', '\ufeff[{"name":"A"},{"name":"B"}]', [1, 2]],
])('reads JSON: %s [R88]', async (_, text, numbers) => {
  const found = await rows(text);
  expect(found.map(({ number }) => number)).toEqual(numbers);
  expect(found.map(({ texts }) => texts.name)).toEqual(['A', 'B']);
});

test('reads numbers, true and false of JSON as they are written [R88]', async () => {
  const text = '[{"name":12345678901234567890,"category":true,"description":1.50,"website":null}]';
  expect((await rows(text))[0]?.texts).toMatchObject({
    name: '12345678901234567890',
    category: 'true',
    description: '1.50',
    website: '',
  });
});

test('an export that is imported and exported again is the same file, whatever cells begin with [R88]', async () => {
  const start = fc.constantFrom(
    '=',
    '+',
    '-',
    '@',
    "'",
    "''",
    "'=",
    '"',
    ';',
    ',',
    '|',
    '＝',
    "' =",
    '#',
    '1',
    '\u00a0'.trim(),
  );
  const cell = fc
    .tuple(fc.array(start, { maxLength: 4 }), fc.string({ unit: 'grapheme', maxLength: 12 }))
    .map(([signs, text]) => cleanText((signs.join('') + text).replaceAll('\ufffd', '')));
  const listing = fc.record({
    slug: fc.stringMatching(/^[a-z]{1,8}$/),
    name: cell.filter((text) => text !== ''),
    category: cell,
    description: cell,
    twitterHandle: cell,
    website: fc.option(cell, { nil: null }),
    coinType: fc.constant(null),
    packageId: fc.constant(null),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(listing, { minLength: 1, maxLength: 5 }), async (listings) => {
      const exported = toSheet(listings);
      const { rows: found, notes } = await sheet(...exported);
      const again = found.map(({ texts, picture }) => ({ ...texts, slug: picture.replace('.webp', '') })).toReversed();
      expect(toSheet(again).join('')).toBe(exported.join(''));
      expect([notes, found.flatMap(({ errors }) => errors)]).toEqual([[], []]);
    }),
    runs(),
  );
});

test.each([
  ['', 'Columns are missing'],
  ['name,category\r\nA,DeFi', 'Columns are missing: description, twitterHandle, picture.'],
  [`${HEAD}\r\n`, 'no rows'],
  [`${HEAD}\r\n\r\n"A,DeFi`, 'Row 3 cannot be read'],
  ['project;category\r\nA;DeFi', 'The first row has: project, category.'],
  ['[1]', 'Row 1 of the JSON is not an object'],
  ['[{"name":"A"},null]', 'Row 2 of the JSON is not an object'],
  ['[{"name":"A"},]', 'not valid JSON'],
  ['[{"name":', 'not valid JSON'],
  ['{"name":"A"}\n\n{"name":', 'Line 3 is not valid JSON'],
  ['{"sites":{"a":1}}', 'The JSON is an object (sites). It must be an array of objects'],
])('a listings file with an error is rejected: %j [R72]', async (text, message) =>
  expect(rows(text)).rejects.toThrow(message),
);

test('rejects a file with far too many rows or columns [R72]', async () => {
  await expect(rows(`${HEAD}\r\n${'a,b,c,d,e,f\r\n'.repeat(100_000)}`)).rejects.toThrow('at most 2,000 rows');
  await expect(rows('a,'.repeat(2_000))).rejects.toThrow('The first row has 2,001 cells');
});
