import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Site, startSite } from './front-door/other-site.ts';
import { setting } from './setting.ts';

const PIECES = 40;
const PAUSE_MS = 40;

/** The site by a way on which HTML comes in forty pieces within 1.6 s, and everything else at once, as from a cache. */
export async function startSlowHtml(): Promise<Site> {
  const target = setting('E2E_URL');
  const { hostname, host, origin } = new URL(target);
  // The same host by its name: cookies do not look at the port.
  return startSite((request, response) => {
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
  }, hostname);
}
