import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { clientAddress } from './client-address.ts';
import { HttpError, badRequest, busy } from './errors.ts';
import { createOpenCounts } from './open-counts.ts';
import { createPictureDecoder, endTicket, type PictureDecoder, prefixOf, keepPicture } from './sent-pictures.ts';

/**
 * Bodies that may carry a picture: megabytes of JSON with one long string in it. They need three bounds that small bodies do not: all open
 * ones together share a bounded amount of memory, one address gets half of it at most, and everything except the long strings has to be as
 * small as any other body, because parsing a million brackets stops the process for a second.
 */
const MEMORY_BYTES = 32 * 1024 * 1024;
const MEMORY_PER_ADDRESS_BYTES = MEMORY_BYTES / 2;
const MOST_BODIES_PER_ADDRESS = 16;
const LEAN_BYTES = 64 * 1024;
/** Bytes of a string beyond this length do not count: a picture is longer, a description is not. */
const LONG_STRING_BYTES = 2048;

interface BodyMemory {
  reserve(client: string, bytes: number): boolean;
  release(client: string, bytes: number): void;
}

export function createBodyMemory(totalBytes = MEMORY_BYTES, perClientBytes = MEMORY_PER_ADDRESS_BYTES): BodyMemory {
  let usedBytes = 0;
  const byClient = new Map<string, number>();
  return {
    reserve(client, bytes) {
      const own = byClient.get(client) ?? 0;
      if (usedBytes + bytes > totalBytes || own + bytes > perClientBytes) return false;
      usedBytes += bytes;
      byClient.set(client, own + bytes);
      return true;
    },
    release(client, bytes) {
      usedBytes -= bytes;
      const own = (byClient.get(client) ?? 0) - bytes;
      if (own > 0) byClient.set(client, own);
      else byClient.delete(client);
    },
  };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function backslashesBefore(bytes: Buffer, at: number): number {
  let count = 0;
  while (bytes[at - 1 - count] === BACKSLASH) count += 1;
  return count;
}

/** The text of a body that comes in pieces, with tickets for its pictures. */
export class BodyText {
  readonly #tickets: string[] = [];
  readonly #decoders: PictureDecoder[] = [];
  readonly #pieces: Buffer[] = [];
  /** The pieces of a string that is too short so far to be a picture. */
  #start: Buffer[] = [];
  #startBytes = 0;
  #picture: PictureDecoder | null = null;

  outside(bytes: Buffer): void {
    this.#pieces.push(bytes);
  }

  inside(bytes: Buffer): void {
    if (this.#picture) this.#picture.take(bytes);
    else if (this.#startBytes > LONG_STRING_BYTES) this.#pieces.push(bytes);
    else this.#begin(bytes);
  }

  #begin(bytes: Buffer): void {
    this.#start.push(bytes);
    this.#startBytes += bytes.length;
    if (this.#startBytes <= LONG_STRING_BYTES) return;
    const start = Buffer.concat(this.#start);
    this.#start = [];
    const prefix = prefixOf(start);
    if (prefix === null) return void this.#pieces.push(start);
    this.#picture = createPictureDecoder();
    this.#decoders.push(this.#picture);
    this.#picture.take(start.subarray(prefix.length));
  }

  endString(): void {
    if (this.#picture) {
      const ticket = keepPicture(this.#picture.end());
      this.#tickets.push(ticket);
      this.#pieces.push(Buffer.from(ticket));
    }
    this.#pieces.push(...this.#start);
    [this.#start, this.#startBytes, this.#picture] = [[], 0, null];
  }

  drop(): void {
    this.#tickets.forEach(endTicket);
    for (const decoder of this.#decoders) decoder.drop();
  }

  toString(): string {
    return Buffer.concat(this.#pieces).toString('utf8');
  }
}

/**
 * Counts a JSON text that comes in pieces, without the contents of its long strings: says after each piece whether the rest is still
 * small. Escaped quotes count wherever they are, as no picture has any.
 */
export function createLeanCount(limitBytes = LEAN_BYTES, sink?: BodyText): (piece: Buffer) => boolean {
  let lean = 0;
  /** Bytes of the string that the text is inside of, so far; null outside of strings. */
  let inside: number | null = null;
  /** The last piece ended in a string, after an odd number of backslashes. */
  let isEscaped = false;
  return (piece) => {
    let at = 0;
    while (at < piece.length && lean <= limitBytes) {
      const quote = piece.indexOf(QUOTE, at);
      const end = quote < 0 ? piece.length : quote;
      const before = inside;
      if (before === null) sink?.outside(piece.subarray(at, end));
      else sink?.inside(piece.subarray(at, end));
      if (before === null) lean += end - at;
      else {
        inside = before + end - at;
        lean += Math.max(0, Math.min(inside, LONG_STRING_BYTES) - before);
      }
      const backslashes = backslashesBefore(piece.subarray(at), end - at);
      const wasEscaped = isEscaped && backslashes === end - at;
      isEscaped = inside !== null && (backslashes + (wasEscaped ? 1 : 0)) % 2 === 1;
      at = end;
      if (quote < 0) continue;
      at += 1;
      lean += 1;
      if (inside !== null && isEscaped) sink?.inside(piece.subarray(quote, at));
      else {
        if (inside !== null) sink?.endString();
        sink?.outside(piece.subarray(quote, at));
        inside = inside === null ? 0 : null;
      }
      isEscaped = false;
    }
    return lean <= limitBytes;
  };
}

const notLean = () => badRequest('bad_request', 'The request contains more than an image and a few fields');
const tooLarge = () => new HttpError(413, 'too_large', 'The request is too large');

const tooBusy = () => busy('uploads_busy', 'Too many pictures are being sent at the moment. Try again soon.', 5);

interface Lease {
  text: BodyText | null;
  reserve(bytes: number): boolean;
  release(): void;
}

function leaseOf(memory: BodyMemory, client: string): Lease {
  let heldBytes = 0;
  return {
    text: null,
    reserve(bytes) {
      if (!memory.reserve(client, bytes)) return false;
      heldBytes += bytes;
      return true;
    },
    release() {
      memory.release(client, heldBytes);
      heldBytes = 0;
      this.text?.drop();
    },
  };
}

function collect(payload: IncomingMessage, limitBytes: number, lease: Lease): Promise<string> {
  const text = new BodyText();
  lease.text = text;
  let receivedBytes = 0;
  return new Promise((resolve, reject) => {
    const stop = (error: Error): void => {
      payload.removeAllListeners('data').removeAllListeners('end');
      payload.pause();
      reject(error);
    };
    const isLean = createLeanCount(LEAN_BYTES, text);
    payload.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length;
      if (receivedBytes > limitBytes) return stop(tooLarge());
      if (!lease.reserve(chunk.length)) return stop(tooBusy());
      if (!isLean(chunk)) return stop(notLean());
    });
    payload.on('end', () => resolve(text.toString()));
    payload.on('error', stop);
  });
}

export function takeLargeBodies(scope: FastifyInstance, memory: BodyMemory = createBodyMemory()): void {
  const leases = new WeakMap<FastifyRequest, Lease>();
  const enter = createOpenCounts(MOST_BODIES_PER_ADDRESS);
  const parseJson = scope.getDefaultJsonParser('error', 'error');
  scope.addHook('preParsing', (request, reply, payload, done) => {
    const client = clientAddress(request);
    if (Number(request.headers['content-length'] ?? Infinity) > LEAN_BYTES) {
      const leave = enter(client);
      if (leave === null) return done(tooBusy());
      reply.raw.once('close', leave);
    }
    const lease = leaseOf(memory, client);
    leases.set(request, lease);
    // However the request ends, and not before: until then its handler holds the picture.
    reply.raw.once('close', () => lease.release());
    done(null, payload);
  });
  // The framework closes the connection when a parser fails, and a proxy in the middle of the body then loses the response. An endless body
  // is still cut off, and any other by the request's time limit.
  scope.addHook('onSend', (request, reply, _payload, done) => {
    const announcedBytes = Number(request.headers['content-length'] ?? Infinity);
    if (announcedBytes <= 2 * request.routeOptions.bodyLimit) reply.removeHeader('connection');
    done();
  });
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const limitBytes = request.routeOptions.bodyLimit;
    const lease = leases.get(request);
    if (!lease) throw new Error('a body without a lease');
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge();
    const text = await collect(payload, limitBytes, lease);
    return new Promise((resolve, reject) => {
      void parseJson(request, text, (error, body) => (error ? reject(error) : resolve(body)));
    });
  });
}
