import { bcs } from '@mysten/sui/bcs';
import { normalizeStructTag } from '@mysten/sui/utils';
import { STORAGE_PRICE_MIST_PER_BYTE, SUI_TYPE } from './constants.ts';
import { digestOf } from './digests.ts';

/** A coin as commands see it while a transaction runs. `owner` null: created here and not transferred yet. */
export interface LiveCoin {
  readonly id: string;
  readonly coinType: string;
  value: bigint;
  owner: string | null;
  /** Moved into another coin, destroyed or transferred: later commands may not use it. */
  spent: boolean;
}

/** A coin object at one version, as the chain stores it. */
export interface CoinObject {
  readonly id: string;
  readonly version: bigint;
  /** Normalised type of the currency, e.g. `0x…2::sui::SUI`. */
  readonly coinType: string;
  readonly value: bigint;
  readonly owner: string;
  readonly previousTransaction: string;
  /** Storage cost of this object, given back in part when it is rewritten or deleted. */
  readonly storageRebateMist: bigint;
  readonly digest: string;
  readonly bcs: Uint8Array;
}

const objectTypes = new Map<string, string>();

/** `0x…2::coin::Coin<T>`, normalised. */
export function coinObjectType(coinType: string): string {
  const known = objectTypes.get(coinType) ?? normalizeStructTag(`0x2::coin::Coin<${coinType}>`);
  objectTypes.set(coinType, known);
  return known;
}

export function coinContents(coin: { id: string; value: bigint }): Uint8Array {
  const contents = new Uint8Array(40);
  contents.set(bcs.Address.serialize(coin.id).toBytes());
  new DataView(contents.buffer).setBigUint64(32, coin.value, true);
  return contents;
}

/** Completes a coin object with its BCS form and digest. */
export function sealCoin(fields: Omit<CoinObject, 'digest' | 'bcs'>): CoinObject {
  const bytes = bcs.Object.serialize({
    data: {
      Move: {
        type: fields.coinType === SUI_TYPE ? { GasCoin: true } : { Coin: fields.coinType },
        hasPublicTransfer: true,
        version: fields.version,
        contents: coinContents(fields),
      },
    },
    owner: { AddressOwner: fields.owner },
    previousTransaction: fields.previousTransaction,
    storageRebate: fields.storageRebateMist,
  }).toBytes();
  return { ...fields, digest: digestOf('Object', bytes), bcs: bytes };
}

const storageFees = new Map<string, bigint>();

/** The storage fee in MIST of one coin object: 988000 for SUI, as on mainnet; more for a longer type. */
export function storageFeeMist(coinType: string): bigint {
  const known = storageFees.get(coinType);
  if (known !== undefined) return known;
  const typeBytes = coinType === SUI_TYPE ? 0 : bcs.TypeTag.serialize(coinType).toBytes().length;
  const fee = BigInt(130 + typeBytes) * STORAGE_PRICE_MIST_PER_BYTE;
  storageFees.set(coinType, fee);
  return fee;
}
