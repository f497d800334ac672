/**
 * Compiles the coin and writes snaps/snaps.mv: run once, whenever the source changes. The compiler (35 MB of WebAssembly)
 * is installed apart from the product, and needs no network:
 *
 *   npm install --prefix /tmp/move @zktx.io/sui-move-builder@0.5.1
 *   node chain/move/compile.mjs /tmp/move
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

const [, , installed = '.'] = process.argv;
const { dumpMovePackage, initMovePackageBuilder } = createRequire(path.resolve(installed, 'package.json'))(
  '@zktx.io/sui-move-builder',
);

const folder = path.join(import.meta.dirname, 'snaps');
const read = (file) => readFile(path.join(folder, file), 'utf8');
const files = {
  'Move.toml': await read('Move.toml'),
  'sources/framework.move': await read('framework/framework.move'),
  'sources/snaps.move': await read('sources/snaps.move'),
};
await initMovePackageBuilder();
const { error, modules = [] } = await dumpMovePackage({ files, silenceWarnings: true });
if (error) throw new Error(error);
// The framework's modules come first, those of the coin's own address last.
const bytes = Buffer.from(modules.at(-1) ?? '', 'base64');
if (!bytes.includes('SNAPS')) throw new Error('the compiler returned no module of the coin');
await writeFile(path.join(folder, 'snaps.mv'), bytes);
console.log(`snaps.mv: ${bytes.length} bytes`);
