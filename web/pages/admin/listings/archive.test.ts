import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { expect, test } from 'vitest';
import { pictureName, type Picture, readPictures } from './archive.ts';

const MB = 1024 * 1024;

/** An archive of these files, in this order. */
function zipOf(
  files: ReadonlyArray<[name: string, bytes: Uint8Array]>,
  Packed: typeof ZipDeflate | typeof ZipPassThrough = ZipDeflate,
): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, data) => {
    if (error) throw error;
    parts.push(new Uint8Array(data));
  });
  for (const [name, bytes] of files) {
    const file = new Packed(name);
    zip.add(file);
    file.push(bytes, true);
  }
  zip.end();
  return new Blob(parts);
}

async function read(archive: Blob): Promise<Picture[]> {
  const pictures: Picture[] = [];
  await readPictures(archive, async (picture) => void pictures.push(picture));
  return pictures;
}

const bytes = (text: string) => new TextEncoder().encode(text);

test.each([ZipDeflate, ZipPassThrough])(
  'an archive yields pictures in order, by name and without folders [R72]',
  async (packed) => {
    const found = await read(
      zipOf(
        [
          ['a/one.png', bytes('one')],
          ['two.png', bytes('two '.repeat(50_000))],
        ],
        packed,
      ),
    );
    expect(found.map(({ name }) => name)).toEqual(['one.png', 'two.png']);
    expect(new TextDecoder().decode(found[0]?.bytes)).toBe('one');
    expect(found[1]?.bytes).toHaveLength(200_000);
  },
);

test.each(['../one.png', '/etc/one.png', 'a/../../one.png', '..\\one.png', '__MACOSX/a.png', '.hidden', 'folder/'])(
  'an archive leaves out the path %j [R72]',
  (path) => expect(pictureName(path)).toBeNull(),
);

test('an archive skips a file that unpacks beyond the size limit of pictures [R72]', async () => {
  const bomb = zipOf([
    ['bomb.png', new Uint8Array(20 * MB)],
    ['fine.png', bytes('fine')],
  ]);
  expect(bomb.size).toBeLessThan(MB);
  expect((await read(bomb)).map(({ name }) => name)).toEqual(['fine.png']);
});

test('an archive yields the first of two pictures with the same name [R72]', async () => {
  const found = await read(
    zipOf([
      ['a/x.png', bytes('1')],
      ['b/x.png', bytes('22')],
    ]),
  );
  expect(found.map((one) => one.bytes.length)).toEqual([1]);
});

test('a file that is not a zip archive and one with too many files are rejected [R72]', async () => {
  await expect(read(new Blob(['not a zip file']))).rejects.toThrow('cannot be read');
  const many = Array.from({ length: 5_001 }, (_, at): [string, Uint8Array] => [`${at}.png`, bytes('x')]);
  await expect(read(zipOf(many, ZipPassThrough))).rejects.toThrow('at most 5,000 files');
});
