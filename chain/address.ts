const ADDRESS = /^0x([0-9a-f]{1,64})$/i;

/**
 * A Sui address as it is stored and compared everywhere: '0x' and 64 lowercase hex digits (R2). Short forms ('0x2') are
 * padded; null for anything that is not an address.
 */
export function normalizeAddress(text: string): string | null {
  const digits = ADDRESS.exec(text.trim())?.[1];
  return digits === undefined ? null : `0x${digits.toLowerCase().padStart(64, '0')}`;
}

export function isSameAddress(one: string, other: string): boolean {
  const normalized = normalizeAddress(one);
  return normalized !== null && normalized === normalizeAddress(other);
}
