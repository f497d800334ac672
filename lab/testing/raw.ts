import { connect, type Socket } from 'node:net';

/**
 * Sends a head (lines without the end) and any given part of a body, and waits for a response without ending the
 * request.
 */
export function rawRequest(url: string, head: string[], body: string | Buffer = '') {
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
    send: (bytes: string | Buffer) => void socket.write(bytes),
    close: () => socket.destroy(),
  };
}
