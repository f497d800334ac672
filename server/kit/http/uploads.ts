import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { clientAddress } from './client-address.ts';
import { jsonParserOf } from './empty-body.ts';
import { HttpError, badRequest, busy } from './errors.ts';
import { createOpenCounts } from './open-counts.ts';

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

/**
 * Counts a JSON text that comes in pieces, without the contents of its long strings: says after each piece whether the rest is still
 * small. Escaped quotes count wherever they are, as no picture has any.
 */
export function createLeanCount(limitBytes = LEAN_BYTES): (piece: Buffer) => boolean {
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
      if (inside === null) inside = 0;
      else if (!isEscaped) inside = null;
      isEscaped = false;
    }
    return lean <= limitBytes;
  };
}

const notLean = () => badRequest('bad_request', 'The request contains more than an image and a few fields');
const tooLarge = () => new HttpError(413, 'too_large', 'The request is too large');

const tooBusy = () => busy('uploads_busy', 'Too many pictures are being sent at the moment. Try again soon.', 5);

interface Lease {
  reserve(bytes: number): boolean;
  release(): void;
}

function leaseOf(memory: BodyMemory, client: string): Lease {
  let heldBytes = 0;
  return {
    reserve(bytes) {
      if (!memory.reserve(client, bytes)) return false;
      heldBytes += bytes;
      return true;
    },
    release() {
      memory.release(client, heldBytes);
      heldBytes = 0;
    },
  };
}

function collect(payload: IncomingMessage, limitBytes: number, lease: Lease): Promise<string> {
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  return new Promise((resolve, reject) => {
    const stop = (error: Error): void => {
      payload.removeAllListeners('data').removeAllListeners('end');
      chunks.length = 0;
      payload.pause();
      reject(error);
    };
    const isLean = createLeanCount();
    payload.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length;
      if (receivedBytes > limitBytes) return stop(tooLarge());
      if (!isLean(chunk)) return stop(notLean());
      if (!lease.reserve(chunk.length)) {
        return stop(tooBusy());
      }
      chunks.push(chunk);
    });
    payload.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    payload.on('error', stop);
  });
}

export function takeLargeBodies(scope: FastifyInstance, memory: BodyMemory = createBodyMemory()): void {
  const leases = new WeakMap<FastifyRequest, Lease>();
  const enter = createOpenCounts(MOST_BODIES_PER_ADDRESS);
  const parseJson = jsonParserOf(scope);
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
    reply.raw.once('close', lease.release);
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
      parseJson(request, text, (error, body) => (error ? reject(error) : resolve(body)));
    });
  });
}
