import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { clientAddress } from './client-address.ts';
import { jsonParserOf } from './empty-body.ts';
import { HttpError, badRequest, busy } from './errors.ts';
import { createOpenCounts } from './open-counts.ts';

/**
 * Bodies that may carry a picture: megabytes of JSON with one long string in it. They need bounds that small bodies do not: all of them
 * together share a bounded amount of memory, one user and one address get an eighth of it at most, each has to keep arriving, and everything
 * except the long strings has to be as small as any other body, because parsing a million brackets stops the process for a second.
 */
const SHARES = 8;
/** A share is the largest body that an endpoint takes. */
const MEMORY_BYTES = SHARES * 15 * 1024 * 1024;
const MOST_BODIES_PER_ADDRESS = 16;
const LEAN_BYTES = 64 * 1024;
/** Bytes of a string beyond this length do not count: a picture is longer, a description is not. */
const LONG_STRING_BYTES = 2048;
const LEAST_BYTES_PER_MS = (64 * 1024) / 1000;
const GRACE_MS = 3_000;
/** How fast the recent pace of a body forgets. */
const FORGET_MS = 500;

/** The memory of one body. */
interface Lease {
  /** Returns false for a body that has to be refused. */
  reserve(bytes: number): boolean;
  /** True if the mean pace of the body since its first byte is too low for what it holds. */
  isSlow(): boolean;
  /** A body that has arrived gives way to no other: it is being worked on. */
  arrive(): void;
  release(): void;
}

interface Arriving {
  paceNow(): number;
  giveWay(): void;
}

interface BodyMemory {
  /** `giveWay` is called when the body has to make room for another one, and releases the lease. */
  open(owners: readonly string[], giveWay: () => void): Lease;
}

export function createBodyMemory(totalBytes = MEMORY_BYTES, now: () => number = () => performance.now()): BodyMemory {
  let usedBytes = 0;
  const byOwner = new Map<string, number>();
  const arriving = new Map<Lease, Arriving>();

  function makeRoom(bytes: number, newcomer: Lease): boolean {
    if (usedBytes + bytes <= totalBytes) return true;
    let slowest: Arriving | undefined;
    for (const [lease, body] of arriving)
      if (lease !== newcomer && body.paceNow() < (slowest?.paceNow() ?? Infinity)) slowest = body;
    if (!slowest) return false;
    slowest.giveWay();
    return makeRoom(bytes, newcomer);
  }

  function count(owners: readonly string[], bytes: number): void {
    usedBytes += bytes;
    for (const owner of owners) {
      const left = (byOwner.get(owner) ?? 0) + bytes;
      if (left > 0) byOwner.set(owner, left);
      else byOwner.delete(owner);
    }
  }

  return {
    open(owners, giveWay) {
      let heldBytes = 0;
      let startMs = 0;
      let lastMs = 0;
      let recentBytes = 0;
      const recentAt = (ms: number) => recentBytes * Math.exp((lastMs - ms) / FORGET_MS);
      const paceNow = () => recentAt(now()) / (FORGET_MS * (1 - Math.exp((startMs - now()) / FORGET_MS)));
      const lease: Lease = {
        reserve(bytes) {
          const isShareFull = owners.some((owner) => (byOwner.get(owner) ?? 0) + bytes > totalBytes / SHARES);
          if (isShareFull || !makeRoom(bytes, lease)) return false;
          const ms = now();
          if (heldBytes === 0) startMs = ms;
          recentBytes = recentAt(ms) + bytes;
          lastMs = ms;
          heldBytes += bytes;
          count(owners, bytes);
          arriving.set(lease, { paceNow, giveWay });
          return true;
        },
        isSlow() {
          const tookMs = now() - startMs;
          return heldBytes > LEAN_BYTES && tookMs > GRACE_MS && heldBytes < LEAST_BYTES_PER_MS * tookMs;
        },
        arrive: () => void arriving.delete(lease),
        release() {
          arriving.delete(lease);
          count(owners, -heldBytes);
          heldBytes = 0;
        },
      };
      return lease;
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

const tooSlow = () =>
  new HttpError(408, 'too_slow', 'The picture arrived too slowly. Try again on a faster connection.');

interface Collecting {
  limitBytes: number;
  memory: BodyMemory;
  owners: readonly string[];
}

/** Resolves with the text and its lease, which is to be released when nothing holds the text. */
function collect(payload: IncomingMessage, { limitBytes, memory, owners }: Collecting): Promise<[string, Lease]> {
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  return new Promise((resolve, reject) => {
    const stop = (error: Error): void => {
      clearInterval(timer);
      payload.removeAllListeners('data').removeAllListeners('end');
      chunks.length = 0;
      lease.release();
      payload.pause();
      reject(error);
    };
    const lease = memory.open(owners, () => stop(tooBusy()));
    const timer = setInterval(() => {
      if (lease.isSlow()) stop(tooSlow());
    }, 1_000);
    const isLean = createLeanCount();
    payload.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length;
      if (receivedBytes > limitBytes) return stop(tooLarge());
      if (!isLean(chunk)) return stop(notLean());
      if (!lease.reserve(chunk.length)) return stop(tooBusy());
      chunks.push(chunk);
    });
    payload.on('end', () => {
      clearInterval(timer);
      lease.arrive();
      resolve([Buffer.concat(chunks).toString('utf8'), lease]);
    });
    payload.on('error', stop);
  });
}

export function takeLargeBodies(scope: FastifyInstance, memory: BodyMemory = createBodyMemory()): void {
  const leases = new WeakMap<FastifyRequest, Lease>();
  const enter = createOpenCounts(MOST_BODIES_PER_ADDRESS);
  const parseJson = jsonParserOf(scope);
  scope.addHook('preParsing', (request, reply, payload, done) => {
    if (Number(request.headers['content-length'] ?? Infinity) > LEAN_BYTES) {
      const leave = enter(clientAddress(request));
      if (leave === null) return done(tooBusy());
      reply.raw.once('close', leave);
    }
    // Released when the request ends, however it ends: until then its handler holds the picture.
    reply.raw.once('close', () => leases.get(request)?.release());
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
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge();
    const owners = [clientAddress(request), `user ${request.admitted?.userId}`];
    const [text, lease] = await collect(payload, { limitBytes, memory, owners });
    leases.set(request, lease);
    return new Promise((resolve, reject) => {
      parseJson(request, text, (error, body) => (error ? reject(error) : resolve(body)));
    });
  });
}
