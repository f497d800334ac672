import { toBase58, toHex } from '@mysten/sui/utils';
import { blake2b } from '@noble/hashes/blake2.js';

const text = new TextEncoder();

function concat(parts: Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** 32 bytes that depend on nothing but the label: keys and ids of the sandbox's own. */
export function seed(label: string): Uint8Array {
  return blake2b(text.encode(`snapswipe-sandbox:${label}`), { dkLen: 32 });
}

export function digestOf(typeName: 'Object' | 'TransactionEffects' | 'TransactionEvents', bytes: Uint8Array): string {
  return toBase58(blake2b(concat([text.encode(`${typeName}::`), bytes]), { dkLen: 32 }));
}

/** The id of the n-th object that a transaction creates: what Move's `TxContext` derives. */
export function createdObjectId(transactionDigest: Uint8Array, index: number): string {
  const counter = new Uint8Array(8);
  new DataView(counter.buffer).setBigUint64(0, BigInt(index), true);
  return `0x${toHex(blake2b(concat([Uint8Array.of(0xf1), transactionDigest, counter]), { dkLen: 32 }))}`;
}
