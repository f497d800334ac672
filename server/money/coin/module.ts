import { readFile } from 'node:fs/promises';
import { bcs } from '@mysten/sui/bcs';
import type { CoinTerms } from '#shared/money/coin-rules.ts';

/**
 * The module of a site's coin: the compiled bytes of chain/move/snaps with its terms as constants (R83). Bytes for other
 * terms are made again and compared, so nothing but these constants can differ.
 */

const FILE = new URL('../../../chain/move/snaps/snaps.mv', import.meta.url);
/** 300 KB of WebAssembly, which most servers never need. */
const loadTemplate = () => import('@mysten/move-bytecode-template');

const Units = bcs.u64();
const Text = bcs.string();
const Byte = bcs.u8();
/** The order of the constants in the compiled bytes; a test compares it with the source. */
const PLACEHOLDERS = [
  { type: 'U8', value: Byte.serialize(255) },
  { type: 'Vector(U8)', value: Text.serialize('SYMBOL, SET FOR EACH SITE') },
  { type: 'Vector(U8)', value: Text.serialize('The name of the coin, set for each site') },
  { type: 'U64', value: Units.serialize(2n ** 64n - 1n) },
] as const;

export async function makeModule({ name, symbol, decimals, firstSupply }: CoinTerms): Promise<Uint8Array> {
  const { update_constants: updateConstants } = await loadTemplate();
  const units = BigInt(firstSupply) * 10n ** BigInt(decimals);
  const values = [Byte.serialize(decimals), Text.serialize(symbol), Text.serialize(name), Units.serialize(units)];
  let module: Uint8Array = await readFile(FILE);
  for (const [at, { type, value }] of PLACEHOLDERS.entries()) {
    const wanted = values[at]?.toBytes();
    if (wanted) module = updateConstants(module, wanted, value.toBytes(), type);
  }
  return module;
}

/** The terms in the bytes; null unless they are our module with other terms. */
export async function readModule(module: Uint8Array): Promise<CoinTerms | null> {
  const { get_constants: getConstants } = await loadTemplate();
  try {
    const constants = getConstants(module) as { value_bcs: number[] }[];
    const [decimals, symbol, name, , supply] = constants.map(({ value_bcs: value }) => Uint8Array.from(value));
    if (!decimals || !symbol || !name || !supply) return null;
    const terms = { decimals: Byte.parse(decimals), symbol: Text.parse(symbol), name: Text.parse(name) };
    const firstSupply = Number(BigInt(Units.parse(supply)) / 10n ** BigInt(terms.decimals));
    const found = { ...terms, firstSupply };
    return Buffer.compare(await makeModule(found), module) === 0 ? found : null;
  } catch {
    return null;
  }
}
