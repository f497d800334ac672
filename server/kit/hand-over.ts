import type { Server } from 'node:http';
import net from 'node:net';

/**
 * An upgrade replaces this process by another one, without a failed request: the new process listens on the very same
 * socket, so that no connection waits on one that is about to close, and this one continues to serve its connections
 * (decision 36).
 */

/**
 * Messages of the parent process (ops/serve/workers.ts), which may be of an earlier version: their names must not
 * change.
 */
export const HAND_OVER = 'hand-over';
export const LEAVE = 'leave';
/** The last request of a connection may take 30 seconds, after which the connection may be idle for 72. */
const LONGEST_LEAVE_MS = 105_000;
/** Longer bodies may be refused before they are read, and are then read to their end while the connection stays. */
const SHORT_BYTES = 64 * 1024;

type Listening = Server & { _handle: net.Server | null };

export function handOverWhenAsked(
  server: Server,
  { onLeave, onLeft }: { onLeave: () => void; onLeft: () => void },
): void {
  process.on('message', (message) => {
    // eslint-disable-next-line no-underscore-dangle -- there is no other way to it
    if (message === HAND_OVER) process.send?.({ handedOver: true }, (server as Listening)._handle ?? undefined);
    if (message !== LEAVE) return;
    onLeave();
    leave(server, onLeft);
  });
}

/**
 * Accepts no more connections. Those that are open get one more response each, which says that it is the last: a client that sends
 * a request on an idle connection at the very moment when a server closes it would lose the request.
 */
export function leave(server: Server, onLeft: () => void, longestMs = LONGEST_LEAVE_MS): void {
  server.prependListener('request', (request, response) => {
    if (Number(request.headers['content-length'] ?? 0) <= SHORT_BYTES) response.shouldKeepAlive = false;
  });
  const timer = setTimeout(onLeft, longestMs);
  net.Server.prototype.close.call(server, () => {
    clearTimeout(timer);
    onLeft();
  });
}
