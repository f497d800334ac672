/**
 * Compiles the coin and the Book, and runs the Book's table of cases as Move tests with the natives of the chain: by hand,
 * whenever a source changes. The compiler (35 MB of WebAssembly) is installed apart from the product, and needs no network:
 *
 *   npm install --prefix /tmp/move @zktx.io/sui-move-builder@0.5.1
 *   node chain/move/compile.mjs /tmp/move
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { bookTests } from './book/tests.mjs';

const FOLDER = import.meta.dirname;
const sourcesOf = (name) => ['Move.toml', 'framework/framework.move', `sources/${name}.move`];

async function loadCompiler(installed) {
  const { resolve } = createRequire(path.resolve(installed, 'package.json'));
  const compiler = await import(resolve('@zktx.io/sui-move-builder/full').replace(/index\.cjs$/, 'index.js'));
  await compiler.initMovePackageBuilder();
  return compiler;
}

async function filesOf(name) {
  const contents = await Promise.all(sourcesOf(name).map((file) => readFile(path.join(FOLDER, name, file), 'utf8')));
  return { 'Move.toml': contents[0], 'sources/framework.move': contents[1], [`sources/${name}.move`]: contents[2] };
}

async function compile({ dumpMovePackage }, name, word) {
  const { error, modules = [] } = await dumpMovePackage({ files: await filesOf(name), silenceWarnings: true });
  if (error) throw new Error(error);
  const found = modules.map((module) => Buffer.from(module, 'base64')).find((bytes) => bytes.includes(word));
  if (!found) throw new Error(`the compiler returned no module ${name}`);
  return found;
}

/** Hashes of all that a run depends on. */
export async function bookHashes() {
  const files = [...sourcesOf('book'), 'cases.json', 'tests.mjs', 'book.mv'];
  const read = (file) => readFile(path.join(FOLDER, 'book', file));
  const hash = async (file) => [
    file,
    createHash('sha256')
      .update(await read(file))
      .digest('hex'),
  ];
  return Object.fromEntries(await Promise.all(files.map(hash)));
}

/** Runs the table; `change` weakens the source first. Returns the titles of the cases that failed. */
export async function runBook(installed, change = (source) => source) {
  const { testMovePackage } = await loadCompiler(installed);
  const files = await filesOf('book');
  files['sources/book.move'] = change(files['sources/book.move']);
  files['tests/book_tests.move'] = bookTests(JSON.parse(await readFile(path.join(FOLDER, 'book/cases.json'), 'utf8')));
  const { passed, output, error } = await testMovePackage({ files, silenceWarnings: true, ansiColor: false });
  const failed = [...(output ?? '').matchAll(/FAIL +\] \S+::(\w+)/g)].map(([, name]) => name.replaceAll('_', ' '));
  if (!passed && failed.length === 0) throw new Error(error ?? output);
  return failed;
}

async function main(installed = '.') {
  const compiler = await loadCompiler(installed);
  for (const [name, word] of [
    ['snaps', 'SNAPS'],
    ['book', 'total_paid'],
  ]) {
    const bytes = await compile(compiler, name, word);
    await writeFile(path.join(FOLDER, name, `${name}.mv`), bytes);
    console.log(`${name}.mv: ${bytes.length} bytes`);
  }
  const failed = await runBook(installed);
  if (failed.length > 0) throw new Error(`failed: ${failed.join(', ')}`);
  await writeFile(path.join(FOLDER, 'book/last-run.json'), `${JSON.stringify(await bookHashes(), null, 2)}\n`);
  console.log('the table of the Book passed');
}

if (process.argv[1] === import.meta.filename) await main(process.argv[2]);
