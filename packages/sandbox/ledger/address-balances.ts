import { bcs, TypeTagSerializer } from '@mysten/sui/bcs';
import { deriveDynamicFieldID, fromBase58, fromHex, toBase58, toHex } from '@mysten/sui/utils';

/** A change of an address balance in the smallest unit; negative for a withdrawal. */
export interface FundsChange {
  readonly address: string;
  readonly coinType: string;
  readonly amount: bigint;
}

/** Money that addresses own without coin objects (SIP-58). */
export class AddressBalances {
  readonly #byOwner = new Map<string, Map<string, bigint>>();

  apply({ address, coinType, amount }: FundsChange): void {
    const owned = this.#byOwner.get(address) ?? new Map<string, bigint>();
    const left = (owned.get(coinType) ?? 0n) + amount;
    if (left > 0n) owned.set(coinType, left);
    else owned.delete(coinType);
    this.#byOwner.set(address, owned);
  }

  of(owner: string): ReadonlyMap<string, bigint> {
    return this.#byOwner.get(owner) ?? new Map();
  }
}

/** One change for each address and currency, zeros left out, in a fixed order. */
export function netOf(changes: readonly FundsChange[]): FundsChange[] {
  const sums = new Map<string, FundsChange>();
  for (const { address, coinType, amount } of changes) {
    const key = `${address} ${coinType}`;
    sums.set(key, { address, coinType, amount: (sums.get(key)?.amount ?? 0n) + amount });
  }
  return [...sums]
    .filter(([, { amount }]) => amount !== 0n)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, change]) => change);
}

export const balanceType = (coinType: string): string => `0x2::balance::Balance<${coinType}>`;

const ids = new Map<string, string>();

/** The id under which effects name the balance: that of a dynamic field of the accumulator root. */
export function accumulatorId(address: string, coinType: string): string {
  const key = `${address} ${coinType}`;
  const known = ids.get(key);
  if (known !== undefined) return known;
  const keyType = TypeTagSerializer.parseFromStr(`0x2::accumulator::Key<${balanceType(coinType)}>`);
  const id = deriveDynamicFieldID('0xacc', keyType, bcs.Address.serialize(address).toBytes());
  ids.set(key, id);
  return id;
}

const MAGIC_FROM = 12;
const MAGIC_BYTE = 0xac;

interface Reference {
  objectId: string;
  version: string | number | bigint;
  digest: string;
}

/** The id of the balance, masked so that it is valid on one chain only. */
function maskedId(id: string, chainId: string): string {
  const mask = fromBase58(chainId);
  return `0x${toHex(fromHex(id).map((byte, at) => byte ^ (mask[at] ?? 0)))}`;
}

/** A gas payment that stands for part of an address balance; the digest holds amount, epoch and a magic number. */
export function reservationRef(
  amount: bigint,
  { owner, coinType, chainId, epoch }: { owner: string; coinType: string; chainId: string; epoch: bigint },
): Reference {
  const digest = new Uint8Array(32).fill(MAGIC_BYTE);
  const view = new DataView(digest.buffer);
  view.setBigUint64(0, amount, true);
  view.setUint32(8, Number(epoch), true);
  const objectId = maskedId(accumulatorId(owner, coinType), chainId);
  return { objectId, version: '0', digest: toBase58(digest) };
}

/** Null for the reference of an object. */
export function readReservation({ digest }: Reference): { amount: bigint; epoch: bigint } | null {
  const bytes = fromBase58(digest);
  if (!bytes.subarray(MAGIC_FROM).every((byte) => byte === MAGIC_BYTE)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { amount: view.getBigUint64(0, true), epoch: BigInt(view.getUint32(8, true)) };
}
