import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { readRows } from './read-rows.ts';

const HEAD = 'name,category,description,picture,twitterHandle,website';
const rows = (...parts: BlobPart[]) => readRows(new Blob(parts));

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
        const found = await rows(lines.map((text) => text.replaceAll(',', delimiter)).join(END));
        const expected = lines.flatMap((text, at) => (/^(?:First|Reef)/.test(text) ? [at + 1] : []));
        expect(found.map(({ number }) => number)).toEqual(expected);
        expect(found.map(({ texts }) => texts.name)).toEqual(
          expected.map((number) => lines[number - 1]?.split(',')[0]),
        );
      },
    ),
    runs(),
  );
});

test('counts blank lines toward no limit: 2,000 rows between them are read, and 2,001 are rejected [R72]', async () => {
  const file = (count: number) => `${HEAD}\n${'Reef,DeFi,A reef,a.png,a,\n\n,,,,,\n'.repeat(count)}`;
  expect(await rows(file(2_000))).toHaveLength(2_000);
  await expect(rows(file(2_001))).rejects.toThrow('at most 2,000 rows');
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
const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

test.each([
  ['CSV, little-endian', utf16(CAFE, true)],
  ['CSV with tabs, big-endian', utf16(CAFE.replaceAll(',', '\t'), false)],
  ['JSON', utf16(CAFE_JSON, true)],
])('reads UTF-16 by its mark: %s [R72]', async (_, file) => {
  expect(await rows(file)).toMatchObject([{ picture: 'a.png', texts: { name: 'Café' } }]);
});

test.each([
  ['Windows-1252', latin1(CAFE)],
  ['JSON in Windows-1252', latin1(CAFE_JSON)],
  ['UTF-16 without its mark', utf16(CAFE, true).slice(2)],
  ['half a letter of UTF-16', utf16(CAFE, true).slice(0, -1)],
])('rejects a file that is not UTF-8, and says how to save it: %s [R72]', async (_, file) =>
  expect(rows(file)).rejects.toThrow(/^This file is not UTF-8, .* Save it as CSV UTF-8/),
);

test('rejects letters that were lost before, by their row [R72]', async () => {
  await expect(rows(`${HEAD}\nA,DeFi,Fine,a.png,a,\nCaf\uFFFD,DeFi,Lost,b.png,b,`)).rejects.toThrow(
    'Row 3 has letters',
  );
  await expect(rows('[{"name":"Caf\\ufffd"}]')).rejects.toThrow('Row 1 has letters');
});

test.each([
  ['', 'Columns are missing'],
  ['name,category\r\nA,DeFi', 'Columns are missing: description, twitterHandle, picture.'],
  [`${HEAD}\r\n`, 'no rows'],
  [`${HEAD}\r\n\r\n"A,DeFi`, 'Row 3 cannot be read'],
  [`${HEAD}\r\n\r\nA,DeFi,A reef,a.png,a,,note`, 'Row 3 cannot be read: it has more cells'],
  ['[1]', 'array of objects'],
  ['[{"name":', 'not valid JSON'],
  ['[{"name":{}}]', 'must be texts'],
  [`${HEAD}\r\n${'a,b,c,d,e,f\r\n'.repeat(100_000)}`, 'at most 2,000 rows'],
])('a listings file with an error is rejected: %j [R72]', async (text, message) =>
  expect(rows(text)).rejects.toThrow(message),
);
