import { fromBase64 } from '@mysten/sui/utils';

export function decodeBase64(text: string): Uint8Array | null {
  try {
    return fromBase64(text);
  } catch {
    return null;
  }
}
