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
