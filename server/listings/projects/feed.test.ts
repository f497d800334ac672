import { expect, test } from 'vitest';
import type { LeaderboardRow } from '#shared/contract/projects.ts';
import type { Project } from '#shared/contract/types.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, insertProjects, removeProjects } from '#lab/testing/builders.ts';
import { Client, newUser } from '#lab/testing/client.ts';

const server = await createTestApp();
const { db } = server.services;
const fresh = () => removeProjects(db);
const feedOf = (user: Awaited<ReturnType<typeof newUser>>) => user.get<Project[]>(`/api/projects?userId=${user.id}`);

test('the feed holds active projects that the user neither owns nor voted on [S7.3 R11]', async () => {
  await fresh();
  const user = await newUser(server);
  const [seen = 0, open = 0] = await insertProjects(db, 2);
  await insertProject(db, { expiresInDays: -1 });
  await insertProject(db, { hidden: true });
  await insertProject(db, { ownerId: user.id });
  await user.post('/api/votes', { userId: user.id, projectId: seen, voteType: 'bearish' });
  const { body, headers } = await feedOf(user);
  expect(body.map((project) => project.id)).toEqual([open]);
  expect(headers.get('x-total-count')).toBe('1');
});

test('visitors get the public list with every field of a project [S7.3 S2.18 S3.4]', async () => {
  await fresh();
  const id = await insertProject(db, { bullish: 3, bearish: 1 });
  await insertProject(db, { expiresInDays: -1 });
  const { status, body } = await new Client(server.url).get<Project[]>('/api/projects');
  expect(status).toBe(200);
  // The contract fixes the fields.
  expect(body).toMatchObject([
    { id, category: 'DeFi', listing: { source: 'free' }, period: 1, bullishCount: 3, bearishCount: 1, totalVotes: 4 },
  ]);
});

test('a project is found by id, by slug and by an earlier slug; others are 404 [S7.4 R23]', async () => {
  await fresh();
  const id = await insertProject(db);
  const client = new Client(server.url);
  const byId = await client.get<Project>(`/api/projects/${id}`);
  expect(byId.body).toMatchObject({ id, hidden: false, bullishPercentage: 0 });
  await db.insertInto('projectSlugs').values({ slug: 'old-name', projectId: id }).execute();
  expect((await client.get(`/api/projects/${byId.body.slug}`)).body).toEqual(byId.body);
  expect((await client.get<Project>('/api/projects/old-name')).body.slug).toBe(byId.body.slug);
  for (const ref of ['nothing', '99999999', '0']) {
    expect(await client.get(`/api/projects/${ref}`)).toMatchObject({
      status: 404,
      body: { error: 'project_not_found' },
    });
  }
});

test('an expired project keeps its votes and can still be read [S4.6]', async () => {
  await fresh();
  const id = await insertProject(db, { expiresInDays: -2, bullish: 7, bearish: 2 });
  expect((await new Client(server.url).get(`/api/projects/${id}`)).body).toMatchObject({
    bullishCount: 7,
    bearishCount: 2,
  });
});

test('a hidden project is visible to its owner alone [S4.10]', async () => {
  await fresh();
  const [owner, other] = [await newUser(server), await newUser(server)];
  const id = await insertProject(db, { ownerId: owner.id, hidden: true });
  expect((await other.get(`/api/projects/${id}`)).status).toBe(404);
  expect((await owner.get(`/api/projects/${id}`)).body).toMatchObject({ hidden: true });
  expect((await other.get(`/api/projects/${id}/reviews`)).status).toBe(404);
});

test('a limited leaderboard is the beginning of the complete one [S7.14 S9.4]', async () => {
  await fresh();
  for (const bullish of [1, 2, 3, 4, 5]) await insertProject(db, { bullish, bearish: 1 });
  const visitor = new Client(server.url);
  const whole = await visitor.get<LeaderboardRow[]>('/api/projects/leaderboard/all');
  expect(whole.body).toHaveLength(5);
  const first = await visitor.get<LeaderboardRow[]>('/api/projects/leaderboard/all?limit=3');
  expect(first.body).toEqual(whole.body.slice(0, 3));
  expect((await visitor.get('/api/projects/leaderboard/all?limit=10000')).body).toEqual(whole.body);
  for (const limit of ['0', '-1', '1.5', '10001', 'all', ''])
    expect((await visitor.get(`/api/projects/leaderboard/all?limit=${limit}`)).status).toBe(400);
});

test('projects by wallet are only the session’s, including expired and hidden ones [S7.15]', async () => {
  await fresh();
  const [owner, other] = [await newUser(server), await newUser(server)];
  const shown = await insertProject(db, { ownerId: owner.id });
  const expired = await insertProject(db, { ownerId: owner.id, expiresInDays: -3 });
  const hidden = await insertProject(db, { ownerId: owner.id, hidden: true });
  const { body } = await owner.get<Array<Project & { hiddenReason: string | null }>>(
    `/api/projects/wallet/${owner.address}`,
  );
  expect(body.map((p) => [p.id, p.hiddenReason])).toEqual([
    [hidden, 'spam'],
    [expired, null],
    [shown, null],
  ]);
  expect((await other.get(`/api/projects/wallet/${owner.address}`)).status).toBe(403);
});
