const HEAD_MAX_CHARS = 1_000;
const PERCENT = 0x25;
const HASH = 0x23;
const SPACES = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x20]);

/** The value of each byte as a hexadecimal digit; 16 for others. */
const DIGITS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase());
  return digit < 0 ? 16 : digit;
});

/**
 * The bytes of a data URL as browsers read it (RFC 2397): with parameters, percent escapes and line breaks, in base64 or escaped byte by byte.
 * Base64 is also taken in the letters of URLs and without its padding. Null when the text is not a data URL.
 */
export function readDataUrl(url: string): Buffer | null {
  const [head, type = ''] = /^\s*data:([^,]*),/i.exec(url.slice(0, HEAD_MAX_CHARS)) ?? [];
  if (head === undefined) return null;
  const data = url.slice(head.length);
  if (!/;\s*base64\s*$/i.test(type)) return unescaped(data);
  return readBase64(data) ?? readBase64(unescaped(data, SPACES).toString('latin1'));
}

/** Null if something in the text is not base64. A pattern would take longer than all other work on a known picture. */
function readBase64(text: string): Buffer | null {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === Math.floor((text.length * 3) / 4) - padding ? bytes : null;
}

/** One pass, because a pattern takes a second for a request that consists of escapes. */
function unescaped(text: string, dropped: ReadonlySet<number> = new Set()): Buffer {
  const bytes = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0;
    if (byte === HASH) break;
    const [high = 16, low = 16] = byte === PERCENT ? [DIGITS[bytes[at + 1] ?? 0], DIGITS[bytes[at + 2] ?? 0]] : [];
    if (high < 16 && low < 16) {
      byte = high * 16 + low;
      at += 2;
    }
    if (!dropped.has(byte)) bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}
