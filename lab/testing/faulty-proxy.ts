import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestApp } from './app.ts';

export type Writes = (client: string, given: string) => string | undefined;
export interface Faults {
  writes?: Writes;
  bodyBytes?: number;
  tls?: { key: string; cert: string };
  /** Responds in place of the server, to these paths or to all. */
  responds?: (path: string) => [status: number, body: string] | undefined;
}

/** A misconfigured proxy in front of a server; returns its port. */
export async function withProxy<T>(
  target: TestApp,
  faults: Faults,
  work: (door: { host: string; port: number }) => Promise<T>,
): Promise<T> {
  const pass = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    const given = String(request.headers['x-forwarded-for'] ?? '');
    const own = faults.responds?.(request.url ?? '');
    if (own) return void response.writeHead(own[0]).end(own[1]);
    if (Number(request.headers['content-length'] ?? 0) > (faults.bodyBytes ?? Infinity))
      return void response.writeHead(413, { connection: 'close' }).end('<h1>413</h1>');
    const { 'x-forwarded-for': _given, ...headers } = request.headers;
    const written = (faults.writes ?? ((client) => client))('198.51.100.7', given);
    const more = written === undefined ? {} : { 'x-forwarded-for': written };
    const { method, url: path } = request;
    const passed = http.request(target.url, { path, method, headers: { ...headers, ...more }, agent: false });
    passed.once('response', (found) => found.pipe(response.writeHead(found.statusCode ?? 500, found.headers)));
    passed.once('error', () => response.destroy());
    request.once('error', () => passed.destroy());
    response.once('close', () => passed.destroy());
    request.pipe(passed);
  };
  const proxy = faults.tls ? https.createServer(faults.tls, pass) : http.createServer(pass);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  try {
    return await work({ host: '127.0.0.1', port: (proxy.address() as AddressInfo).port });
  } finally {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  }
}
