import { deserialize } from '@mysten/move-bytecode-template';
import { normalizeSuiAddress } from '@mysten/sui/utils';

/** A compiled Move module, as far as the sandbox runs it: names instead of the tables' indices. */

export type Instruction = readonly [name: string, argument?: unknown];

export interface MoveModule {
  readonly name: string;
  readonly structs: readonly string[];
  /** The code of `init`; null without one. */
  readonly init: readonly Instruction[] | null;
  readonly constants: readonly Uint8Array[];
}

interface Table {
  self_module_handle_idx: number;
  identifiers: string[];
  address_identifiers: string[];
  module_handles: { address: number; name: number }[];
  datatype_handles: { module: number; name: number }[];
  function_handles: { module: number; name: number }[];
  function_instantiations: { handle: number }[];
  constant_pool: { type_: unknown; data: number[] }[];
  struct_defs: { struct_handle: number }[];
  function_defs: { function: number; code: { code: (string | Record<string, number>)[] } | null }[];
}

/** The reason why a node refuses the bytes. */
export class InvalidModuleError extends Error {}

const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index];
  if (found === undefined) throw new InvalidModuleError(`no entry ${index}`);
  return found;
};

function parse(bytes: Uint8Array): Table {
  try {
    return deserialize(bytes) as Table;
  } catch (error) {
    throw new InvalidModuleError(String(error));
  }
}

export function readModule(bytes: Uint8Array): MoveModule {
  const table = parse(bytes);
  const word = (index: number): string => at(table.identifiers, index);
  const self = at(table.module_handles, table.self_module_handle_idx);
  if (BigInt(`0x${at(table.address_identifiers, self.address)}`) !== 0n)
    throw new InvalidModuleError('a new package has the address 0x0');
  const constants = table.constant_pool.map((one) => JSON.stringify(one));
  if (new Set(constants).size !== constants.length) throw new InvalidModuleError('DUPLICATE_ELEMENT in constants');
  const nameOf = (index: number): string => {
    const { module, name } = at(table.function_handles, index);
    const handle = at(table.module_handles, module);
    return `${normalizeSuiAddress(at(table.address_identifiers, handle.address))}::${word(handle.name)}::${word(name)}`;
  };
  const readInstruction = (one: string | Record<string, number>): Instruction => {
    if (typeof one === 'string') return [one];
    const [[name, index] = ['', 0]] = Object.entries(one);
    if (name === 'Call') return ['Call', nameOf(index)];
    if (name === 'CallGeneric') return ['Call', nameOf(at(table.function_instantiations, index).handle)];
    return [name, index];
  };
  const init = table.function_defs.find((one) => word(at(table.function_handles, one.function).name) === 'init');
  return {
    name: word(self.name),
    structs: table.struct_defs.map((one) => word(at(table.datatype_handles, one.struct_handle).name)),
    init: init?.code?.code.map(readInstruction) ?? null,
    constants: table.constant_pool.map(({ data }) => Uint8Array.from(data)),
  };
}
