import { fromBase64, toBase64 } from '@mysten/sui/utils';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Base64 for addresses (RFC 4648, section 5), without padding. */
export const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

/** Whether `toBase64Url` writes this text for this many bytes: unused bits of the last character are zero. */
export function isBase64Url(text: string, length: number): boolean {
  if (text.length !== Math.ceil((length * 4) / 3) || !/^[\w-]*$/.test(text)) return false;
  const unusedBits = (text.length * 6) % 8;
  return ALPHABET.indexOf(text.at(-1) ?? 'A') % 2 ** unusedBits === 0;
}

/** Compares texts of equal length by the bytes that they encode. */
export function compareBase64Url(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at === one.length ? 0 : ALPHABET.indexOf(one.charAt(at)) - ALPHABET.indexOf(other.charAt(at));
}

/** The inverse; null for any text that `toBase64Url` does not write, and for a different number of bytes. */
export function fromBase64Url(text: string, length: number): Uint8Array | null {
  if (!isBase64Url(text, length)) return null;
  const padded = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .padEnd(Math.ceil(text.length / 4) * 4, '=');
  return fromBase64(padded);
}
