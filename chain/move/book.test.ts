import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { deserialize } from '@mysten/move-bytecode-template';
import { expect, test } from 'vitest';
import { bookHashes, runBook } from './compile.mjs';

const folder = path.join(import.meta.dirname, 'book');
const read = (file: string) => readFile(path.join(folder, file), 'utf8');
const ROOT = path.join(import.meta.dirname, '../..');
const isInstalled = existsSync(path.join(ROOT, 'node_modules/@zktx.io/sui-move-builder'));

test('the source, bytes and test table of the Book are those of its last Move test run [R97]', async () => {
  expect(await bookHashes()).toEqual(JSON.parse(await read('last-run.json')));
});

test('the committed bytes of the Book have the functions and structs of their source, and no init [R97]', async () => {
  const source = await read('sources/book.move');
  const module = deserialize(await readFile(path.join(folder, 'book.mv'))) as {
    identifiers: string[];
    function_handles: { name: number }[];
    function_defs: { function: number; visibility: string }[];
    struct_defs: unknown[];
  };
  const functions = module.function_defs.map(({ function: at, visibility }) => [
    module.identifiers[module.function_handles[at]?.name ?? -1],
    visibility,
  ]);
  const written = [...source.matchAll(/^public fun (\w+)/gm)].map(([, name]) => [name, 'Public']);
  expect(functions).toEqual(written);
  expect(module.struct_defs).toHaveLength([...source.matchAll(/^public struct /gm)].length);
});

test.skipIf(!isInstalled)(
  "Move runs the Book's test table without a failure where its compiler is installed [R97]",
  async () => {
    expect(await runBook(ROOT)).toEqual([]);
  },
  60_000,
);
