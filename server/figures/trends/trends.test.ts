import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { LinkedProject, ProjectDay, ProjectTrend } from '#shared/contract/trends.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { empty, insertProject, insertUser, setProject, dayOf } from '#lab/testing/builders.ts';
import { Client } from '#lab/testing/client.ts';
import { giveStanding, setState } from '#lab/testing/standing.ts';
import { findReach } from '../totals/reach.ts';
import { closeToday, closeUpTo } from '#lab/testing/close.ts';

const server = await createTestApp();
const { services } = server;
const { db } = services;
const visitor = new Client(server.url);

beforeEach(() => empty(db));

interface Cast {
  userId: number;
  projectId: number;
  daysAgo: number;
  bullish?: boolean;
  period?: number;
}

/** A vote of this moment, or at noon of a day before, without its reward. Earlier today may be counted already. */
async function cast({ userId, projectId, daysAgo, bullish = true, period = 1 }: Cast): Promise<void> {
  const noon = sql`((now() AT TIME ZONE 'UTC')::date - ${daysAgo}::int + time '12:00') AT TIME ZONE 'UTC'`;
  await sql`INSERT INTO votes (user_id, project_id, bullish, period, created_at)
    VALUES (${userId}, ${projectId}, ${bullish}, ${period}, ${daysAgo === 0 ? sql`now()` : noon})`.execute(db);
}

const trend = async (ref: number | string): Promise<ProjectDay[]> =>
  (await visitor.get<ProjectTrend>(`/api/projects/${ref}/trend`)).body.days;
const written = async () =>
  (await sql<{ written: string }>`SELECT xmin::text AS written FROM project_days ORDER BY project_id, day`.execute(db))
    .rows;

/** Four voters, and a project on which they vote. */
async function crowd(): Promise<{ voters: [number, number, number, number]; projectId: number }> {
  const voters = [await insertUser(db), await insertUser(db), await insertUser(db), await insertUser(db)] as const;
  return { voters: [...voters], projectId: await insertProject(db) };
}

test('the reach of a new listing is the voters of 30 days and the median votes of a first week [R92]', async () => {
  const active = await insertUser(db);
  const gone = await insertUser(db);
  const on = (column: string, userId: number, daysAgo: number) =>
    sql`UPDATE user_stats SET ${sql.ref(column)} = (now() AT TIME ZONE 'UTC')::date - ${daysAgo}::int WHERE user_id = ${userId}`.execute(
      db,
    );
  await on('last_day', active, 29);
  await on('last_day', gone, 31);
  // Voters of today alone do not count.
  const { voters, projectId } = await crowd();
  for (const voter of voters) await on('last_day', voter, 0);
  await cast({ userId: voters[0], projectId, daysAgo: 5 });
  const listed = async (daysAgo: number, ...votes: number[]) => {
    const id = await insertProject(db);
    await sql`UPDATE projects SET created_at = created_at - make_interval(days => ${daysAgo}) WHERE id = ${id}`.execute(
      db,
    );
    for (const [after, count] of votes.entries())
      await sql`INSERT INTO project_days (project_id, day, bullish, bearish, votes)
        VALUES (${id}, (now() AT TIME ZONE 'UTC')::date - ${daysAgo - after}::int, ${count}, 0, ${count})`.execute(db);
  };
  await listed(20, 1, 1);
  await listed(20, 5, 0, 0, 0, 0, 0, 0, 90);
  await listed(10, 8);
  await listed(3, 100);
  await listed(50, 100);
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await closeUpTo(services, day);
  const reach = { day, voters: 2, listings: 3, firstWeekVotes: 5 };
  expect(await findReach(db)).toEqual(reach);
  expect((await visitor.get('/api/trust/reach')).body).toEqual(reach);
});

describe('the days of a project', () => {
  test('the days of a project have its votes at the end of each day on which one was cast', async () => {
    const { voters, projectId } = await crowd();
    expect(await trend(projectId)).toEqual([]);
    const [one, two, three, four] = voters;
    await cast({ userId: one, projectId, daysAgo: 9 });
    await cast({ userId: two, projectId, daysAgo: 9, bullish: false });
    await cast({ userId: three, projectId, daysAgo: 3 });
    await cast({ userId: four, projectId: await insertProject(db), daysAgo: 5 });
    await closeToday(services);
    const unknown = { turnedBullish: 0, turnedBearish: 0, verifiedBullish: 0, verifiedBearish: 0 };
    expect(await trend(projectId)).toEqual([
      { day: await dayOf(db, 9), bullish: 1, bearish: 1, votes: 2, ...unknown },
      { day: await dayOf(db, 3), bullish: 2, bearish: 1, votes: 1, ...unknown },
    ]);
    expect((await findDifferences(db)).filter((line) => line.includes('days say'))).toEqual([]);
  });

  test('a replacing vote subtracts the earlier one on its own day [R45]', async () => {
    const { voters, projectId } = await crowd();
    const [one, two] = voters;
    await cast({ userId: one, projectId, daysAgo: 70 });
    await cast({ userId: two, projectId, daysAgo: 70 });
    await cast({ userId: one, projectId, daysAgo: 35, period: 2, bullish: false });
    await cast({ userId: one, projectId, daysAgo: 2, period: 3, bullish: false });
    await closeToday(services);
    // Other days have a row where 'Now' changed.
    expect((await trend(projectId)).filter(({ votes }) => votes > 0)).toMatchObject([
      { day: await dayOf(db, 70), bullish: 2, bearish: 0, votes: 2 },
      { day: await dayOf(db, 35), bullish: 1, bearish: 1, votes: 1 },
      { day: await dayOf(db, 2), bullish: 1, bearish: 1, votes: 1 },
    ]);
    expect((await findDifferences(db)).filter((line) => line.includes('days say'))).toEqual([]);
  });

  test('a closed day has the verified votes of its end, and no later one changes it [R38 R94]', async () => {
    const { voters, projectId } = await crowd();
    const [one, two, three] = voters;
    await giveStanding(db, [one, three]);
    await cast({ userId: one, projectId, daysAgo: 4 });
    await cast({ userId: two, projectId, daysAgo: 3, bullish: false });
    await closeToday(services);
    const days = [
      { day: await dayOf(db, 4), bullish: 1, bearish: 0, verifiedBullish: 1, verifiedBearish: 0 },
      { day: await dayOf(db, 3), bullish: 1, bearish: 1, verifiedBullish: 1, verifiedBearish: 0 },
    ];
    expect(await trend(projectId)).toMatchObject(days);
    const before = await written();
    await setState(db, [one], 'no_standing');
    await closeToday(services);
    expect((await written()).slice(0, 2)).toEqual(before);
    const lost = { day: await dayOf(db, -1), votes: 0, verifiedBullish: 0 };
    expect(await trend(projectId)).toMatchObject([...days, lost]);
  });

  test('at most 400 days are sent, and none of a hidden or missing project', async () => {
    const { projectId } = await crowd();
    await sql`INSERT INTO project_days (project_id, day, bullish, bearish, votes)
      SELECT ${projectId}, (now() AT TIME ZONE 'UTC')::date - n, 500 - n, 0, 1 FROM generate_series(0, 450) n`.execute(
      db,
    );
    const days = await trend(projectId);
    expect(days).toHaveLength(400);
    expect([days[0]?.day, days.at(-1)?.day]).toEqual([await dayOf(db, 399), await dayOf(db, 0)]);
    const hidden = await insertProject(db, { hidden: true });
    for (const ref of [hidden, 987_654, 'no-such-project'])
      expect((await visitor.get(`/api/projects/${ref}/trend`)).status).toBe(404);
  });

  test('the check finds days that contradict the votes [R13]', async () => {
    const { voters, projectId } = await crowd();
    await cast({ userId: voters[0], projectId, daysAgo: 3 });
    await cast({ userId: voters[1], projectId, daysAgo: 0 });
    await closeToday(services);
    await sql`UPDATE project_days SET bearish = 1 WHERE day = ${await dayOf(db, 0)}`.execute(db);
    expect((await findDifferences(db)).filter((line) => line.includes('days say'))).toEqual([
      expect.stringMatching(/^project \d+ before .*: days say 2 bullish, 1 bearish; votes 2, 0$/),
    ]);
  });
});

test('votes of the newest days are found by an index that casting a vote does not write [R7]', async () => {
  await db.connection().execute(async (connection) => {
    await sql`SET enable_seqscan = off`.execute(connection);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`EXPLAIN SELECT FROM votes WHERE created_at >= now()`.execute(
      connection,
    );
    await sql`RESET enable_seqscan`.execute(connection);
    expect(JSON.stringify(rows)).toContain('votes_created_at_idx');
  });
});

test('verified votes of seven days weigh less each day', async () => {
  const { voters, projectId } = await crowd();
  const [one, two, three, four] = voters;
  await giveStanding(db, [one, two, three]);
  await cast({ userId: one, projectId, daysAgo: 0 });
  await cast({ userId: two, projectId, daysAgo: 6, bullish: false });
  await cast({ userId: three, projectId, daysAgo: 7 });
  await cast({ userId: four, projectId, daysAgo: 0 });
  await closeToday(services);
  expect(await db.selectFrom('projectTrends').selectAll().execute()).toEqual([
    { projectId, bullish: 1, bearish: 1, weight: 8 },
  ]);
  await setState(db, [one, two, three], 'no_standing');
  await closeToday(services);
  expect(await db.selectFrom('projectTrends').selectAll().execute()).toEqual([]);
});

test('similar projects are active ones of the same category, the most similar first; a hidden one has none', async () => {
  const ownerId = await insertUser(db);
  const add = async (name: string, description: string, category = 'DeFi', options = {}) => {
    const id = await insertProject(db, { ownerId, name, ...options });
    await setProject(db, id, { description, category });
    return id;
  };
  const swap = await add('Tidepool Swap', 'Concentrated liquidity that breathes');
  await add('Lantern Lend', 'Loans by lantern light');
  await add('Tide Exchange', 'Liquidity that breathes, too');
  await add('Tidepool Cards', 'Concentrated liquidity that breathes', 'NFT');
  await add('Tidepool Old', 'Concentrated liquidity', 'DeFi', { expiresInDays: -1 });
  const hidden = await add('Tidepool Gone', 'Concentrated liquidity', 'DeFi', { hidden: true });
  const similar = async (id: number) =>
    (await visitor.get<LinkedProject[]>(`/api/projects/${id}/similar`)).body.map(({ name }) => name);
  expect(await similar(swap)).toEqual(['Tide Exchange', 'Lantern Lend']);
  for (const name of ['One', 'Two', 'Three']) await add(name, 'Other words');
  expect(await similar(swap)).toHaveLength(4);
  expect((await visitor.get(`/api/projects/${hidden}/similar`)).status).toBe(404);
});
