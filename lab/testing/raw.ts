import { connect, type Socket } from 'node:net';

/** A request as bytes that no HTTP client would send; stays open until `close`. */
export interface RawRequest {
  /** The first line of the response, such as 'HTTP/1.1 401 Unauthorized'; rejects when the server hangs up without one. */
  statusLine: Promise<string>;
  hasResponse: () => boolean;
  send(bytes: string | Buffer): void;
  close(): void;
}

/**
 * Sends a head (lines without the end) and any given part of a body, and waits for a response without ending the
 * request.
 */
export function rawRequest(url: string, head: string[], body: string | Buffer = ''): RawRequest {
  const { hostname, port, host } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  let received = '';
  const statusLine = new Promise<string>((resolve, reject) => {
    socket.on('data', (data) => {
      received += data.toString('latin1');
      const end = received.indexOf('\r\n');
      if (end >= 0) resolve(received.slice(0, end));
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server hung up without a response')));
  });
  statusLine.catch(() => undefined);
  socket.write([head[0], `host: ${host}`, ...head.slice(1), '', ''].join('\r\n'));
  if (body.length > 0) socket.write(body);
  return {
    statusLine,
    hasResponse: () => received.includes('\r\n'),
    send: (bytes) => void socket.write(bytes),
    close: () => socket.destroy(),
  };
}
