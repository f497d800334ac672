import { readFile } from 'node:fs/promises';
import { deserialize } from '@mysten/move-bytecode-template';
import { expect, test } from 'vitest';
import { makeModule, readModule } from './module.ts';

interface Handle {
  module: number;
  name: number;
}
interface Module {
  version: number;
  identifiers: string[];
  address_identifiers: string[];
  module_handles: { address: number; name: number }[];
  self_module_handle_idx: number;
  datatype_handles: (Handle & { abilities: number })[];
  function_handles: Handle[];
  struct_defs: { struct_handle: number }[];
  enum_defs: unknown[];
  function_defs: { function: number; visibility: string; is_entry: boolean; code: { code: unknown[] } }[];
  constant_pool: { type_: unknown; data: number[] }[];
}

const folder = new URL('../../../chain/move/snaps/', import.meta.url);
const bytes = await readFile(new URL('snaps.mv', folder));
const source = await readFile(new URL('sources/snaps.move', folder), 'utf8');
const framework = await readFile(new URL('framework/framework.move', folder), 'utf8');
const read = (module: Uint8Array): Module => deserialize(module);
const TERMS = { name: 'Reef Snaps', symbol: 'REEF', decimals: 6, firstSupply: 5_000_000 };

function describeModule(module: Module) {
  const word = (at: number): string => module.identifiers[at] ?? '';
  const moduleName = (at: number): string => {
    const handle = module.module_handles[at] ?? { address: -1, name: -1 };
    return `${BigInt(`0x${module.address_identifiers[handle.address]}`)}::${word(handle.name)}`;
  };
  const full = ({ module: at, name }: Handle): string => `${moduleName(at)}::${word(name)}`;
  const own = moduleName(module.self_module_handle_idx);
  return {
    own,
    structs: module.struct_defs
      .map(({ struct_handle: at }) => module.datatype_handles[at])
      .map((one) => one && full(one)),
    functions: module.function_defs.map((one) => {
      const handle = module.function_handles[one.function];
      return [handle && full(handle), one.visibility, one.is_entry];
    }),
    uses: [...module.datatype_handles, ...module.function_handles]
      .map(full)
      .filter((name) => !name.startsWith(`${own}::`)),
  };
}

const constantsOf = (module: Module) =>
  module.constant_pool.map(({ type_: type, data }) =>
    type === 'U8' || type === 'U64'
      ? Buffer.from(data.toReversed()).toString('hex')
      : Buffer.from(data.slice(1)).toString('utf8'),
  );

test('the committed bytes have the module, struct, function and constants of their source, and nothing more [R83]', () => {
  const module = read(bytes);
  const found = describeModule(module);
  const [, address = '', name = ''] = /^module (\w+)::(\w+);$/m.exec(source) ?? [];
  expect([address, found.own]).toEqual(['snaps', `0::${name}`]);
  expect(found.structs).toEqual([...source.matchAll(/^public struct (\w+)/gm)].map(([, one]) => `0::${name}::${one}`));
  expect(found.functions).toEqual(
    [...source.matchAll(/^fun (\w+)/gm)].map(([, one]) => [`0::${name}::${one}`, 'Private', false]),
  );
  expect(module.enum_defs).toEqual([]);
  const written = [...source.matchAll(/^const \w+: \S+ = (?:b"(.*)"|(\d+));$/gm)].map(([, text, number = '0']) =>
    text === undefined ? BigInt(number).toString(16) : text,
  );
  expect(constantsOf(module)).toEqual(written);
});

test('the committed bytes use only what the framework signatures beside them declare [R83]', () => {
  const declared = framework.split(/^module /m).flatMap((part) => {
    const [, place = '', name = ''] = /^(std|sui)::(\w+)/.exec(part) ?? [];
    const words = [...part.matchAll(/public (?:struct|fun) (\w+)/g)].map(([, word]) => word);
    return words.map((word) => `${place === 'std' ? 1 : 2}::${name}::${word}`);
  });
  const { uses } = describeModule(read(bytes));
  expect(declared).toEqual(expect.arrayContaining(uses));
});

test('a module for a site differs from the committed bytes in the four constants of its terms only [R83]', async () => {
  const [before, after] = [read(bytes), read(await makeModule(TERMS))];
  const [decimals, symbol, name, description, supply] = constantsOf(after);
  expect([decimals, symbol, name]).toEqual(['06', TERMS.symbol, TERMS.name]);
  expect(BigInt(`0x${supply}`)).toBe(5_000_000_000_000n);
  expect(description).toBe(constantsOf(before)[3]);
  expect({ ...after, constant_pool: [] }).toEqual({ ...before, constant_pool: [] });
});

test('the terms are read back from the bytes, and other bytes are not taken for the coin [R83]', async () => {
  const module = await makeModule(TERMS);
  expect(await readModule(module)).toEqual(TERMS);
  const accents = { ...TERMS, name: 'Récif ✿' };
  expect(await readModule(await makeModule(accents))).toEqual(accents);
  const changed = module.slice();
  changed[changed.length - 6] = 1;
  for (const other of [new Uint8Array(), module.slice(1), module.slice(0, -1), changed])
    expect(await readModule(other)).toBeNull();
});
