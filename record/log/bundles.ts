/** Bundles of entries (C2SP tlog-tiles): each entry after its length in two bytes. */

const LENGTH_BYTES = 2;
export const MAX_ENTRY_BYTES = 0xffff;

export function encodeBundle(entries: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(entries.reduce((sum, entry) => sum + LENGTH_BYTES + entry.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const entry of entries) {
    if (entry.length > MAX_ENTRY_BYTES) throw new RangeError(`an entry has at most ${MAX_ENTRY_BYTES} bytes`);
    view.setUint16(at, entry.length);
    bytes.set(entry, at + LENGTH_BYTES);
    at += LENGTH_BYTES + entry.length;
  }
  return bytes;
}

/** The entries of a bundle. @throws RangeError when the bytes are not exactly this many entries. */
export function decodeBundle(bytes: Uint8Array, width: number): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries: Uint8Array[] = [];
  let at = 0;
  while (entries.length < width) {
    if (at + LENGTH_BYTES > bytes.length) throw new RangeError(`the bundle ends after ${entries.length} entries`);
    const start = at + LENGTH_BYTES;
    at = start + view.getUint16(at);
    if (at > bytes.length) throw new RangeError(`entry ${entries.length} of the bundle is cut off`);
    entries.push(bytes.subarray(start, at));
  }
  if (at !== bytes.length) throw new RangeError(`the bundle has bytes after its ${width} entries`);
  return entries;
}
