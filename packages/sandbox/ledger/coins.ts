import { bcs } from '@mysten/sui/bcs';
import { normalizeStructTag } from '@mysten/sui/utils';
import { STORAGE_PRICE_MIST_PER_BYTE, SUI_TYPE } from './constants.ts';
import { digestOf } from './digests.ts';
import { ownerBcs } from './owner.ts';

/** A coin as commands see it while a transaction runs. `owner` null: created here and not transferred yet. */
export interface LiveCoin {
  readonly id: string;
  readonly coinType: string;
  value: bigint;
  owner: string | null;
  spent: boolean;
  /** A `Balance`, which is neither transferred nor written as an object. */
  isBalance?: boolean;
}

export interface StoredObject {
  readonly id: string;
  readonly version: bigint;
  /** See owner.ts. */
  readonly owner: string;
  readonly previousTransaction: string;
  /** Storage cost of this object, given back in part when it is rewritten or deleted. */
  readonly storageRebateMist: bigint;
  readonly digest: string;
  readonly bcs: Uint8Array;
}

export interface CoinObject extends StoredObject {
  /** Normalized type of the currency, such as `0x…2::sui::SUI`. */
  readonly coinType: string;
  readonly value: bigint;
}

const objectTypes = new Map<string, string>();

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

type MoveType = { GasCoin: true } | { Coin: string } | { Other: typeof bcs.StructTag.$inferType };

export function sealed(
  { version, owner, previousTransaction, storageRebateMist }: Omit<StoredObject, 'digest' | 'bcs'>,
  type: MoveType,
  contents: Uint8Array,
  hasPublicTransfer = true,
): { digest: string; bcs: Uint8Array } {
  const bytes = bcs.Object.serialize({
    data: { Move: { type, hasPublicTransfer, version, contents } },
    owner: ownerBcs(owner),
    previousTransaction,
    storageRebate: storageRebateMist,
  }).toBytes();
  return { digest: digestOf('Object', bytes), bcs: bytes };
}

export function sealCoin(coin: Omit<CoinObject, 'digest' | 'bcs'>): CoinObject {
  const type: MoveType = coin.coinType === SUI_TYPE ? { GasCoin: true } : { Coin: coin.coinType };
  return { ...coin, ...sealed(coin, type, coinContents(coin)) };
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
