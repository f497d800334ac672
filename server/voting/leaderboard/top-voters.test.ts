import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { TopVoter } from '#shared/contract/leaderboard.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { empty, insertProjects } from '#lab/testing/builders.ts';
import { Client, newUser } from '#lab/testing/client.ts';
import { insertUsers, insertVotesAt, timeOf } from '#lab/testing/record.ts';
import { giveStanding } from '#lab/testing/standing.ts';
import { refreshTopVoters } from './queries.ts';

const server = await createTestApp();
const { db } = server.services;
const visitor = new Client(server.url);

const NOON_MS = 43_200_000;

let projects: number[] = [];
beforeEach(async () => {
  await empty(db);
  await sql`TRUNCATE vote_totals, top_voters, closed_days, voter_standing`.execute(db);
  projects = await insertProjects(db, 20);
});

/** Each of these users votes on so many projects, so many days ago. */
const vote = (users: number[], daysAgo: number, from: number, until: number) =>
  insertVotesAt(db, { users, projects: projects.slice(from, until), at: timeOf(daysAgo, NOON_MS) });

/** Marks the day so many days ago as closed. */
async function close(daysAgo = 1): Promise<void> {
  await sql`INSERT INTO closed_days (day, until) VALUES (${dayAgo(daysAgo)}::date, now()) ON CONFLICT DO NOTHING`.execute(
    db,
  );
  await refreshTopVoters({ db });
}

/** A site with thirty wallets with standing, whose totals are exact; so many of them. */
async function standing(count: number): Promise<number[]> {
  const users = await insertUsers(db, 30);
  await giveStanding(db, users);
  return users.slice(0, count);
}

interface Response {
  topVoters: TopVoter[];
  currentUserRank: number | null;
  asOf: string | null;
  isInSteps: boolean;
}
const read = async (client = visitor, query = '') => (await client.get<Response>(`/api/leaderboard${query}`)).body;
const totals = ({ topVoters }: Response) => topVoters.map(({ rank, user, totalVotes }) => [rank, user.id, totalVotes]);
const dayAgo = (days: number) => timeOf(days, 0).slice(0, 10);

describe('the published totals of voters [R85]', () => {
  test('the totals of others are those of the last closed day, and no vote of today moves them [R85 S7.13]', async () => {
    const users = await standing(12);
    await vote(users, 1, 0, 2);
    await vote(users.slice(3, 4), 1, 2, 5);
    expect(await read()).toEqual({ topVoters: [], currentUserRank: null, asOf: null, isInSteps: false });
    await vote(users.slice(0, 1), 0, 5, 12);
    await close();
    const shown = await read();
    expect(shown.asOf).toBe(dayAgo(1));
    expect(totals(shown)).toEqual([
      [1, users[3], 5],
      ...users.slice(0, 3).map((id) => [2, id, 2]),
      ...users.slice(4, 10).map((id) => [2, id, 2]),
    ]);
    await vote(users.slice(1, 2), 0, 5, 20);
    await refreshTopVoters({ db });
    expect(await read()).toEqual(shown);
  });

  test("others' totals move only when ten wallets with standing have voted, and free wallets do not count [R85]", async () => {
    const users = await standing(12);
    const free = await insertUsers(db, 20);
    await vote(users, 4, 0, 2);
    await close(4);
    const shown = await read();
    await vote([...users.slice(0, 9), ...free], 3, 2, 4);
    await close(3);
    expect(await read()).toEqual(shown);
    // The tenth, a day later.
    await vote(users.slice(9, 10), 2, 2, 3);
    await close(2);
    expect(totals(await read())).toEqual([...users.slice(0, 9).map((id) => [1, id, 4]), [10, users[9], 3]]);
  });

  test('on a site with fewer than thirty wallets with standing, totals are steps from ten votes on, updated daily [R85]', async () => {
    const [victim = 0, other = 0, ...free] = await insertUsers(db, 11);
    await giveStanding(db, [victim, other]);
    await vote([victim], 4, 0, 12);
    await vote([other, ...free], 4, 0, 9);
    await close(4);
    const shown = await read();
    expect([totals(shown), shown.isInSteps]).toEqual([[[1, victim, 10]], true]);
    // Three votes of a known wallet beside those of nine free ones.
    await vote([victim, ...free], 3, 12, 15);
    await close(3);
    const after = await read();
    expect(totals(after).filter(([, id]) => id === victim)).toEqual([[1, victim, 10]]);
    expect([totals(after).length, after.asOf]).toEqual([10, dayAgo(3)]);
  });

  test('a voter sees their present total and its place among the published ones, and others see neither [R85 S3.8]', async () => {
    const users = await standing(12);
    await vote(users, 1, 0, 3);
    await vote(users.slice(0, 2), 1, 3, 5);
    await close();
    const voter = await newUser(server);
    const own = () => read(voter, `?userId=${voter.id}`);
    expect((await own()).currentUserRank).toBeNull();
    const cast = async (projectId = 0) =>
      expect((await voter.post('/api/votes', { userId: voter.id, projectId, voteType: 'bullish' })).status).toBe(200);
    await cast(projects[0]);
    expect((await own()).currentUserRank).toBe(13);
    for (const id of projects.slice(1, 4)) await cast(id);
    const seen = await own();
    expect(seen.currentUserRank).toBe(3);
    expect(totals(seen).slice(0, 4)).toEqual([
      [1, users[0], 5],
      [1, users[1], 5],
      [3, voter.id, 4],
      [4, users[2], 3],
    ]);
    expect(totals(await read())).not.toContainEqual([3, voter.id, 4]);
    expect((await read(voter)).currentUserRank).toBeNull();
  });
});
