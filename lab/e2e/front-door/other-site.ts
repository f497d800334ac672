/** Another site: a page of its own on a port of its own, with what an owner has copied. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function startOtherSite(body: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><title>Another site</title><body>${body}</body></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  // Another host by its name, too: to a browser, ports alone are the same site.
  return { url: `http://127.0.0.1:${port}/`, stop };
}
