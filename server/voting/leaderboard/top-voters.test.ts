import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { TopVoter } from '#shared/contract/leaderboard.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { empty, insertProjects } from '#lab/testing/builders.ts';
import { Client, newUser } from '#lab/testing/client.ts';
import { insertUsers, insertVotesAt, timeOf } from '#lab/testing/record.ts';
import { refreshTopVoters } from './queries.ts';

const server = await createTestApp();
const { db } = server.services;
const visitor = new Client(server.url);

const NOON_MS = 43_200_000;

let projects: number[] = [];
beforeEach(async () => {
  await empty(db);
  await sql`TRUNCATE vote_totals, top_voters`.execute(db);
  projects = await insertProjects(db, 20);
});

/** Each of these users votes on so many projects, so many days ago. */
const vote = (users: number[], daysAgo: number, from: number, until: number) =>
  insertVotesAt(db, { users, projects: projects.slice(from, until), at: timeOf(daysAgo, NOON_MS) });

interface Response {
  topVoters: TopVoter[];
  currentUserRank: number | null;
  asOf: string | null;
}
const read = async (client = visitor, query = '') => (await client.get<Response>(`/api/leaderboard${query}`)).body;
const totals = ({ topVoters }: Response) => topVoters.map(({ rank, user, totalVotes }) => [rank, user.id, totalVotes]);
const dayAgo = (days: number) => timeOf(days, 0).slice(0, 10);

describe('the published totals of voters [R85]', () => {
  test('the totals of others are those of the end of the last day, and no vote of today moves them [R85 S7.13]', async () => {
    const users = await insertUsers(db, 12);
    await vote(users, 1, 0, 2);
    await vote(users.slice(3, 4), 1, 2, 5);
    expect(await read()).toEqual({ topVoters: [], currentUserRank: null, asOf: null });
    await vote(users.slice(0, 1), 0, 5, 12);
    await refreshTopVoters({ db });
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

  test('the totals of others move only together with ten wallets [R85]', async () => {
    const users = await insertUsers(db, 12);
    await vote(users, 3, 0, 2);
    await refreshTopVoters({ db });
    await sql`UPDATE vote_totals SET day = ${dayAgo(3)}::date`.execute(db);
    const shown = await read();
    await vote(users.slice(0, 9), 2, 2, 4);
    await refreshTopVoters({ db });
    expect(totals(await read())).toEqual(totals(shown));
    // The tenth, a day later.
    await vote(users.slice(9, 10), 1, 2, 3);
    await refreshTopVoters({ db });
    expect(totals(await read())).toEqual([...users.slice(0, 9).map((id) => [1, id, 4]), [10, users[9], 3]]);
  });

  test('a voter sees their present total and its place among the published ones, and others see neither [R85 S3.8]', async () => {
    const users = await insertUsers(db, 12);
    await vote(users, 1, 0, 3);
    await vote(users.slice(0, 2), 1, 3, 5);
    await refreshTopVoters({ db });
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
