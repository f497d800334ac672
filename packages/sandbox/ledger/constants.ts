import { normalizeStructTag } from '@mysten/sui/utils';

/** Protocol limits and prices of mainnet in 2026. */
export const REFERENCE_GAS_PRICE_MIST = 1000n;
export const MAX_GAS_BUDGET_MIST = 50_000_000_000n;
export const MIN_GAS_UNITS = 1000n;
export const MAX_GAS_OBJECTS = 256;
export const MAX_COMMANDS = 1024;
export const MAX_COMMAND_ARGUMENTS = 512;
export const MAX_INPUT_OBJECTS = 2048;
export const MAX_TRANSACTION_BYTES = 128 * 1024;
export const PROTOCOL_VERSION = 130n;

/** Gas units that every transaction without Move calls costs (the lowest computation bucket). */
export const COMPUTATION_GAS_UNITS = 1000n;
export const STORAGE_PRICE_MIST_PER_BYTE = 7600n;
/** 99% of the storage fee comes back when an object is rewritten or deleted. */
export const STORAGE_REBATE_BASIS_POINTS = 9900n;

export const EPOCH_DURATION_MS = 24 * 60 * 60 * 1000;
export const FIRST_EPOCH = 1n;

export const MAX_U64 = 2n ** 64n - 1n;

export const SUI_TYPE = normalizeStructTag('0x2::sui::SUI');

/** A package that only the sandbox has, with the demo coin and calls that make objects. */
export const MAKER_PACKAGE = '0x534e415053';
export const SNAPS_TYPE = normalizeStructTag(`${MAKER_PACKAGE}::snaps::SNAPS`);
export const SNAPS_DECIMALS = 6;
export const SNAPS_SUPPLY = 1_000_000_000n * 10n ** 6n;

export const DEFAULT_SCAN_LIMIT = 10_000;
