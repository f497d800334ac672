import type { Readable } from 'node:stream';

/**
 * What is still to come of a refused body is read and dropped: a proxy that cannot go on sending takes that for a failure (502). But
 * it is read slowly. At full speed, a client that sends refused megabytes in a loop keeps the process busy with throwing them
 * away; at this pace the connection's own window holds the client back.
 */
const SLICE_BYTES = 256 * 1024;
const BYTES_PER_SECOND = 32 * 1024 * 1024;
const SLICE_MS = (SLICE_BYTES / BYTES_PER_SECOND) * 1000;

declare module 'fastify' {
  interface FastifyInstance {
    drain: Drain;
  }
}

export interface Drain {
  /** Reads and drops what is left of the body. Calling it again for the same body changes nothing. */
  (body: Readable): void;
}

/** One pace for all the bodies of a process. */
export function createDrain(now: () => number = () => performance.now()): Drain {
  const draining = new WeakSet<Readable>();
  let freeAtMs = 0;
  return (body) => {
    if (draining.has(body) || body.readableEnded || body.destroyed) return;
    draining.add(body);
    let sliceBytes = 0;
    body.on('data', (chunk: Buffer) => {
      sliceBytes += chunk.length;
      if (sliceBytes < SLICE_BYTES) return;
      sliceBytes = 0;
      freeAtMs = Math.max(freeAtMs, now()) + SLICE_MS;
      body.pause();
      setTimeout(() => body.resume(), freeAtMs - now()).unref();
    });
    // A client that goes away in the middle has nobody left to tell.
    body.on('error', () => undefined);
    body.resume();
  };
}
