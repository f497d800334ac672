import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Site, startSite } from './front-door/other-site.ts';
import { setting } from './setting.ts';

type Pass = (from: http.IncomingMessage, response: http.ServerResponse) => Promise<void>;

export const passUnchanged: Pass = async (from, response) => {
  response.writeHead(from.statusCode ?? 500, from.headers);
  from.pipe(response);
};

/** The site by another way. `stand` responds in place of the site where it returns true; `pass` passes the site's response on. */
export async function startOtherWay(
  stand: (response: http.ServerResponse) => boolean,
  pass: Pass = passUnchanged,
): Promise<Site> {
  const target = setting('E2E_URL');
  const { hostname, host, origin } = new URL(target);
  // The same host by its name: cookies do not look at the port.
  return startSite((request, response) => {
    if (stand(response)) return;
    const headers = { ...request.headers, host, 'accept-encoding': 'identity' };
    if (headers.origin) headers.origin = origin;
    const there = http.request(new URL(request.url ?? '/', target), { method: request.method, headers }, (from) => {
      pass(from, response).catch(() => response.destroy());
    });
    there.on('error', () => response.destroy());
    request.pipe(there);
  }, hostname);
}

const PIECES = 40;
const PAUSE_MS = 40;

/** By this way HTML comes in forty pieces within 1.6 s, and everything else at once, as from a cache. */
export const startSlowHtml = (): Promise<Site> =>
  startOtherWay(
    () => false,
    async (from, response) => {
      if (!from.headers['content-type']?.startsWith('text/html')) return passUnchanged(from, response);
      const { 'content-length': _, ...rest } = from.headers;
      response.writeHead(from.statusCode ?? 500, rest);
      const html = Buffer.concat(await from.toArray());
      const size = Math.ceil(html.length / PIECES);
      for (let start = 0; start < html.length; start += size) {
        response.write(html.subarray(start, start + size));
        await sleep(PAUSE_MS);
      }
      response.end();
      return undefined;
    },
  );
