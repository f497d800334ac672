import { describe, expect, test } from 'vitest';
import { createReadBudget } from '../http/read-budget.ts';
import { createTestApp } from '../testing/app.ts';
import { insertProjects } from '../testing/builders.ts';
import { Client, newUser } from '../testing/client.ts';

const server = await createTestApp({ env: { RATE_LIMIT_READ_MS_PER_MINUTE: '400' } });
await insertProjects(server.services.db, 20);

/** Statuses of reads that an address makes one after the other. */
async function statusesOf(address: string, paths: string[]): Promise<Set<number>> {
  const client = new Client(server.url);
  const statuses = new Set<number>();
  for (const path of paths) statuses.add((await client.get(path, { 'x-forwarded-for': address })).status);
  return statuses;
}
const times = (count: number, path: (at: number) => string) => Array.from({ length: count }, (_, at) => path(at));

describe('reads that memory does not answer have a budget by address', () => {
  test.each<[string, string[]]>([
    ['leaderboards of every length', times(60, (at) => `/api/projects/leaderboard/all?limit=${at + 10}`)],
    ['the sitemap', times(30, () => '/sitemap.xml')],
    ['projects one by one', times(200, (at) => `/api/projects/${1 + (at % 20)}`)],
    ['lists at made-up places', times(200, (at) => `/api/projects/1/reviews?cursor=${at}`)],
  ])('%s', async (what, paths) => {
    const address = `203.0.113.${what.length}`;
    expect(await statusesOf(address, paths)).toContain(429);
    const refused = await new Client(server.url).get('/sitemap.xml', { 'x-forwarded-for': address });
    expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // Its neighbors, people who are signed in, and health checks are not concerned.
    expect(await statusesOf('198.51.100.1', ['/sitemap.xml'])).toEqual(new Set([200]));
    const user = await newUser(server);
    expect((await user.get('/api/payments', { 'x-forwarded-for': address })).status).toBe(200);
    expect(await statusesOf(address, ['/healthz', '/readyz'])).toEqual(new Set([200]));
  });

  test('polls that memory answers are free', async () => {
    await expect.poll(() => server.services.cache.isUsable()).toBe(true);
    const paths = times(600, () => '/api/projects/leaderboard/all?limit=3');
    expect(await statusesOf('203.0.113.99', paths)).toEqual(new Set([200]));
  });
});

test('the budget fills up again evenly, and remembers a bounded number of clients', () => {
  let nowMs = 0;
  const budget = createReadBudget(600, () => nowMs);
  const from = (ip: string) => ({ ip }) as Parameters<typeof budget.charge>[0];
  for (let at = 0; at < 60; at += 1) budget.charge(from('203.0.113.1'), null, 10);
  expect(() => budget.charge(from('203.0.113.1'), null, 10)).toThrow('Too many requests');
  nowMs += 1_000;
  budget.charge(from('203.0.113.1'), null, 10);
  expect(() => budget.charge(from('203.0.113.1'), null, 10)).toThrow('Too many requests');
  for (let at = 0; at < 30_000; at += 1) budget.charge(from(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`), null, 1);
  expect(budget.size()).toBeLessThanOrEqual(20_000);
});
