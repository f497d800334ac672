import { describe, expect, test } from 'vitest';
import type { EndpointSpec } from '#shared/endpoint.ts';
import { allEndpoints } from '#shared/contract/all.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { insertProject, setProject } from '#lab/testing/builders.ts';
import { Client, newUser } from '#lab/testing/client.ts';
import type { SiteConfig } from '#shared/contract/site.ts';
import { ATOM_PATH } from '#shared/site/pages.ts';
import type { OpenApiDocument } from '#shared/openapi/types.ts';

const server = await createTestApp();
const { db } = server.services;
const owner = await newUser(server);
const [listed, hidden] = [
  await insertProject(db, { ownerId: owner.id }),
  await insertProject(db, { ownerId: owner.id, hidden: true }),
];

const openEndpoints = allEndpoints().filter(([, { open }]) => open);
const visitor = new Client(server.url);
const SITE = { origin: 'https://newspaper.example' };
/** A look-up needs a name, which one of the two has. */
const COIN = `0x${'7'.repeat(64)}::coin::COIN`;
await setProject(db, listed, { coinType: COIN });
const pathOf = ({ path }: EndpointSpec, id = listed): string =>
  path.replace('{id}', String(id)) + (path.endsWith('/lookup') ? `?coin=${COIN}` : '');

test('the open API has public reads only, below /api/v1, and everything there is declared open [R53]', () => {
  expect(openEndpoints.length).toBeGreaterThan(5);
  for (const [, { method, access, path }] of openEndpoints) {
    expect({ method, access, path }).toEqual({
      method: 'GET',
      access: 'public',
      path: expect.stringMatching(/^\/api\/v1\//),
    });
  }
  const others = allEndpoints().filter(([, { open, path }]) => !open && path.startsWith('/api/v1'));
  expect(others).toEqual([]);
});

describe.each(openEndpoints)('%s', (_name, endpoint) => {
  test('a page of any site reads an open endpoint, with its cursors and without credentials [R53]', async () => {
    const { status, headers } = await visitor.get(pathOf(endpoint), SITE);
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('access-control-expose-headers')).toBe(
      'ETag, Retry-After, x-figures-on, x-next-cursor, x-total-count, x-texts-of-users',
    );
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  });

  test('a preflight lets a page send If-None-Match, and lets it write nothing [R53]', async () => {
    const asked = {
      ...SITE,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'if-none-match',
    };
    const { status, headers } = await visitor.send('OPTIONS', pathOf(endpoint), undefined, asked);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD');
    expect(headers.get('access-control-allow-headers')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect((await visitor.send('POST', pathOf(endpoint), {}, SITE)).status).not.toBe(200);
  });

  test('a client that already has the response gets 304, readable by a page of any site [R53]', async () => {
    const first = await visitor.get(pathOf(endpoint), SITE);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"/);
    expect(first.headers.get('cache-control')).toMatch(/^public, /);
    const again = await visitor.get(pathOf(endpoint), { ...SITE, 'if-none-match': etag });
    // The supply has the time of its count: it may have been counted again in between.
    const isUnchanged = !endpoint.path.endsWith('/supply') || again.headers.get('etag') === etag;
    expect(again.status).toBe(isUnchanged ? 304 : 200);
    expect(again.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('an unknown parameter is refused, and so are those that name a user [R53]', async () => {
    for (const name of ['limitt', 'userId', 'walletAddress', '__proto__', 'constructor']) {
      const { status, body, headers } = await visitor.get(
        `${pathOf(endpoint)}${pathOf(endpoint).includes('?') ? '&' : '?'}${name}=1`,
        SITE,
      );
      expect({ status, body }).toMatchObject({ status: 400, body: { error: 'unknown_parameter', field: name } });
      expect(headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  test("sessions are ignored: a signed-in user gets a visitor's response [R53]", async () => {
    const bare = ({ status, body, headers }: Awaited<ReturnType<Client['get']>>) => ({
      status,
      body: Object.assign({}, body, { asOf: undefined }),
      cookie: headers.get('set-cookie'),
      vary: headers.get('vary')?.includes('Cookie') ?? false,
    });
    for (const id of [listed, hidden]) {
      const own = bare(await owner.get(pathOf(endpoint, id)));
      expect(own).toEqual(bare(await visitor.get(pathOf(endpoint, id))));
      expect(own).toMatchObject({ cookie: null, vary: false });
    }
  });
});

test('the open API hides a hidden project even from its owner [R53]', async () => {
  expect((await owner.get(`/api/projects/${hidden}`)).status).toBe(200);
  expect((await owner.get(`/api/v1/projects/${hidden}`)).status).toBe(404);
});

test('endpoints outside of the open API stay closed to pages of other sites [R5 R53]', async () => {
  const asked = { ...SITE, 'access-control-request-method': 'POST' };
  for (const path of ['/api/votes', '/api/projects/1', '/api/users/1/stats']) {
    const preflight = await visitor.send('OPTIONS', path, undefined, asked);
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
    expect((await owner.get(path, SITE)).headers.get('access-control-allow-origin')).toBeNull();
  }
});

const DATA_LICENSE = 'CC BY 4.0 https://creativecommons.org/licenses/by/4.0/';
const LICENSE = { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' };
const LINK = `<${LICENSE.url}>; rel="license"`;

test('names the licence of the data in OpenAPI, headers of files and lists, feeds, and the settings of the page [R75]', async () => {
  const licensed = await startServer(server.databaseUrl, { env: { DATA_LICENSE } });
  const visitor = new Client(licensed.url);
  expect((await visitor.get<OpenApiDocument>('/api/openapi.json')).body.info.license).toEqual(LICENSE);
  for (const path of ['/api/v1/leaderboard.csv', '/api/v1/leaderboard.json', '/api/v1/projects', ATOM_PATH])
    expect([path, (await visitor.get(path)).headers.get('link')]).toEqual([path, LINK]);
  const { body: feed } = await visitor.get<{ text: string }>(ATOM_PATH);
  expect(feed.text).toContain(`<rights>${LICENSE.name}</rights>\n<link rel="license" href="${LICENSE.url}"/>`);
  expect((await visitor.get<SiteConfig>('/api/config')).body.dataLicense).toEqual(LICENSE);
  await licensed.close();
});

test('names no licence where none is set [R75]', async () => {
  const visitor = new Client(server.url);
  expect((await visitor.get<OpenApiDocument>('/api/openapi.json')).body.info.license).toBeUndefined();
  expect((await visitor.get('/api/v1/leaderboard.csv')).headers.get('link')).toBeNull();
  expect((await visitor.get<{ text: string }>(ATOM_PATH)).body.text).not.toContain('<rights>');
  expect((await visitor.get<SiteConfig>('/api/config')).body.dataLicense).toBeNull();
});
