const ADDRESS = /^0x([0-9a-f]{1,64})$/i;

/** A Sui address as it is stored and compared: '0x' and 64 lowercase hex digits (R2). Null for anything else. */
export function normalizeAddress(text: string): string | null {
  const digits = ADDRESS.exec(text.trim())?.[1];
  return digits === undefined ? null : `0x${digits.toLowerCase().padStart(64, '0')}`;
}

export function isSameAddress(one: string, other: string): boolean {
  const normalized = normalizeAddress(one);
  return normalized !== null && normalized === normalizeAddress(other);
}
