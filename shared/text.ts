import { ADDRESS_HEAD_CHARS, ADDRESS_TAIL_CHARS } from './constants.ts';

/** Length in Unicode code points: the one way text is measured, here, on the server and in the database (R15). */
export function countChars(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** '0x1234…cdef' → first 6 and last 4 characters (S9.12); shorter texts unchanged. */
export function shortenAddress(address: string): string {
  if (address.length <= ADDRESS_HEAD_CHARS + ADDRESS_TAIL_CHARS) return address;
  return `${address.slice(0, ADDRESS_HEAD_CHARS)}...${address.slice(-ADDRESS_TAIL_CHARS)}`;
}

// eslint-disable-next-line no-control-regex -- control characters are what it is for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200b\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Text from a person as it is stored: NFC, line ends as \n, no control or bidirectional-override characters (which let a
 * name pretend to be another), outer white space removed. Right-to-left letters and emoji stay.
 */
export function cleanText(text: string): string {
  return text.normalize('NFC').replace(/\r\n?/g, '\n').replace(CONTROL, '').trim();
}

/** As cleanText, on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ');
}

/** A name as the ASCII part of a URL: 'Café Swap!' → 'cafe-swap'; '' when nothing is left. */
export function slugify(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '');
}
