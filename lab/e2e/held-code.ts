import http from 'node:http';
import type { Page } from '@playwright/test';
import { type Site, startSite } from './front-door/other-site.ts';
import { setting } from './setting.ts';

/** The site by a way on which its code comes only when it is released, for any browser. */
export async function startHeldCode(): Promise<Site & { release: () => void }> {
  const { origin, host, hostname } = new URL(setting('E2E_URL'));
  const released = Promise.withResolvers<void>();
  const site = await startSite((request, response) => {
    const { method, headers, url = '/' } = request;
    const passOn = () => {
      const there = http.request(new URL(url, origin), { method, headers: { ...headers, host } }, (from) => {
        response.writeHead(from.statusCode ?? 500, from.headers);
        from.pipe(response);
      });
      there.on('error', () => response.destroy());
      request.pipe(there);
    };
    if (/^\/assets\/.*\.js$/.test(url)) void released.promise.then(passOn);
    else passOn();
  }, hostname);
  return { ...site, release: () => released.resolve() };
}

/** Holds the code of a page in Playwright's browser back; call the returned function to let it come. */
export async function holdCode(page: Page): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await released.promise;
    await route.continue();
  });
  return released.resolve;
}
