/**
 * Arrays in PostgreSQL's binary format, for statements that are sent often. pg sends a parameter that is a Buffer in binary.
 * Source: array_recv and array_send in PostgreSQL's src/backend/utils/adt/arrayfuncs.c.
 */

const BOOL_OID = 16;
const BYTEA_OID = 17;
const INT8_OID = 20;

const HEADER_BYTES = 20;
const UINT32 = 2 ** 32;

function open(elementOid: number, count: number, elementBytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + count * (4 + elementBytes));
  const head = [count === 0 ? 0 : 1, 0, elementOid, count, 1];
  head.forEach((value, index) => buffer.writeInt32BE(value, 4 * index));
  return count === 0 ? buffer.subarray(0, 12) : buffer;
}

/** bigint[] from integers of at most 2^53. */
export function int8Array(values: readonly number[]): Buffer {
  const buffer = open(INT8_OID, values.length, 8);
  let at = HEADER_BYTES;
  for (const value of values) {
    buffer.writeInt32BE(8, at);
    buffer.writeInt32BE(Math.floor(value / UINT32), at + 4);
    buffer.writeUInt32BE(value >>> 0, at + 8);
    at += 12;
  }
  return buffer;
}

export function boolArray(values: readonly boolean[]): Buffer {
  const buffer = open(BOOL_OID, values.length, 1);
  let at = HEADER_BYTES;
  for (const value of values) {
    buffer.writeInt32BE(1, at);
    buffer.writeUInt8(value ? 1 : 0, at + 4);
    at += 5;
  }
  return buffer;
}

/** @throws RangeError when the byte strings differ in length */
export function byteaArray(values: readonly Uint8Array[]): Buffer {
  const length = values[0]?.length ?? 0;
  const buffer = open(BYTEA_OID, values.length, length);
  let at = HEADER_BYTES;
  for (const value of values) {
    if (value.length !== length) throw new RangeError('byte strings of different lengths');
    buffer.writeInt32BE(length, at);
    buffer.set(value, at + 4);
    at += 4 + length;
  }
  return buffer;
}
