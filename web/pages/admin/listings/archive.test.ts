import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { type ZipFile, zipOf } from '../../../testing/zip.ts';
import { openArchive } from './archive.ts';
import { checkPicture } from './check-picture.ts';

const MB = 1024 * 1024;
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Starts like a picture and has this content. */
const png = (content: string | ArrayLike<number> = ''): Uint8Array =>
  Uint8Array.from([...PNG, ...(typeof content === 'string' ? new TextEncoder().encode(content) : Array.from(content))]);
const raw = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** The content under this name, or the reason why there is none. */
async function readFrom(archive: Blob, name: string): Promise<string> {
  const opened = await openArchive(archive);
  return opened.read(name).then(
    (bytes) => new TextDecoder('latin1').decode(bytes.subarray(PNG.length)),
    (error: Error) => error.message,
  );
}
const find = async (files: readonly ZipFile[], name: string) => readFrom(await zipOf(files), name);
const of = (...names: string[]): ZipFile[] => names.map((name) => ({ name, bytes: png(name) }));

test('reads every picture by the directory, whatever its bytes look like and wherever its sizes are [R88]', async () => {
  const signature = fc.constantFrom(
    ...[
      [3, 4],
      [7, 8],
      [1, 2],
      [5, 6],
      [6, 6],
      [6, 7],
    ].map((end) => [0x50, 0x4b, ...end]),
  );
  const content = fc
    .array(fc.oneof(signature, fc.array(fc.nat(255), { maxLength: 40 })), { maxLength: 6 })
    .map((parts) => png(parts.flat()));
  const form = fc.record({
    bytes: content,
    method: fc.constantFrom(0, 8),
    descriptor: fc.constantFrom(undefined, 'signed' as const, 'bare' as const),
    isZip64: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(form, { minLength: 1, maxLength: 5 }), fc.nat(64), async (forms, prefix) => {
      const files = forms.map(({ descriptor, ...file }, at) => ({
        ...file,
        name: `${at}.png`,
        ...(descriptor ? { descriptor } : {}),
      }));
      const opened = await openArchive(await zipOf(files, new Uint8Array(prefix).fill(0x50)));
      for (const { name, bytes } of files) expect(await opened.read(name)).toEqual(bytes);
    }),
    runs(60),
  );
});

test('a picture that contains an archive is read whole [R88]', async () => {
  const inner = png(new Uint8Array(await (await zipOf(of('layer.png'))).arrayBuffer()));
  const opened = await openArchive(
    await zipOf([{ name: 'a.png', bytes: inner, method: 0, descriptor: 'signed' }, ...of('b.png')]),
  );
  expect(await opened.read('a.png')).toEqual(inner);
});

const TREE = of('pics/coral/logo.png', 'pics/tide/logo.png', 'pics/Reef.PNG', 'top.png');
test.each([
  ['coral/logo.png', 'pics/coral/logo.png'],
  ['tide\\logo.png', 'pics/tide/logo.png'],
  ['/pics/tide/logo.png', 'pics/tide/logo.png'],
  [' ./pics/tide/logo.png ', 'pics/tide/logo.png'],
  ['C:\\Users\\me\\pics\\tide\\logo.png', 'pics/tide/logo.png'],
  ['CORAL/LOGO.png', 'pics/coral/logo.png'],
  ['reef.png', 'pics/Reef.PNG'],
  ['else/where/top.png', 'top.png'],
  ['logo.png', 'logo.png can be pics/coral/logo.png or pics/tide/logo.png. Write the folder, too'],
  ['other/logo.png', 'other/logo.png is not in the archive, but pics/coral/logo.png is'],
  ['missing.png', 'missing.png is not in the archive'],
])('the name %j of a sheet finds a picture of a folder, or says why not [R88]', async (name, found) =>
  expect(await find(TREE, name)).toBe(found),
);

test('a name finds the picture of the same case before one of another case [R88]', async () => {
  const files = of('Logo.png', 'logo.png');
  expect([await find(files, 'logo.png'), await find(files, 'Logo.png')]).toEqual(['logo.png', 'Logo.png']);
  expect(await find(files, 'LOGO.PNG')).toMatch(/^LOGO.PNG can be Logo.png or logo.png/);
});

test('a path that the archive has twice is read where both pictures are the same, and named where not [R88]', async () => {
  expect(await find([...of('a.png'), ...of('a.png')], 'a.png')).toBe('a.png');
  expect(await find([...of('a.png'), { name: 'a.png', bytes: png('other') }], 'a.png')).toBe(
    'a.png is in the archive more than once',
  );
});

test.each(['/a.png', '\\a.png', 'C:\\pics\\a.png', '../a.png', './a.png', 'x//a.png'])(
  'a picture that was packed as %j is found [R88]',
  async (name) => expect(await find([{ name, bytes: png('x') }], 'a.png')).toBe('x'),
);

const CAFE = 'Café ñandú.png';
test.each<[string, Partial<ZipFile>]>([
  ['UTF-8 by its flag', { name: CAFE }],
  ['UTF-8 without its flag (macOS)', { name: CAFE, isUtf8: false }],
  ['decomposed letters (macOS)', { name: CAFE.normalize('NFD'), isUtf8: false }],
  ['code page 437 and 850 (Windows)', { name: raw('Caf\x82 \xa4and\xa3.png'), isUtf8: false }],
  ['Windows-1252', { name: raw('Caf\xe9 \xf1and\xfa.png'), isUtf8: false }],
  ['Mac Roman', { name: raw('Caf\x8e \x96and\x9c.png'), isUtf8: false }],
  ['the extra field of Info-ZIP', { name: raw('Caf_ _and_.png'), isUtf8: false, unicodeName: CAFE }],
])('finds a name in %s [R88]', async (_, form) => {
  for (const asked of [CAFE, CAFE.normalize('NFD'), CAFE.toUpperCase()])
    expect(await find([{ name: '', bytes: png('x'), ...form }, ...of('b.png')], asked)).toBe('x');
});

test.each([
  ['code page 850', '\xb7 la mode.png', 'À la mode.png'],
  ['code page 866', '\x8a\xae\xe0\xa0\xab\xab.png', 'Коралл.png'],
  ['Windows-1251', '\xca\xee\xf0\xe0\xeb\xeb.png', 'Коралл.png'],
  ['Shift JIS', '\x83\x5c\x81\x5b.png', 'ソー.png'],
  ['GBK', '\xc9\xba\xba\xf7.png', '珊瑚.png'],
])('finds a name in %s, because the sheet says which one is meant [R88]', async (_, name, asked) =>
  expect(await find([{ name: raw(name), isUtf8: false, bytes: png('x') }], asked)).toBe('x'),
);

test.each<[string, Partial<ZipFile>, RegExp]>([
  ['encrypted', { isEncrypted: true }, /^a.png in the archive is encrypted/],
  ['Deflate64', { method: 9, packed: png() }, /packed by Deflate64, which browsers cannot unpack/],
  ['Zstandard', { method: 93, packed: png() }, /packed by Zstandard/],
  ['an unknown method', { method: 77, packed: png() }, /packed by method 77/],
  ['damaged', { packed: raw('not deflated') }, /^a.png in the archive is damaged/],
  ['empty', { bytes: new Uint8Array() }, /^a.png in the archive is empty/],
  ['too large', { bytes: new Uint8Array(11 * MB) }, /^a.png has more than 10 MB/],
  ['larger than it claims', { bytes: new Uint8Array(20 * MB), claimedBytes: 100 }, /damaged/],
  ['smaller than it claims', { claimedBytes: 5 * MB }, /damaged/],
])('names one picture that is %s, and reads the others [R88]', async (_, form, message) => {
  const archive = await zipOf([{ name: 'a.png', bytes: png('a'), ...form }, ...of('b.png')]);
  expect(await readFrom(archive, 'a.png')).toMatch(message);
  expect(await readFrom(archive, 'b.png')).toBe('b.png');
});

test('the dry run names a row without a picture, and one that names another file [R88]', async () => {
  const archive = await openArchive(await zipOf([{ name: 'notes.png', bytes: raw('Dear all') }, ...of('b.png')]));
  const errors = async (name: string) => (await checkPicture(archive, name)).errors;
  expect(await errors('')).toEqual([{ field: 'picture', message: 'Enter the name of a picture' }]);
  expect(await errors('notes.png')).toEqual([
    { field: 'picture', message: 'notes.png is not a PNG, JPEG, WebP, GIF or AVIF image' },
  ]);
  expect(await errors('c.png')).toEqual([{ field: 'picture', message: 'c.png is not in the archive' }]);
  expect(await checkPicture(archive, 'b.png')).toEqual({ digest: expect.stringMatching(/^[0-9a-f]{64}$/), errors: [] });
});

test('names a picture whose bytes are not those that were packed [R88]', async () => {
  const bytes = new Uint8Array(await (await zipOf([{ name: 'a.png', bytes: png('reef'), method: 0 }])).arrayBuffer());
  const at = new TextDecoder('latin1').decode(bytes).indexOf('reef');
  bytes[at] = 0x52;
  expect(await readFrom(new Blob([bytes]), 'a.png')).toBe('a.png in the archive is damaged');
});

test('names files that no row asks for, without those that systems add [R88]', async () => {
  const opened = await openArchive(
    await zipOf([
      ...of('a.png', 'notes.doc', '__MACOSX/._a.png', '._b.png', '.DS_Store', 'x/Thumbs.db', 'desktop.ini'),
      { name: 'readme.txt', bytes: png(), method: 93 },
      { name: 'folder/', bytes: new Uint8Array(), method: 0 },
    ]),
  );
  await opened.read('a.png');
  expect(opened.unread()).toEqual(['notes.doc', 'readme.txt']);
});

test('a file that is not a whole zip archive and one with too many files are rejected [R72]', async () => {
  const whole = await zipOf(of('a.png', 'b.png'));
  for (const broken of [
    new Blob(['not a zip file, but long enough for one']),
    whole.slice(0, whole.size - 30),
    new Blob(),
  ])
    await expect(openArchive(broken)).rejects.toThrow('cannot be read');
  const many = Array.from({ length: 5_001 }, (_, at): ZipFile => ({ name: `${at}.png`, bytes: png(), method: 0 }));
  await expect(openArchive(await zipOf(many))).rejects.toThrow('at most 5,000 files');
});
