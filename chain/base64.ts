import { fromBase64 } from '@mysten/sui/utils';

/** The bytes of a base64 text; null for any other text. */
export function decodeBase64(text: string): Uint8Array | null {
  try {
    return fromBase64(text);
  } catch {
    return null;
  }
}
