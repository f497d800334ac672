import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TOTAL_COUNT_HEADER } from '#shared/site/pages.ts';
import { countResponse } from '../traffic.ts';
import { isKnown } from './if-none-match.ts';

export interface CachedResponse {
  text: string;
  type: string;
  /** Weak: the same content in every encoding. */
  etag: string;
  headers: Record<string, string>;
  encoded: Map<Encoding, Promise<Buffer>>;
}

type Encoding = 'br' | 'gzip';

const COMPRESS_FROM_CHARACTERS = 1024;
// Strong enough for JSON, and a sixth of the time of the strongest.
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};
const compressors: Record<Encoding, (data: string) => Promise<Buffer>> = {
  br: (data) => promisify(brotliCompress)(data, BROTLI),
  gzip: promisify(gzip) as (data: string) => Promise<Buffer>,
};

const JSON_TYPE = 'application/json; charset=utf-8';

export function toCachedText(text: string, type: string, headers: Record<string, string> = {}): CachedResponse {
  // On 304 a browser keeps the headers that it has, so they are part of what the tag stands for.
  const content = text + Object.entries(headers).join('\n');
  return { text, type, etag: `W/"${hash('sha256', content, 'base64url').slice(0, 22)}"`, headers, encoded: new Map() };
}

export const toCachedResponse = (body: unknown, headers: Record<string, string> = {}): CachedResponse =>
  toCachedText(JSON.stringify(body), JSON_TYPE, headers);

/** Most memory that a response may take: its text, two bytes a character if one is not Latin, and its compressed forms. */
export const bytesOf = ({ text }: CachedResponse): number => Math.ceil(2.5 * text.length);

function wantedEncoding({ headers }: FastifyRequest): Encoding | null {
  const accepted = new Map(
    (headers['accept-encoding'] ?? '').split(',').map((entry) => {
      const [name = '', weight = ''] = entry.split(';');
      // RFC 9110: a weight of 0 means not accepted.
      return [name.trim().toLowerCase(), !/^\s*q=0(?:\.0*)?\s*$/i.test(weight)];
    }),
  );
  if (accepted.get('br')) return 'br';
  return accepted.get('gzip') ? 'gzip' : null;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    isOpen?: boolean;
  }
}

/** Browsers store it and revalidate it each time, and so do shared caches if it is the same for everyone. */
const cacheControlOf = ({ routeOptions }: FastifyRequest): string =>
  routeOptions.config.isOpen ? 'public, no-cache' : 'private, no-cache';

/** Headers that a 304 repeats: without `vary` a browser could show a page the response made for another site. */
const REPEATED = ['vary', 'access-control-allow-origin', 'access-control-expose-headers', TOTAL_COUNT_HEADER];

/** Most polls end here: send 304 and skip everything a body needs. */
function sendNotModified(reply: FastifyReply, etag: string, cacheControl: string): FastifyReply {
  const repeated = REPEATED.flatMap((name) => (reply.hasHeader(name) ? [name, String(reply.getHeader(name))] : []));
  countResponse(reply.request, 304);
  reply.hijack();
  reply.raw.writeHead(304, ['ETag', etag, 'Cache-Control', cacheControl, ...repeated]);
  reply.raw.end();
  return reply;
}

export function sendCached(request: FastifyRequest, reply: FastifyReply, cached: CachedResponse): FastifyReply {
  const cacheControl = cached.headers['Cache-Control'] ?? cacheControlOf(request);
  const isLong = cached.text.length >= COMPRESS_FROM_CHARACTERS;
  if (isLong) reply.header('Vary', 'Accept-Encoding');
  reply.headers(cached.headers);
  if (isKnown(request, cached.etag)) return sendNotModified(reply, cached.etag, cacheControl);
  reply.header('Cache-Control', cacheControl).header('ETag', cached.etag).header('Content-Type', cached.type);
  const encoding = isLong ? wantedEncoding(request) : null;
  if (encoding === null) return reply.send(cached.text);
  let compressed = cached.encoded.get(encoding);
  if (compressed === undefined) {
    compressed = compressors[encoding](cached.text);
    cached.encoded.set(encoding, compressed);
  }
  reply.header('Content-Encoding', encoding);
  void compressed.then(
    (bytes) => reply.send(bytes),
    (error: unknown) => {
      cached.encoded.delete(encoding);
      reply.removeHeader('Content-Encoding').send(error);
    },
  );
  return reply;
}

/** Made for one response only: a hundredth of a millisecond per kilobyte, less than handing it to another thread and back. */
const compressQuickly: Record<Encoding, (json: Buffer) => Buffer> = {
  br: (json) => brotliCompressSync(json, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (json) => gzipSync(json, { level: 1 }),
};

export function sendPersonal(
  request: FastifyRequest,
  reply: FastifyReply,
  { json, etag }: { json: Buffer; etag: string },
): FastifyReply {
  const cacheControl = cacheControlOf(request);
  const isLong = json.length >= COMPRESS_FROM_CHARACTERS;
  if (isLong) reply.header('Vary', 'Accept-Encoding');
  if (isKnown(request, etag)) return sendNotModified(reply, etag, cacheControl);
  reply.header('Cache-Control', cacheControl).header('ETag', etag);
  reply.header('Content-Type', JSON_TYPE);
  if (!isLong) return reply.send(json);
  const encoding = wantedEncoding(request);
  if (encoding === null) return reply.send(json);
  return reply.header('Content-Encoding', encoding).send(compressQuickly[encoding](json));
}
