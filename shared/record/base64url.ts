import { fromBase64, toBase64 } from '@mysten/sui/utils';

/** Base64 for addresses (RFC 4648, section 5), without padding. */
export const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

/** The inverse; null for any text that `toBase64Url` does not write, and for another number of bytes. */
export function fromBase64Url(text: string, length: number): Uint8Array | null {
  if (text.length !== Math.ceil((length * 4) / 3) || !/^[\w-]*$/.test(text)) return null;
  const padded = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .padEnd(Math.ceil(text.length / 4) * 4, '=');
  const bytes = fromBase64(padded);
  return bytes.length === length && toBase64Url(bytes) === text ? bytes : null;
}
