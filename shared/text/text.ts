import { ADDRESS_HEAD_CHARS, ADDRESS_TAIL_CHARS } from '../constants.ts';

/** Length in Unicode code points: the one way text is measured, here, on the server and in the database (R15). */
export function countChars(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** '0x1234…cdef' → first 6 and last 4 characters (S9.12); shorter texts unchanged. */
export function shortenAddress(address: string): string {
  if (address.length <= ADDRESS_HEAD_CHARS + ADDRESS_TAIL_CHARS) return address;
  return `${address.slice(0, ADDRESS_HEAD_CHARS)}...${address.slice(-ADDRESS_TAIL_CHARS)}`;
}
