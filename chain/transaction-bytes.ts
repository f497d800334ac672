import { bcs } from '@mysten/sui/bcs';

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
