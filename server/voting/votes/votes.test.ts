import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { VotingStatus, UserStats, Project } from '#shared/contract/types.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { type TestUser, newUser, withSession } from '#lab/testing/client.ts';
import { insertProject, insertProjects } from '#lab/testing/builders.ts';

const server = await createTestApp();
const { db } = server.services;

const vote = (user: TestUser, projectId: number, voteType = 'bullish', more: object = {}) =>
  user.post<{
    userStats: UserStats;
    votingStatus: VotingStatus;
    tokensEarned: number;
    congratulation: number | null;
    error: string;
  }>('/api/votes', {
    userId: user.id,
    projectId,
    voteType,
    tokensEarned: 10,
    ...more,
  });

/** Count of each status. */
function tally(statuses: number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

test('a vote counts, pays 10 tokens and returns the new stats [S3.5 S7.7 S9.2]', async () => {
  const user = await newUser(server);
  const [first = 0, second = 0] = await insertProjects(db, 2);
  const response = await vote(user, first);
  expect(response.status).toBe(200);
  expect(response.body.userStats).toEqual({
    tokenBalance: 10,
    totalVotes: 1,
    bullishVotes: 1,
    bearishVotes: 0,
    currentStreak: 1,
    bullishPercentage: 100,
    tokensEarned: 10,
    streak: 1,
  });
  expect(response.body.votingStatus).toMatchObject({ votesRemaining: 24, totalVotes: 1, totalVotesAllowed: 25 });
  await vote(user, second, 'bearish');
  const stats = await user.get<UserStats>(`/api/users/${user.id}/stats`);
  expect(stats.body).toMatchObject({
    tokenBalance: 20,
    totalVotes: 2,
    bullishVotes: 1,
    bearishVotes: 1,
    bullishPercentage: 50,
  });
  expect(await findDifferences(db)).toEqual([]);
});

test('tokensEarned of the client is ignored [R6]', async () => {
  const user = await newUser(server);
  for (const [index, tokensEarned] of [1e9, -50, 'many', null].entries()) {
    const response = await vote(user, await insertProject(db), 'bullish', { tokensEarned });
    expect(response.body.userStats.tokenBalance).toBe(10 * (index + 1));
  }
});

test('the same vote sent 50 times at once counts once: one 200, 49 times 409 [R7]', async () => {
  const user = await newUser(server);
  const projectId = await insertProject(db);
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, i) => vote(user, projectId, i % 2 ? 'bullish' : 'bearish')),
  );
  expect(tally(responses.map((a) => a.status))).toEqual({ 200: 1, 409: 49 });
  expect(responses.find((a) => a.status === 409)?.body).toMatchObject({
    error: 'already_voted',
    message: 'Already voted on this project',
  });
  const stats = await user.get<UserStats>(`/api/users/${user.id}/stats`);
  expect(stats.body).toMatchObject({ totalVotes: 1, tokenBalance: 10 });
  expect(await findDifferences(db)).toEqual([]);
});

test('25 of 40 different votes of one user at once count, and 15 get 429 with Retry-After [R8 S5.2 S9.1]', async () => {
  const user = await newUser(server);
  const projects = await insertProjects(db, 40);
  const responses = await Promise.all(projects.map((id) => vote(user, id)));
  expect(tally(responses.map((a) => a.status))).toEqual({ 200: 25, 429: 15 });
  for (const refused of responses.filter((a) => a.status === 429)) {
    const retryAfterS = Number(refused.headers.get('retry-after'));
    expect(retryAfterS).toBeGreaterThan(6 * 3600 - 60);
    expect(retryAfterS).toBeLessThanOrEqual(6 * 3600);
  }
  const status = await user.get<VotingStatus>(`/api/users/${user.id}/voting-status`);
  expect(status.body).toMatchObject({ votesRemaining: 0, totalVotes: 25, totalVotesAllowed: 25 });
  expect(await findDifferences(db)).toEqual([]);
});

test('two server processes on one database count votes exactly [R8 R13]', async () => {
  const other = await startServer(server.databaseUrl);
  try {
    const users = await Promise.all(Array.from({ length: 4 }, () => newUser(server)));
    const projects = await insertProjects(db, 30);
    const results = await Promise.all(
      users.map(async (user) => {
        const twin = withSession(other, user);
        const responses = await Promise.all(projects.flatMap((id) => [vote(user, id), vote(twin, id, 'bearish')]));
        return tally(responses.map((a) => a.status));
      }),
    );
    for (const result of results) {
      expect(result[200]).toBe(25);
      expect((result[409] ?? 0) + (result[429] ?? 0)).toBe(35);
    }
    expect(await findDifferences(db)).toEqual([]);
  } finally {
    await other.close();
  }
});

test('without a window 25 votes are left; it begins with the first vote and ends six hours later [S3.3 S7.11 S9.17]', async () => {
  const user = await newUser(server);
  const status = () => user.get<VotingStatus>(`/api/users/${user.id}/voting-status`).then((a) => a.body);
  expect(await status()).toEqual({ votesRemaining: 25, totalVotes: 0, totalVotesAllowed: 25, periodEndsAt: null });
  const before = Date.now();
  const first = await vote(user, await insertProject(db));
  const end = Date.parse(first.body.votingStatus.periodEndsAt ?? '');
  expect(Math.abs(end - before - 6 * 3_600_000)).toBeLessThan(60_000);
  const second = await vote(user, await insertProject(db));
  expect(second.body.votingStatus.periodEndsAt).toBe(first.body.votingStatus.periodEndsAt);
  expect(await status()).toEqual(second.body.votingStatus);
});

const shiftDay = (userId: number, days: number) =>
  db
    .updateTable('userStats')
    .set({ lastDay: sql`last_day - ${days}::int` })
    .where('userId', '=', userId)
    .execute();
const streak = async (user: TestUser) => (await user.get<UserStats>(`/api/users/${user.id}/stats`)).body.currentStreak;

test('the streak grows by one a UTC day, not by the number of votes [R9]', async () => {
  const user = await newUser(server);
  await vote(user, await insertProject(db));
  await vote(user, await insertProject(db));
  expect(await streak(user)).toBe(1);
  await shiftDay(user.id, 1);
  expect(await streak(user)).toBe(1);
  const response = await vote(user, await insertProject(db));
  expect(response.body.userStats.currentStreak).toBe(2);
});

test('congratulation 1000 comes with the vote that takes the earned total to 1000, and only then [R10]', async () => {
  const user = await newUser(server);
  await vote(user, await insertProject(db));
  await db.updateTable('userStats').set({ tokensEarned: 980 }).where('userId', '=', user.id).execute();
  const seen: Array<number | null> = [];
  for (const id of await insertProjects(db, 4)) seen.push((await vote(user, id)).body.congratulation);
  expect(seen).toEqual([null, 1000, null, null]);
  await db.updateTable('userStats').set({ tokensEarned: 50 }).where('userId', '=', user.id).execute();
});

test('rejects votes on unknown, hidden and expired projects and on one’s own, each with its status [R7]', async () => {
  const user = await newUser(server);
  const cast = async (projectId: number) => {
    const { status, body } = await vote(user, projectId);
    return [status, body.error];
  };
  const own = await insertProject(db, { ownerId: user.id });
  expect(await cast(99_999_999)).toEqual([404, 'project_not_found']);
  expect(await cast(await insertProject(db, { hidden: true }))).toEqual([404, 'project_not_found']);
  expect(await cast(await insertProject(db, { expiresInDays: -1 }))).toEqual([409, 'project_expired']);
  expect(await cast(own)).toEqual([403, 'own_project']);
  const feed = await user.get<Project[]>(`/api/projects?userId=${user.id}`);
  expect(feed.body.map((p) => p.id)).not.toContain(own);
});

test.each([
  ['no vote type', { voteType: undefined }],
  ['a third vote type', { voteType: 'neutral' }],
  ['a text as project', { projectId: 'one' }],
  ['half a project', { projectId: 1.5 }],
  ['a negative project', { projectId: -1 }],
  ['no user', { userId: undefined }],
])('rejects %s with 400 and a message, and changes nothing [S7.7]', async (_name, more) => {
  const user = await newUser(server);
  const response = await vote(user, await insertProject(db), 'bullish', more);
  expect(response.status).toBe(400);
  expect(response.body).toMatchObject({
    error: 'invalid_input',
    message: expect.stringMatching(/^The [a-z ]+ (is|must) /),
    field: expect.any(String),
  });
  expect((await user.get(`/api/users/${user.id}/stats`)).body).toMatchObject({ totalVotes: 0 });
});

test('rejects a vote with another user’s id with 403, and without a session with 401 [R3 S8.16]', async () => {
  const [user, other] = [await newUser(server), await newUser(server)];
  const projectId = await insertProject(db);
  expect((await vote(user, projectId, 'bullish', { userId: other.id })).status).toBe(403);
  user.cookie = '';
  expect(await vote(user, projectId)).toMatchObject({ status: 401, body: { message: 'User not logged in' } });
});

test('the history lists the votes, newest first [S7.12 S3.7]', async () => {
  const user = await newUser(server);
  const ids = await insertProjects(db, 4);
  for (const [i, id] of ids.entries()) await vote(user, id, i % 2 ? 'bearish' : 'bullish');
  const { body } = await user.get<
    Array<{
      voteType: string;
      tokensEarned: number;
      createdAt: string;
      project: { id: number; name: string; category: string };
    }>
  >(`/api/users/${user.id}/votes`);
  expect(body.map((item) => item.project.id)).toEqual(ids.toReversed());
  expect(body[0]).toMatchObject({
    voteType: 'bearish',
    tokensEarned: 10,
    project: { name: expect.stringContaining('Project'), category: 'DeFi' },
  });
  expect(Date.now() - Date.parse(body[0]?.createdAt ?? '')).toBeLessThan(60_000);
});

test('a user reads their own profile with every field; another user’s is 403, without a session 401 [S7.8 S3.1 R3]', async () => {
  const [user, other] = [await newUser(server), await newUser(server)];
  expect((await user.get(`/api/users/${user.id}`)).body).toEqual({
    id: user.id,
    username: null,
    walletAddress: user.address,
    avatarUrl: null,
    twitterLink: null,
    telegramLink: null,
    discordLink: null,
  });
  for (const path of ['', '/stats', '/voting-status', '/votes', '/activity']) {
    expect((await user.get(`/api/users/${user.id}${path}`)).status).toBe(200);
    expect((await user.get(`/api/users/${other.id}${path}`)).status).toBe(403);
  }
  user.cookie = '';
  for (const path of ['', '/stats', '/voting-status', '/votes', '/activity']) {
    expect((await user.get(`/api/users/${other.id}${path}`)).status).toBe(401);
  }
});
