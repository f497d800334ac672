/** The upper half of code page 850, in which Windows of Western Europe writes names: browsers do not know it. */
const CODE_PAGE_850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';
/** Encodings in which archivers write names without saying so, besides code page 437 of the format. */
const ENCODINGS = [
  'windows-1252',
  'macintosh',
  'ibm866',
  'windows-1250',
  'windows-1251',
  'shift_jis',
  'gbk',
  'big5',
  'euc-kr',
];

const inCodePage850 = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : (CODE_PAGE_850[byte - 128] ?? ''))).join('');

/**
 * The names that an entry may have been given: the archive says one of them, and where that is a guess the others are equally good.
 * The sheet says which is meant.
 */
export function possibleNames(name: string, raw: Uint8Array, isSure: boolean): string[] {
  if ((isSure && !name.includes('\uFFFD')) || raw.every((byte) => byte < 128)) return [name];
  const others = ENCODINGS.map((encoding) => new TextDecoder(encoding).decode(raw));
  return [...new Set([name, inCodePage850(raw), ...others])];
}

/** A path with '/' between its parts, composed letters, and no drive, root or way up: nothing is written to a disk. */
export function normalPath(path: string): string {
  const parts = path
    .normalize('NFC')
    .split(/[/\\]/)
    .map((part) => part.trim());
  return parts.filter((part) => !['', '.', '..'].includes(part) && !/^[a-z]:$/i.test(part)).join('/');
}

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase();

/** Files that systems add to an archive. */
export const isSystemFile = (path: string): boolean =>
  /(?:^|\/)(?:__MACOSX\/.*|\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini)$/i.test(path);

/** The ways in which a path of the sheet names a path of the archive, the closest first. */
const MATCHES: ReadonlyArray<(asked: string, path: string) => boolean> = [
  (asked, path) => path === asked,
  (asked, path) => path.endsWith(`/${asked}`),
  (asked, path) => asked.endsWith(`/${path}`),
];

/** Those of the entries that are meant most closely: as written first, then in any case. */
export function closest<T extends { paths: readonly string[] }>(asked: string, entries: readonly T[]): T[] {
  const lower = asked.toLowerCase();
  for (const matches of MATCHES)
    for (const found of [
      entries.filter(({ paths }) => paths.some((path) => matches(asked, path))),
      entries.filter(({ paths }) => paths.some((path) => matches(lower, path.toLowerCase()))),
    ])
      if (found.length > 0) return found;
  return [];
}
