import { expect, test } from 'vitest';
import type { SiteConfig } from '#shared/contract/site.ts';
import { ATOM_PATH } from '#shared/pages.ts';
import type { OpenApiDocument } from '#shared/openapi/types.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { Client } from '#lab/testing/client.ts';

const DATA_LICENSE = 'CC BY 4.0 https://creativecommons.org/licenses/by/4.0/';
const LICENSE = { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' };
const LINK = `<${LICENSE.url}>; rel="license"`;

const without = await createTestApp();

test('names the licence of the data in OpenAPI, headers of files and lists, feeds, and the settings of the page [R75]', async () => {
  const server = await startServer(without.databaseUrl, { env: { DATA_LICENSE } });
  const visitor = new Client(server.url);
  expect((await visitor.get<OpenApiDocument>('/api/openapi.json')).body.info.license).toEqual(LICENSE);
  for (const path of ['/api/v1/leaderboard.csv', '/api/v1/leaderboard.json', '/api/v1/projects', ATOM_PATH])
    expect([path, (await visitor.get(path)).headers.get('link')]).toEqual([path, LINK]);
  const { body: feed } = await visitor.get<{ text: string }>(ATOM_PATH);
  expect(feed.text).toContain(`<rights>${LICENSE.name}</rights>\n<link rel="license" href="${LICENSE.url}"/>`);
  expect((await visitor.get<SiteConfig>('/api/config')).body.dataLicense).toEqual(LICENSE);
  await server.close();
});

test('names no licence where none is set [R75]', async () => {
  const visitor = new Client(without.url);
  expect((await visitor.get<OpenApiDocument>('/api/openapi.json')).body.info.license).toBeUndefined();
  expect((await visitor.get('/api/v1/leaderboard.csv')).headers.get('link')).toBeNull();
  expect((await visitor.get<{ text: string }>(ATOM_PATH)).body.text).not.toContain('<rights>');
  expect((await visitor.get<SiteConfig>('/api/config')).body.dataLicense).toBeNull();
});
