import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { LeaderboardDay } from '#shared/contract/open.ts';
import type { ProjectPage } from '#shared/contract/projects.ts';
import type { Project } from '#shared/contract/types.ts';
import type { ProjectTrend } from '#shared/contract/trends.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { empty, insertProjects } from '#lab/testing/builders.ts';
import { Client, newUser } from '#lab/testing/client.ts';
import { insertChangeAt, insertUsers, insertVoteAt, insertVotesAt } from '#lab/testing/record.ts';
import { closeToday, reopenDays } from '#lab/testing/close.ts';

const server = await createTestApp({ cache: false });
const { db } = server.services;
const visitor = new Client(server.url);
beforeEach(() => empty(db));

const DAY_MS = 86_400_000;
/** Noon of the UTC day that was this many days ago; a moment ago, for today. */
const at = (daysAgo: number): string => {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return new Date(daysAgo === 0 ? Date.now() - 1 : today - daysAgo * DAY_MS + DAY_MS / 2).toISOString();
};

const pageOf = async (projectId: number) => (await visitor.get<ProjectPage>(`/api/v1/projects/${projectId}`)).body;
/** Also of votes that a test has put into closed days. */
async function closeAgain(): Promise<void> {
  await reopenDays(db);
  await closeToday(server.services);
}
const nowOf = async (projectId: number) => {
  await closeAgain();
  return (await pageOf(projectId)).now;
};

async function listed(): Promise<{ projectId: number; users: number[] }> {
  const users = await insertUsers(db, 12);
  const [projectId = 0] = await insertProjects(db, 1);
  return { projectId, users };
}

test('the share of the last 30 days shows from ten votes on, and leaves older ones out [R58]', async () => {
  const { projectId, users } = await listed();
  await insertVotesAt(db, { users: users.slice(0, 2), projects: [projectId], bullish: true, at: at(30) });
  await insertVotesAt(db, { users: users.slice(2, 11), projects: [projectId], bullish: false, at: at(29) });
  expect(await nowOf(projectId)).toBeNull();
  await insertVoteAt(db, { userId: users[11] ?? 0, projectId, bullish: true, at: at(0) });
  expect(await nowOf(projectId)).toEqual({ bullish: 1, bearish: 9 });
  expect(await pageOf(projectId)).toMatchObject({ bullishCount: 3, bearishCount: 9 });
});

test('a change counts with its new direction and day, and a confirmation counts again [R57 R58]', async () => {
  const { projectId, users } = await listed();
  await insertVotesAt(db, { users, projects: [projectId], bullish: true, at: at(40) });
  expect(await nowOf(projectId)).toBeNull();
  for (const [n, userId] of users.slice(0, 10).entries())
    expect(await insertChangeAt(db, { userId, projectId, bullish: n > 6, at: at(5) })).toBe(true);
  expect(await nowOf(projectId)).toEqual({ bullish: 3, bearish: 7 });
  // A later opinion of the same voter takes the place of the first.
  await insertChangeAt(db, { userId: users[0] ?? 0, projectId, bullish: true, at: at(0) });
  expect(await nowOf(projectId)).toEqual({ bullish: 4, bearish: 6 });
});

test('a vote of a later listing period takes the place of the earlier one [R45 R58]', async () => {
  const { projectId, users } = await listed();
  await insertVotesAt(db, { users, projects: [projectId], bullish: true, at: at(20) });
  await sql`UPDATE projects SET period_starts = ARRAY[${at(60)}::timestamptz, ${at(3)}::timestamptz] WHERE id = ${projectId}`.execute(
    db,
  );
  await insertVoteAt(db, { userId: users[0] ?? 0, projectId, bullish: false, period: 2, at: at(2) });
  expect(await nowOf(projectId)).toEqual({ bullish: 11, bearish: 1 });
});

test('the leaderboard, the lists and the page show the same share of the last 30 days; a feed has none [R58]', async () => {
  const { projectId, users } = await listed();
  await insertVotesAt(db, { users: users.slice(0, 11), projects: [projectId], bullish: false, at: at(2) });
  const now = await nowOf(projectId);
  expect(now).toEqual({ bullish: 0, bearish: 11 });
  for (const path of ['/api/projects/leaderboard/all', '/api/v1/projects', '/api/projects', '/api/projects?limit=1']) {
    const { body } = await visitor.get<Project[]>(path);
    expect(body.map((row) => ({ path, id: row.id, now: row.now }))).toEqual([{ path, id: projectId, now }]);
  }
  const voter = await newUser(server);
  const [card] = (await voter.get<Project[]>(`/api/projects?userId=${voter.id}`)).body;
  expect([card?.id, card && 'now' in card]).toEqual([projectId, false]);
});

test('the files of the leaderboard have the share of the 30 days before the end of each day [R58 R53]', async () => {
  const { projectId, users } = await listed();
  await db
    .updateTable('projects')
    .set({ createdAt: at(31) })
    .execute();
  await insertVotesAt(db, { users: users.slice(0, 2), projects: [projectId], bullish: true, at: at(30) });
  await insertVotesAt(db, { users: users.slice(2, 11), projects: [projectId], bullish: false, at: at(29) });
  await closeAgain();
  const fileOf = async (daysAgo: number, format = 'json') =>
    (
      await visitor.get<LeaderboardDay & { text: string }>(
        `/api/v1/leaderboard.${format}?day=${at(daysAgo).slice(0, 10)}`,
      )
    ).body;
  const share = { bullish: 2, bearish: 9, share: 0.1818, low: 0.0514, high: 0.477 };
  expect((await fileOf(1)).projects[0]?.now).toEqual(share);
  expect((await fileOf(1, 'csv')).text).toContain(`,${Object.values(share).join(',')},0\r\n`);
  // Today the first two are too old, and nine are too few.
  expect((await fileOf(0)).projects[0]?.now).toBeNull();
  await insertChangeAt(db, { userId: users[0] ?? 0, projectId, bullish: true, at: at(0) });
  await closeAgain();
  expect((await fileOf(0)).projects[0]?.now).toMatchObject({ bullish: 1, bearish: 9 });
});

test('the share of the 30 days before is counted for each of the last 35 days after a long outage [R58 R63]', async () => {
  const { projectId, users } = await listed();
  await db
    .updateTable('projects')
    .set({ createdAt: at(70) })
    .execute();
  await insertVotesAt(db, { users: users.slice(0, 11), projects: [projectId], bullish: true, at: at(60) });
  await closeAgain();
  const nowOn = async (daysAgo: number) =>
    (await visitor.get<LeaderboardDay>(`/api/v1/leaderboard.json?day=${at(daysAgo).slice(0, 10)}`)).body.projects[0]
      ?.now;
  expect(await nowOn(34)).toMatchObject({ bullish: 11 });
  expect(await nowOn(30)).toBeNull();
});

test('the trend has the standing opinions at the end of each day and how many turned each way [R57]', async () => {
  const { projectId, users } = await listed();
  await insertVotesAt(db, { users, projects: [projectId], bullish: true, at: at(8) });
  for (const userId of users.slice(0, 3)) await insertChangeAt(db, { userId, projectId, bullish: false, at: at(6) });
  await insertChangeAt(db, { userId: users[0] ?? 0, projectId, bullish: true, at: at(4) });
  // A confirmation is not a change of direction.
  await insertChangeAt(db, { userId: users[5] ?? 0, projectId, bullish: true, at: at(4) });
  await closeAgain();
  const { body } = await visitor.get<ProjectTrend>(`/api/v1/projects/${projectId}/trend`);
  expect(body.days.map(({ day: _day, verifiedBullish: _one, verifiedBearish: _other, ...counted }) => counted)).toEqual(
    [
      { bullish: 12, bearish: 0, votes: 12, turnedBullish: 0, turnedBearish: 0 },
      { bullish: 9, bearish: 3, votes: 0, turnedBullish: 0, turnedBearish: 3 },
      { bullish: 10, bearish: 2, votes: 0, turnedBullish: 1, turnedBearish: 0 },
    ],
  );
});

test('badge and embedded card name the share of the last 30 days, and its interval in their titles [R52 R58]', async () => {
  const { projectId, users } = await listed();
  await insertVotesAt(db, { users: users.slice(0, 2), projects: [projectId], bullish: false, at: at(30) });
  await insertVotesAt(db, { users: users.slice(2), projects: [projectId], bullish: true, at: at(2) });
  const { slug } = await pageOf(projectId);
  await closeAgain();
  for (const path of [`/badge/${slug}.svg`, `/embed/${slug}`])
    expect((await visitor.get<{ text: string }>(path)).body.text).toMatch(
      /, last 30 days: 100% of 10 \(72–100%\), .*last 30 days: 100% of 10 · /s,
    );
});
