/** A writer of zip archives in the forms that systems and tools write, odd ones included. */
export interface ZipFile {
  name: string | Uint8Array;
  bytes: Uint8Array;
  /** 0 stores, 8 deflates; of others `packed` has the bytes. */
  method?: number;
  packed?: Uint8Array;
  /** Sizes follow the data, with their signature or without it. */
  descriptor?: 'signed' | 'bare';
  isUtf8?: boolean;
  isEncrypted?: boolean;
  /** The extra field of zip64 has the sizes and the offset. */
  isZip64?: boolean;
  /** The name in UTF-8, in the extra field of Info-ZIP. */
  unicodeName?: string;
  /** The size that the archive claims, whatever the data is. */
  claimedBytes?: number;
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const little = (width: 2 | 4 | 8, value: number) =>
  Uint8Array.from({ length: width }, (_, at) => Math.floor(value / 256 ** at) % 256);
const u16 = (value: number) => little(2, value);
const u32 = (value: number) => little(4, value);

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ -1) >>> 0;
}

async function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function extraOf({ isZip64, unicodeName }: ZipFile, name: Uint8Array, zip64: readonly number[]): Uint8Array {
  const parts: Uint8Array[] = [];
  if (isZip64) parts.push(u16(1), u16(8 * zip64.length), ...zip64.map((value) => little(8, value)));
  if (unicodeName !== undefined) {
    const data = joined(Uint8Array.of(1), u32(crc32(name)), utf8(unicodeName));
    parts.push(u16(0x7075), u16(data.length), data);
  }
  return joined(...parts);
}

/** The archive, with these bytes before it. */
export async function zipOf(files: readonly ZipFile[], prefix = new Uint8Array()): Promise<Blob> {
  const parts: Uint8Array[] = [prefix];
  const directory: Uint8Array[] = [];
  let offset = prefix.length;
  for (const file of files) {
    const { bytes, method = 8, descriptor, isUtf8 = true, isEncrypted = false, isZip64 = false } = file;
    const name = typeof file.name === 'string' ? utf8(file.name) : file.name;
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as they are written
    const packed = file.packed ?? (method === 8 ? await deflated(bytes) : bytes);
    const claimed = file.claimedBytes ?? bytes.length;
    const crc = u32(crc32(bytes));
    const flags = (isUtf8 ? 0x800 : 0) | (descriptor ? 8 : 0) | (isEncrypted ? 1 : 0);
    const sizes = isZip64 ? [u32(0xffffffff), u32(0xffffffff)] : [u32(packed.length), u32(claimed)];
    const general = [u16(isZip64 ? 45 : 20), u16(flags), u16(method), u16(0), u16(0x5b21)];
    const localExtra = extraOf(file, name, [claimed, packed.length]);
    const extra = extraOf(file, name, [claimed, packed.length, offset]);
    const head = joined(
      u32(0x04034b50),
      ...general,
      ...(descriptor ? [u32(0), u32(0), u32(0)] : [crc, ...sizes]),
      u16(name.length),
      u16(localExtra.length),
      name,
      localExtra,
    );
    const tail = descriptor
      ? joined(...(descriptor === 'signed' ? [u32(0x08074b50)] : []), crc, u32(packed.length), u32(claimed))
      : new Uint8Array();
    directory.push(
      joined(
        u32(0x02014b50),
        u16(20),
        ...general,
        crc,
        ...sizes,
        u16(name.length),
        u16(extra.length),
        new Uint8Array(10),
        u32(isZip64 ? 0xffffffff : offset),
        name,
        extra,
      ),
    );
    parts.push(head, packed, tail);
    offset += head.length + packed.length + tail.length;
  }
  const list = joined(...directory);
  const count = u16(files.length);
  const end = joined(u32(0x06054b50), u16(0), u16(0), count, count, u32(list.length), u32(offset), u16(0));
  return new Blob([joined(...parts, list, end)]);
}
