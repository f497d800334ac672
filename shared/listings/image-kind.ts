/** The kind of a file can be told from this many bytes. */
export const IMAGE_KIND_BYTES = 256;

export type ImageKind = 'png' | 'jpeg' | 'webp' | 'gif' | 'avif';

/** The kind by the first bytes, whatever a label says (R25). Null for unsupported formats (SVG, HEIC, TIFF, …). */
export function imageKind(bytes: Uint8Array): ImageKind | null {
  const head = String.fromCharCode(...bytes.subarray(0, IMAGE_KIND_BYTES));
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif';
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return 'webp';
  return head.startsWith('ftyp', 4) && hasAvifBrand(bytes, head) ? 'avif' : null;
}

/** AVIF and HEIC share a container and differ in the brands of its first box. */
function hasAvifBrand(bytes: Uint8Array, head: string): boolean {
  const boxBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const brands = head.slice(0, boxBytes).match(/.{4}/gs) ?? [];
  return brands.slice(2).some((brand) => brand === 'avif' || brand === 'avis');
}
