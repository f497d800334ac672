import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, insertUser } from '#lab/testing/builders.ts';
import { Client } from '#lab/testing/client.ts';
import { insertReviews } from '#lab/testing/lists.ts';

const server = await createTestApp();
const { db, cache } = server.services;
const visitor = new Client(server.url);

const isCached = (key: string): boolean => cache.getCached(key) !== undefined;
/** The cache is used once its heartbeat has come back. */
const poll = (path: string, etag?: string | null) => visitor.get(path, etag ? { 'if-none-match': etag } : {});

test('a poll learns that the total changed, although its own page is the same [S9.4 S2.36]', async () => {
  const project = await insertProject(db);
  await insertReviews(db, project, await insertUser(db), 120);
  const path = `/api/projects/${project}/reviews`;
  await expect.poll(async () => (await poll(path)).status === 200 && isCached(`reviews:${project}`)).toBe(true);
  const first = await poll(path);
  const etag = first.headers.get('etag');
  expect(first.headers.get('x-total-count')).toBe('120');
  expect((await poll(path, etag)).status).toBe(304);
  await sql`UPDATE reviews SET hidden_at = now() WHERE id = (SELECT min(id) FROM reviews WHERE project_id = ${project})`.execute(
    db,
  );
  await expect.poll(async () => (await poll(path, etag)).status).toBe(200);
  const { headers, body } = await poll(path, etag);
  expect(headers.get('x-total-count')).toBe('119');
  expect(body).toEqual(first.body);
});

test('only the first page is cached, once for a project, whatever the query looks like [S7.5]', async () => {
  const project = await insertProject(db);
  await insertReviews(db, project, await insertUser(db), 120);
  await expect.poll(async () => (await poll('/api/projects')).status === 200 && isCached('preview:50')).toBe(true);
  for (const ref of [`00${project}`, `000${project}`, project]) {
    const { headers } = await poll(`/api/projects/${ref}/reviews`);
    const cursor = headers.get('x-next-cursor');
    for (const query of [`cursor=${cursor}`, 'limit=7', `limit=50&cursor=${cursor}`])
      expect((await poll(`/api/projects/${ref}/reviews?${query}`)).status).toBe(200);
  }
  expect(isCached(`reviews:${project}`)).toBe(true);
  for (const ref of [`00${project}`, `000${project}`]) expect(isCached(`reviews:${ref}`)).toBe(false);
});

test('public lists of any length, and their later pages, come from memory until a project changes [S2.36]', async () => {
  const owner = await insertUser(db);
  await Promise.all(Array.from({ length: 12 }, () => insertProject(db, { ownerId: owner })));
  const later = (await poll('/api/projects?limit=4')).headers.get('x-next-cursor');
  const lists = [
    ['/api/projects?limit=10', 'preview:10'],
    [`/api/projects?limit=4&cursor=${later}`, `preview:4:${later}`],
    ['/api/projects/leaderboard/all?limit=10', 'ranked:10'],
    ['/api/v1/projects?limit=10', 'projects:bullish::10:'],
  ] as const;
  for (const [path, key] of lists) {
    await expect.poll(async () => (await poll(path)).status === 200 && isCached(key), { message: key }).toBe(true);
    const misses = cache.requests().misses;
    const [one, other] = [await poll(path), await poll(path)];
    expect([one.headers.get('etag'), one.body]).toEqual([other.headers.get('etag'), other.body]);
    expect(cache.requests().misses).toBe(misses);
  }
  await insertProject(db, { ownerId: owner });
  await server.allNotified();
  expect(lists.map(([, key]) => isCached(key))).toEqual(lists.map(() => false));
});
