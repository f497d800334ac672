import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/**
 * The rest of a refused body is read and dropped, because a proxy that cannot finish sending reports a failure (502). But it is read
 * slowly, and of a few bodies at a time. At full speed, a client that sends refused megabytes in a loop keeps the process busy with
 * throwing them away and collecting their memory; at this pace the connection's own window holds the client back.
 */
const SLICE_BYTES = 256 * 1024;
const BYTES_PER_SECOND = 4 * 1024 * 1024;
const SLICE_MS = (SLICE_BYTES / BYTES_PER_SECOND) * 1000;
const MOST_AT_ONCE = 8;
const MOST_WAITING = 100;
const SHORT_BYTES = 64 * 1024;

declare module 'fastify' {
  interface FastifyInstance {
    drain: Drain;
  }
}

type Body = Readable & Pick<IncomingMessage, 'complete' | 'headers'>;

interface Drain {
  /** Reads and drops the rest of a request's body; `response` is about to be sent. Calling it again changes nothing. */
  (body: Body, response: Pick<ServerResponse, 'shouldKeepAlive'>): void;
}

const isShort = ({ headers }: Body): boolean => Number(headers['content-length'] ?? Infinity) <= SHORT_BYTES;

export function createDrain(now: () => number = () => performance.now()): Drain {
  const seen = new WeakSet<Body>();
  const waiting = new Set<Body>();
  let freeAtMs = 0;
  let reading = 0;

  function leave(body: Body): void {
    if (waiting.delete(body)) return;
    reading -= 1;
    const [next] = waiting;
    if (next && waiting.delete(next)) read(next);
  }

  function read(body: Body): void {
    reading += 1;
    let sliceBytes = 0;
    body.on('data', (chunk: Buffer) => {
      sliceBytes += chunk.length;
      if (sliceBytes < SLICE_BYTES) return;
      sliceBytes = 0;
      freeAtMs = Math.max(freeAtMs, now()) + SLICE_MS;
      body.pause();
      setTimeout(() => body.resume(), freeAtMs - now()).unref();
    });
    body.resume();
  }

  return (body, response) => {
    if (body.readableEnded || body.destroyed || seen.has(body)) return;
    seen.add(body);
    body.on('error', () => undefined);
    // Unread data would keep the next request of the connection waiting.
    if (body.complete || isShort(body)) return void body.resume();
    if (reading >= MOST_AT_ONCE) {
      // Node.js discards an unread body as soon as its response is sent, at full speed.
      body.read(0);
      body.pause();
    }
    if (waiting.size >= MOST_WAITING) {
      response.shouldKeepAlive = false;
      return;
    }
    body.once('close', () => leave(body));
    if (reading < MOST_AT_ONCE) read(body);
    else waiting.add(body);
  };
}
