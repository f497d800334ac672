import http from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setting } from './setting.ts';

const PIECES = 40;
const PAUSE_MS = 40;

/** The site by a way on which HTML comes in forty pieces within 1.6 s, and everything else at once, as from a cache. */
export async function startSlowHtml(): Promise<{ url: string; stop: () => Promise<void> }> {
  const target = setting('E2E_URL');
  const { hostname, host, origin } = new URL(target);
  const server = http.createServer((request, response) => {
    const headers = { ...request.headers, host, 'accept-encoding': 'identity' };
    if (headers.origin) headers.origin = origin;
    const passOn = async (from: http.IncomingMessage): Promise<void> => {
      const { 'content-length': _, ...rest } = from.headers;
      response.writeHead(from.statusCode ?? 500, rest);
      if (!from.headers['content-type']?.startsWith('text/html')) {
        from.pipe(response);
        return;
      }
      const html = Buffer.concat(await from.toArray());
      const size = Math.ceil(html.length / PIECES);
      for (let start = 0; start < html.length; start += size) {
        response.write(html.subarray(start, start + size));
        await sleep(PAUSE_MS);
      }
      response.end();
    };
    const there = http.request(new URL(request.url ?? '/', target), { method: request.method, headers }, (from) => {
      passOn(from).catch(() => response.destroy());
    });
    there.on('error', () => response.destroy());
    request.pipe(there);
  });
  await new Promise<void>((resolve) => server.listen(0, hostname, resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  // The same host by its name: cookies do not look at the port.
  return { url: `http://${hostname}:${(server.address() as AddressInfo).port}`, stop };
}
