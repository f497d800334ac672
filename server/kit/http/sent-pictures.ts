import { createHash, randomBytes } from 'node:crypto';
import { badRequest } from './errors.ts';

/**
 * Pictures come as data URLs in JSON (R25). They are decoded and hashed while the body arrives, and the parsed body names them by tickets: as
 * text, ten megabytes are copied, parsed and checked for a tenth of a second, also of a picture that is already known.
 */

export interface SentPicture {
  /** In hexadecimal digits. */
  sha256: string;
  byteLength: number;
  /** Enough bytes to tell the kind of file. */
  head: Buffer;
  /** A copy. @throws 400 when the request has ended */
  bytes(): Buffer;
}

export interface PictureDecoder {
  take(base64: Buffer): void;
  /** Null unless it was base64 throughout. */
  end(): SentPicture | null;
  /** Gives its memory to other pictures. */
  drop(): void;
}

const HEAD_BYTES = 256;
const GROUP = 4;

function decodedLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / GROUP) - padding;
}

/** Memory is used again: a new ten megabytes for each picture would start the garbage collector every time. */
const BLOCK_BYTES = 256 * 1024;
const MOST_FREE = 64;
const free: Buffer[] = [];

export function createPictureDecoder(): PictureDecoder {
  const hash = createHash('sha256');
  let blocks: Buffer[] = [];
  const pieces: Buffer[] = [];
  let [rest, byteLength, used, isBroken, isDropped] = ['', 0, 0, false, false];

  function blockFor(length: number): Buffer {
    const last = blocks.at(-1);
    if (last && used + length <= last.length) return last;
    // No more than came so far: a body may hold many small pictures.
    const wanted = Math.max(length, Math.min(byteLength, BLOCK_BYTES));
    const next = (wanted === BLOCK_BYTES ? free.pop() : undefined) ?? Buffer.allocUnsafeSlow(wanted);
    blocks.push(next);
    used = 0;
    return next;
  }

  function decode(base64: string): void {
    const expected = decodedLength(base64);
    const block = blockFor(expected);
    const length = block.write(base64, used, 'base64');
    // The decoder leaves out what is not base64.
    if (length !== expected) isBroken = true;
    const bytes = block.subarray(used, used + length);
    hash.update(bytes);
    pieces.push(bytes);
    used += length;
    byteLength += length;
  }

  return {
    take(piece) {
      if (isBroken || isDropped) return;
      const joined = rest + piece.toString('latin1');
      // JSON may write '/' as '\/'.
      const text = joined.includes('\\') ? joined.replaceAll('\\/', '/') : joined;
      // The last group may be padded.
      const end = Math.max(0, Math.floor((text.length - 1) / GROUP) * GROUP);
      rest = text.slice(end);
      decode(text.slice(0, end));
    },
    end() {
      // A single digit is less than a byte.
      if (rest.length === 1) isBroken = true;
      if (!isBroken && !isDropped) decode(rest);
      if (isBroken || isDropped) return null;
      const head = Buffer.concat(pieces.slice(0, 2)).subarray(0, HEAD_BYTES);
      return {
        sha256: hash.digest('hex'),
        byteLength,
        head,
        bytes() {
          if (isDropped) throw badRequest('request_ended', 'The request ended before its picture was read');
          return Buffer.concat(pieces, byteLength);
        },
      };
    },
    drop() {
      isDropped = true;
      for (const block of blocks) if (block.length === BLOCK_BYTES && free.length < MOST_FREE) free.push(block);
      blocks = [];
    },
  };
}

const PREFIX = /^data:[^,\\]{0,190};base64,/i;
const PREFIX_MAX_BYTES = 210;
export const prefixOf = (start: Buffer): string | null =>
  PREFIX.exec(start.toString('latin1', 0, PREFIX_MAX_BYTES))?.[0] ?? null;

/** No client knows it, so that a ticket names a picture of its own body. */
const TICKET = `picture:${randomBytes(16).toString('hex')}:`;
const kept = new Map<string, SentPicture | null>();
let tickets = 0;

export function keepPicture(picture: SentPicture | null): string {
  tickets += 1;
  const ticket = TICKET + tickets;
  kept.set(ticket, picture);
  return ticket;
}

export const endTicket = (ticket: string): boolean => kept.delete(ticket);

/** The picture of a ticket or data URL; null where it is neither. */
export function sentPicture(text: string): SentPicture | null {
  if (text.startsWith(TICKET)) return kept.get(text) ?? null;
  const prefix = prefixOf(Buffer.from(text.slice(0, PREFIX_MAX_BYTES)));
  if (prefix === null) return null;
  const decoder = createPictureDecoder();
  decoder.take(Buffer.from(text.slice(prefix.length)));
  return decoder.end();
}
