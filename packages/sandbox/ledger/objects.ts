import { bcs } from '@mysten/sui/bcs';
import {
  coinContents,
  type CoinObject,
  coinObjectType,
  type LiveCoin,
  sealCoin,
  sealed,
  storageFeeMist,
  type StoredObject,
} from './coins.ts';
import { STORAGE_PRICE_MIST_PER_BYTE } from './constants.ts';

/** An object that is not a coin, as commands see it while a transaction runs; `owner` and `spent` as of a coin. */
export interface LiveTyped {
  readonly id: string;
  /** Normalised, e.g. `0x…2::package::UpgradeCap`. */
  readonly objectType: string;
  fields: Uint8Array;
  owner: string | null;
  spent: boolean;
  /** The type has no `store`: only its module moves the object. */
  isKeyOnly?: boolean;
}

interface TypedObject extends StoredObject {
  readonly objectType: string;
  readonly fields: Uint8Array;
  readonly isKeyOnly: boolean;
}

export type LiveObject = LiveCoin | LiveTyped;
export type ChainObject = CoinObject | TypedObject;

export const isCoin = <T extends object>(object: T): object is Extract<T, { coinType: string }> => 'coinType' in object;

/** The full type of an object, e.g. `0x…2::coin::Coin<0x…2::sui::SUI>`. */
export const typeOf = (object: ChainObject | LiveObject): string =>
  isCoin(object) ? coinObjectType(object.coinType) : object.objectType;

export const contentsOf = (object: ChainObject): Uint8Array =>
  isCoin(object) ? coinContents(object) : typedContents(object);

const typedContents = ({ id, fields }: { id: string; fields: Uint8Array }): Uint8Array =>
  Uint8Array.from([...bcs.Address.serialize(id).toBytes(), ...fields]);

/** Bytes of an object besides its type and the fields after its id. */
const BASE_BYTES = 122;

export function storageFeeOf(object: LiveObject): bigint {
  if (isCoin(object)) return storageFeeMist(object.coinType);
  const typeBytes = structBytes(object.objectType).length;
  return BigInt(BASE_BYTES + typeBytes + object.fields.length) * STORAGE_PRICE_MIST_PER_BYTE;
}

/** A type tag of a struct is its kind in one byte, then the struct. */
const structBytes = (type: string): Uint8Array => bcs.TypeTag.serialize(type).toBytes().slice(1);

interface Written {
  version: bigint;
  previousTransaction: string;
}

export function seal(object: LiveObject, owner: string, written: Written): ChainObject {
  const storageRebateMist = storageFeeOf(object);
  if (isCoin(object)) {
    const { id, coinType, value } = object;
    return sealCoin({ id, coinType, value, owner, storageRebateMist, ...written });
  }
  const { id, objectType, fields, isKeyOnly = false } = object;
  const stored = { id, objectType, fields, isKeyOnly, owner, storageRebateMist, ...written };
  const type = { Other: bcs.StructTag.parse(structBytes(objectType)) };
  return { ...stored, ...sealed(stored, type, typedContents(object), !isKeyOnly) };
}

export function liveCopy(object: ChainObject): LiveObject {
  const { id, owner } = object;
  if (isCoin(object)) return { id, coinType: object.coinType, value: object.value, owner, spent: false };
  const { objectType, fields, isKeyOnly } = object;
  return { id, objectType, fields, isKeyOnly, owner, spent: false };
}

/** A normalized type without its parameters: `0x…2::coin::Coin`. */
export const baseType = (type: string): string => type.split('<', 1)[0] ?? type;
