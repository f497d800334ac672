import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Site {
  url: string;
  stop: () => Promise<void>;
}

export async function startSite(respond: RequestListener, hostname = '127.0.0.1'): Promise<Site> {
  const server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, hostname, resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://${hostname}:${(server.address() as AddressInfo).port}`, stop };
}

/** Another site, on another host by its name, too: to a browser, ports alone are the same site. */
export const startOtherSite = (body: string): Promise<Site> =>
  startSite((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><title>Another site</title><body>${body}</body></html>`);
  });
