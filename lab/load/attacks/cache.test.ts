import { beforeAll, expect, test, vi } from 'vitest';
import { createTestApp } from '../../testing/app.ts';
import { insertProject, insertProjects } from '../../testing/builders.ts';
import { Client } from '../../testing/client.ts';

const server = await createTestApp();
const { db, cache } = server.services;
const anyone = new Client(server.url);
await insertProjects(db, 30);

const CACHE_BYTES = 48 * 1024 ** 2;

beforeAll(() => vi.waitUntil(() => cache.isUsable()));

/** Cache entries left by responses to a stranger's requests. */
async function entriesLeftBy(paths: string[]): Promise<number> {
  cache.invalidateAll();
  for (let at = 0; at < paths.length; at += 50) {
    const statuses = await Promise.all(paths.slice(at, at + 50).map(async (path) => (await anyone.get(path)).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
  }
  const { entries } = cache.usage();
  expect(entries).toBeGreaterThan(0);
  return entries;
}

test('every limit of the leaderboard gets a response, and all of them take a part of the memory', async () => {
  const limits = Array.from({ length: 500 }, (_, at) => at + 1);
  const entries = await entriesLeftBy(limits.map((limit) => `/api/projects/leaderboard/all?limit=${limit}`));
  expect(entries).toBeLessThan(limits.length);
  expect(cache.usage().bytes).toBeLessThan(CACHE_BYTES / 3);
  const { body } = await anyone.get<unknown[]>('/api/projects/leaderboard/all?limit=7');
  expect(body).toHaveLength(7);
});

test('every spelling of a project is one entry', async () => {
  const id = await insertProject(db, { name: 'Many Spellings' });
  const { body } = await anyone.get<{ slug: string }>(`/api/projects/${id}`);
  const letters = body.slug.split('');
  const spellings = Array.from({ length: 300 }, (_, bits) =>
    letters.map((letter, at) => ((bits >> (at % 9)) & 1 ? letter.toUpperCase() : letter)).join(''),
  );
  const zeros = Array.from({ length: 10 }, (_, count) => '0'.repeat(count) + String(id));
  const paths = [...new Set([...spellings, ...zeros])].map((ref) => `/api/projects/${ref}/reviews`);
  expect(paths.length).toBeGreaterThan(100);
  expect(await entriesLeftBy(paths)).toBeLessThanOrEqual(3);
});
