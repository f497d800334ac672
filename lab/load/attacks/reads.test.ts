import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { NEXT_CURSOR_HEADER } from '#shared/site/pages.ts';
import { createReadBudget } from '#server/kit/http/read-budget.ts';
import { createTestApp } from '../../testing/app.ts';
import { insertProject, insertProjects } from '../../testing/builders.ts';
import { makePage } from '../../testing/built-page.ts';
import { Client, newUser } from '../../testing/client.ts';

const distDir = await makePage();
// Refills so slowly that a slow machine gets no more of it.
const server = await createTestApp({ config: { readMsPerMinute: 40 }, distDir });
afterAll(() => rm(distDir, { recursive: true }));
await insertProjects(server.services.db, 20);
const cursors = await Promise.all(
  [2, 3].map(async (limit) =>
    (await new Client(server.url).get(`/api/projects?limit=${limit}`)).headers.get(NEXT_CURSOR_HEADER),
  ),
);

async function statusesOf(address: string, paths: string[]): Promise<Set<number>> {
  const client = new Client(server.url);
  const statuses = new Set<number>();
  for (const path of paths) statuses.add((await client.get(path, { 'x-forwarded-for': address })).status);
  return statuses;
}
const times = (count: number, path: (at: number) => string) => Array.from({ length: count }, (_, at) => path(at));

describe('the budget of reads', () => {
  test.each<[string, string[]]>([
    ['leaderboards of every length', times(60, (at) => `/api/projects/leaderboard/all?limit=${at + 10}`)],
    [
      'later pages of the list',
      times(100, (at) => `/api/projects?limit=${1 + (at % 50)}&cursor=${cursors[at < 50 ? 0 : 1]}`),
    ],
    ['share cards of nothing', times(200, (at) => `/og/projects/none-${at}.jpg`)],
    ['projects one by one', times(200, (at) => `/api/projects/${1 + (at % 20)}`)],
    ['projects of the open API', times(200, (at) => `/api/v1/projects/${1 + (at % 20)}`)],
    ['lists at made-up places', times(200, (at) => `/api/projects/1/reviews?cursor=${at}`)],
  ])('uncached reads of an address are limited: %s', async (what, paths) => {
    const address = `203.0.113.${what.length}`;
    expect(await statusesOf(address, paths)).toContain(429);
    // The size of a full budget: even a slow machine does not refill this much.
    const refused = await new Client(server.url).get('/og/site.jpg', { 'x-forwarded-for': address });
    expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await statusesOf('198.51.100.1', ['/api/projects/1'])).toEqual(new Set([200]));
    const user = await newUser(server);
    expect((await user.get('/api/payments', { 'x-forwarded-for': address })).status).toBe(200);
    expect(await statusesOf(address, ['/healthz', '/readyz'])).toEqual(new Set([200]));
  });

  test('cached reads are free: polls, pages of visitors, the sitemap, the contract', async () => {
    await expect.poll(() => server.services.cache.isUsable()).toBe(true);
    const paths = ['/api/projects/leaderboard/all?limit=3', '/', '/leaderboard', '/sitemap.xml', '/api/openapi.json'];
    expect(
      await statusesOf(
        '203.0.113.99',
        times(600, (at) => paths[at % 5] ?? ''),
      ),
    ).toEqual(new Set([200]));
  });

  test.each(['/sitemap.xml', '/leaderboard'])('%s comes from memory and is current', async (path) => {
    const { services, allNotified, url } = server;
    const read = async () => (await new Client(url).get<{ text: string }>(path)).body.text;
    await read();
    const id = await insertProject(services.db, { bullish: 90 });
    const { slug } = await services.db
      .selectFrom('projects')
      .select('slug')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await allNotified();
    expect(await read()).toContain(slug);
    await services.db.updateTable('projects').set({ hiddenAt: new Date() }).where('id', '=', id).execute();
    await allNotified();
    expect(await read()).not.toContain(slug);
  });
});

test('the budget of reads refills evenly, for a bounded number of clients', () => {
  let nowMs = 0;
  const budget = createReadBudget(600, () => nowMs);
  const from = (ip: string) => ({ ip }) as Parameters<typeof budget.charge>[0];
  for (let at = 0; at < 15; at += 1) budget.charge(from('203.0.113.1'), null, 10);
  expect(() => budget.charge(from('203.0.113.1'), null, 10)).toThrow('Too many requests');
  nowMs += 1_000;
  budget.charge(from('203.0.113.1'), null, 10);
  expect(() => budget.charge(from('203.0.113.1'), null, 10)).toThrow('Too many requests');
  // A clock that is set back does not reduce it.
  nowMs -= 3_600_000;
  budget.charge(from('203.0.113.2'), null, 1);
  nowMs -= 3_600_000;
  budget.charge(from('203.0.113.2'), null, 149);
  for (let at = 0; at < 30_000; at += 1) budget.charge(from(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`), null, 1);
  expect(budget.size()).toBeLessThanOrEqual(20_000);
});
