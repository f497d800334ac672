import { bcs } from '@mysten/sui/bcs';
import { fromBase58 } from '@mysten/sui/utils';

type TransactionV1 = NonNullable<(typeof bcs.TransactionData.$inferType)['V1']>;
export type Programmable = NonNullable<TransactionV1['kind']['ProgrammableTransaction']>;

/** Null unless the bytes are exactly one transaction: trailing bytes would only change the digest. */
export function decodeTransaction(bytes: Uint8Array): TransactionV1 | null {
  try {
    const parsed = bcs.TransactionData.parse(bytes);
    const again = bcs.TransactionData.serialize(parsed, { maxSize: bytes.length + 1024 }).toBytes();
    const same = again.length === bytes.length && again.every((byte, at) => byte === bytes[at]);
    return same ? parsed.V1 : null;
  } catch {
    return null;
  }
}

interface Decoder<T> {
  parse: (bytes: Uint8Array) => T;
  serialize: (value: T) => { toBytes: () => Uint8Array };
}

export function readPure<T>(kind: Programmable, index: number | undefined, type: Decoder<T>): T | null {
  const base64 = index === undefined ? undefined : kind.inputs[index]?.Pure?.bytes;
  if (base64 === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const value = type.parse(bytes);
    return type.serialize(value).toBytes().length === bytes.length ? value : null;
  } catch {
    return null;
  }
}

const RESERVATION_BYTE = 0xac;
const RESERVATION_FROM = 12;

/** A reference that stands for part of an address balance (SIP-58), and names no object. */
export function isCoinReservation(digest: string): boolean {
  const bytes = fromBase58(digest);
  return bytes.length === 32 && bytes.subarray(RESERVATION_FROM).every((byte) => byte === RESERVATION_BYTE);
}

/** How long a signed transaction can still be executed. */
export interface Life {
  /** Object versions that the transaction spends, each once. Without any, only the expiration ends it. */
  spends: Array<{ objectId: string; version: bigint }>;
  /** The last epoch in which the transaction can be executed; null if it never expires. */
  lastEpoch: bigint | null;
  /** The chain that the transaction names; null for any chain that knows its objects. */
  chainId: string | null;
}

export function lifeOf({ kind, gasData, expiration }: TransactionV1): Life {
  const inputs = kind.ProgrammableTransaction?.inputs ?? [];
  const objects = inputs.flatMap((input) => input.Object?.ImmOrOwnedObject ?? []);
  const spends = [...gasData.payment, ...objects]
    .filter(({ digest }) => !isCoinReservation(digest))
    .map(({ objectId, version }) => ({ objectId, version: BigInt(version) }));
  const window = expiration.ValidDuring ?? expiration.Validity;
  const last = expiration.Epoch ?? window?.maxEpoch ?? null;
  return { spends, lastEpoch: last === null ? null : BigInt(last), chainId: window?.chain ?? null };
}
