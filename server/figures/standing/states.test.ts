import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { AdminWithdrawal } from '#shared/contract/admin.ts';
import type { AdminAppeal, Appeal, ModeratedVote, Standing, Trust } from '#shared/contract/standing.ts';
import type { Project } from '#shared/contract/types.ts';
import type { LeaderboardRow, ListedProject } from '#shared/contract/projects.ts';
import type { Activity, VoteHistoryItem } from '#shared/contract/users.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import {
  behindTheTriggers,
  empty,
  grantTokens,
  insertProject,
  insertProjects,
  beginPeriod,
} from '#lab/testing/builders.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { closeToday } from '#lab/testing/close.ts';
import { giveStanding } from '#lab/testing/standing.ts';

const server = await createTestApp();
const { services } = server;
const { db } = services;
const visitor = new Client(server.url);

beforeEach(() => empty(db));

const vote = async (user: TestUser, projectId: number, voteType: 'bullish' | 'bearish' = 'bullish') =>
  expect((await user.post('/api/votes', { userId: user.id, projectId, voteType })).status).toBe(200);
const project = async (id: number) => (await visitor.get<Project>(`/api/projects/${id}`)).body;
const statesOf = async (user: TestUser) =>
  (await user.get<VoteHistoryItem[]>(`/api/users/${user.id}/votes`)).body.map(({ state, detail }) => [state, detail]);

/** A user whose wallet has standing. */
async function standingUser(): Promise<TestUser> {
  const user = await newUser(server);
  await giveStanding(db, [user.id]);
  return user;
}

test('every list that shows a project counts its verified votes beside all votes [R38 R44]', async () => {
  const [one, other] = await insertProjects(db, 2);
  const [holder, second, fresh, owner] = [
    await standingUser(),
    await standingUser(),
    await newUser(server),
    await newUser(server),
  ];
  await vote(holder, one ?? 0);
  await vote(second, one ?? 0, 'bearish');
  await vote(fresh, one ?? 0);
  await vote(fresh, other ?? 0);
  await closeToday(services);
  expect(await project(one ?? 0)).toMatchObject({
    bullishCount: 2,
    bearishCount: 1,
    verified: { bullish: 1, bearish: 1 },
  });
  expect(await project(other ?? 0)).toMatchObject({ totalVotes: 1, verified: { bullish: 0, bearish: 0 } });
  const board = (await visitor.get<LeaderboardRow[]>('/api/projects/leaderboard/all')).body;
  const feed = (await owner.get<Project[]>(`/api/projects?userId=${owner.id}`)).body;
  for (const list of [board, feed, (await visitor.get<Project[]>('/api/projects')).body])
    expect(list.find(({ id }) => id === one)?.verified).toEqual({ bullish: 1, bearish: 1 });
  // Losing standing affects the votes, and nothing else.
  await giveStanding(db, [holder.id], 5);
  await closeToday(services);
  expect(await project(one ?? 0)).toMatchObject({
    bullishCount: 2,
    bearishCount: 1,
    verified: { bullish: 0, bearish: 1 },
  });
  expect(await findDifferences(db)).toEqual([]);
});

describe("a moderator's decisions on votes", () => {
  test('a moderator sets votes aside with a reason and lifts that; the voter reads both, and the counters follow [R39]', async () => {
    const [projectId = 0, other = 0] = await insertProjects(db, 2);
    const user = await standingUser();
    await vote(user, projectId);
    await vote(user, other);
    await closeToday(services);
    expect(await statesOf(user)).toEqual([
      ['verified', null],
      ['verified', null],
    ]);
    const panel = await signInAsAdmin(server);
    const path = `/api/admin/users/${user.id}/votes/moderate`;
    expect((await panel.post(path, { projectId, aside: true, reason: ' ' })).status).toBe(400);
    expect((await panel.post(path, { projectId: 99_999, aside: true, reason: 'Bought' })).status).toBe(404);
    expect((await panel.post(path, { projectId, aside: true, reason: 'Bought votes' })).status).toBe(200);
    expect(await statesOf(user)).toEqual([
      ['verified', null],
      ['moderator', 'Bought votes'],
    ]);
    expect((await project(other)).verified).toEqual({ bullish: 1, bearish: 0 });
    const listed = (await panel.get<ModeratedVote[]>('/api/admin/moderation/votes')).body;
    expect(listed).toMatchObject([
      { userId: user.id, project: { id: projectId }, state: 'moderator', detail: 'Bought votes' },
    ]);
    const own = (await panel.get<ModeratedVote[]>(`/api/admin/moderation/votes?voterId=${user.id}`)).body;
    expect(own.map(({ project: { id }, state }) => [id, state])).toEqual([
      [other, 'verified'],
      [projectId, 'moderator'],
    ]);
    expect((await panel.post(path, { projectId, aside: false, reason: 'A mistake of ours' })).status).toBe(200);
    await closeToday(services);
    expect((await project(projectId)).verified).toEqual({ bullish: 1, bearish: 0 });
    const lines = (await user.get<Activity[]>(`/api/users/${user.id}/activity`)).body;
    expect(lines.map(({ kind }) => kind)).toEqual(['vote_restored', 'vote_set_aside']);
    expect(lines[1]?.text).toContain('Bought votes');
    expect(
      await db.selectFrom('notices').select(['kind', 'text', 'link']).where('userId', '=', user.id).execute(),
    ).toMatchObject([{ kind: 'vote_excluded', text: expect.stringContaining('Bought votes'), link: '/portfolio' }]);
    const log = await db
      .selectFrom('auditLog')
      .select('action')
      .where('action', 'like', 'vote.%')
      .orderBy('id')
      .execute();
    expect(log.map(({ action }) => action)).toEqual(['vote.set_aside', 'vote.lift']);
  });

  test.each([999_999, 2 ** 31, Number.MAX_SAFE_INTEGER])(
    'a moderator cannot decide on a missing vote on project %d [R39]',
    async (projectId) => {
      const panel = await signInAsAdmin(server);
      const user = await newUser(server);
      const decided = await panel.post(`/api/admin/users/${user.id}/votes/moderate`, {
        projectId,
        aside: true,
        reason: 'Spam',
      });
      expect(decided).toMatchObject({ status: 404, body: { error: 'vote_not_found' } });
    },
  );

  test('a moderator lifts decisions of the rhythm rule, and overrides it [R39]', async () => {
    const projectId = await insertProject(db);
    const user = await standingUser();
    await vote(user, projectId);
    await db
      .insertInto('votesSetAside')
      .values({ userId: user.id, projectId, reason: 'rhythm', detail: 'Like clockwork', actor: 'rhythm rule' })
      .execute();
    expect(await statesOf(user)).toEqual([['rhythm', 'Like clockwork']]);
    const panel = await signInAsAdmin(server);
    const path = `/api/admin/users/${user.id}/votes/moderate`;
    await panel.post(path, { projectId, aside: true, reason: 'Bought' });
    expect(await statesOf(user)).toEqual([['moderator', 'Bought']]);
    expect((await panel.get<ModeratedVote[]>('/api/admin/moderation/votes')).body).toHaveLength(2);
    await panel.post(path, { projectId, aside: false, reason: 'Lifted' });
    await closeToday(services);
    expect(await statesOf(user)).toEqual([['verified', null]]);
  });
});

test('an exclusion lowers the figures of the last closed day at once, and nothing raises them before the next close [R39 R94]', async () => {
  const projectId = await insertProject(db);
  const [bull, bear] = [await standingUser(), await standingUser()];
  await vote(bull, projectId);
  await vote(bear, projectId, 'bearish');
  await closeToday(services);
  const panel = await signInAsAdmin(server);
  const decide = (user: TestUser, aside: boolean) =>
    panel.post(`/api/admin/users/${user.id}/votes/moderate`, { projectId, aside, reason: 'Looked at' });
  const shown = async () => {
    await server.allNotified();
    const [row] = (await visitor.get<ListedProject[]>('/api/v1/projects?sort=trending')).body;
    return { verified: row?.verified, trend: row?.trend, excludedSince: row?.excludedSince };
  };
  const lowered = {
    verified: { bullish: 0, bearish: 1 },
    trend: { bullish: 0, bearish: 1, weight: 7 },
    excludedSince: 1,
  };
  expect(await shown()).toMatchObject({ verified: { bullish: 1, bearish: 1 }, trend: { bullish: 1, weight: 14 } });
  await decide(bear, true);
  expect(await shown()).toMatchObject({ verified: { bullish: 1, bearish: 1 }, trend: { bullish: 1, weight: 14 } });
  for (const aside of [true, false, true, false]) {
    await decide(bull, aside);
    expect(await shown()).toEqual(lowered);
  }
  expect(await findDifferences(db)).toEqual([]);
  await closeToday(services);
  expect(await shown()).toEqual({
    verified: { bullish: 1, bearish: 0 },
    trend: { bullish: 1, bearish: 0, weight: 6 },
    excludedSince: undefined,
  });
  expect(await findDifferences(db)).toEqual([]);
});

test("a moderator's decision covers one voter and one project, with the votes of all periods [R39 R45]", async () => {
  const [projectId = 0, other = 0] = await insertProjects(db, 2);
  const [user, bystander] = [await standingUser(), await standingUser()];
  for (const id of [projectId, other]) await vote(user, id);
  await vote(bystander, projectId);
  await beginPeriod(db, projectId);
  await vote(user, projectId);
  const panel = await signInAsAdmin(server);
  const decide = async ({ id }: TestUser, on: number, aside: boolean, reason: string) => {
    const { status } = await panel.post(`/api/admin/users/${id}/votes/moderate`, { projectId: on, aside, reason });
    expect(status).toBe(200);
  };
  await decide(user, projectId, true, 'Bought');
  await decide(user, other, true, 'Sold');
  await decide(bystander, projectId, true, 'Bought, too');
  // Repeated, for another reason.
  await decide(user, projectId, true, 'Bought votes');
  expect(await statesOf(user)).toEqual([
    ['moderator', 'Bought votes'],
    ['moderator', 'Sold'],
    ['replaced', null],
  ]);
  await decide(user, projectId, false, 'A mistake');
  await closeToday(services);
  expect(await statesOf(user)).toEqual([
    ['verified', null],
    ['moderator', 'Sold'],
    ['replaced', null],
  ]);
  expect(await statesOf(bystander)).toEqual([['moderator', 'Bought, too']]);
});

describe('the check of the books', () => {
  const plant = (statement: string) => sql.raw(statement).execute(db);

  test.each([
    [
      'a verified vote too many',
      'UPDATE verified_stats SET bullish = bullish + 1',
      /^project \d+: verified counters 2 bullish, 0 bearish; verified votes 1, 0$/,
    ],
    [
      'a project without its verified votes',
      'DELETE FROM verified_stats',
      /^project \d+: verified counters 0 bullish, 0 bearish; verified votes 1, 0$/,
    ],
    [
      'a day without its votes',
      "DELETE FROM vote_state_days WHERE state = 'verified'",
      /^votes of [\d-]+: counted 0 as verified; votes 1$/,
    ],
    [
      'a day without such votes',
      "INSERT INTO vote_state_days (day, state, votes) VALUES ('2026-01-01', 'rhythm', 1)",
      /^votes of 2026-01-01: counted 1 as rhythm; votes 0$/,
    ],
  ])('the check of the books finds %s [R13 R38]', async (_what, statement, line) => {
    const projectId = await insertProject(db);
    await vote(await standingUser(), projectId);
    await vote(await newUser(server), projectId);
    await closeToday(services);
    expect(await findDifferences(db)).toEqual([]);
    await plant(statement);
    expect((await findDifferences(db))[0]).toMatch(line);
    // The next count writes the states of the votes.
    await closeToday(services);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('the check of the books waits for the next count after a decision, and leaves out later votes [R38]', async () => {
    const [projectId = 0, other = 0] = await insertProjects(db, 2);
    const user = await standingUser();
    await vote(user, projectId);
    await closeToday(services);
    await vote(user, other);
    expect(await findDifferences(db)).toEqual([]);
    const panel = await signInAsAdmin(server);
    await panel.post(`/api/admin/users/${user.id}/votes/moderate`, { projectId, aside: true, reason: 'Bought' });
    expect(await findDifferences(db)).toEqual([]);
    await closeToday(services);
    expect(await findDifferences(db)).toEqual([]);
    expect((await project(other)).verified).toEqual({ bullish: 1, bearish: 0 });
  });
});

test('a voter sees their standing and appeals once; the admin answers, and the voter reads it [R39]', async () => {
  const user = await newUser(server);
  const own = () => user.get<Standing>(`/api/users/${user.id}/standing`);
  expect((await own()).body).toMatchObject({ state: 'waiting', days: [], appeal: null });
  await giveStanding(db, [user.id], 2);
  await sql`INSERT INTO standing_days (day) SELECT (now() AT TIME ZONE 'UTC')::date - n FROM generate_series(0, 8) n`.execute(
    db,
  );
  expect((await own()).body).toMatchObject({
    state: 'no_standing',
    days: ['not_held', 'not_held', 'not_held', 'not_held', 'not_held', 'held', 'held'].map((result) => ({ result })),
    rules: { minMist: '1000000000', minDays: 7, neededDays: 6, windowDays: 7, voterDays: 35, decisionMinDays: 10 },
  });
  for (const text of [' ', '\u200b', 'x'.repeat(501)])
    expect((await user.post('/api/appeals', { text })).status).toBe(400);
  // Votes that are not verified yet are not a reason.
  const [projectId = 0, other = 0, third = 0] = await insertProjects(db, 3);
  for (const id of [projectId, other, third]) await vote(user, id);
  expect((await own()).body.votes).toEqual({ verified: 0, waiting: 3, excluded: 0, undecided: 3 });
  expect(await user.post('/api/appeals', { text: 'My SUI is staked' })).toMatchObject({
    status: 409,
    body: { error: 'nothing_excluded' },
  });
  const at = (daysAgo: number) => sql`created_at - ${daysAgo} * interval '1 day'`;
  await behindTheTriggers(db, async (trx) => {
    await sql`UPDATE votes SET created_at = ${at(50)} WHERE user_id = ${user.id} AND project_id = ${other}`.execute(
      trx,
    );
    await sql`UPDATE votes SET created_at = ${at(40)} WHERE user_id = ${user.id} AND project_id = ${projectId}`.execute(
      trx,
    );
    await sql`UPDATE voter_standing SET decided_until = read_on - 38, verified_days = datemultirange(daterange(NULL, read_on - 45))`.execute(
      trx,
    );
  });
  expect((await own()).body.votes).toEqual({ verified: 1, waiting: 1, excluded: 1, undecided: 1 });
  const posted = await user.post<Appeal>('/api/appeals', { text: 'My SUI is staked' });
  expect([posted.status, posted.body.answer]).toEqual([201, null]);
  expect((await user.post('/api/appeals', { text: 'Hello?' })).body).toMatchObject({ error: 'appeal_open' });
  const panel = await signInAsAdmin(server);
  const queue = (await panel.get<AdminAppeal[]>('/api/admin/appeals')).body;
  expect(queue).toMatchObject([
    { userId: user.id, text: 'My SUI is staked', standing: 'no_standing', votes: 3, noStanding: 1 },
  ]);
  const path = `/api/admin/appeals/${posted.body.id}/answer`;
  expect((await panel.post(path, { answer: '' })).status).toBe(400);
  expect((await panel.post(path, { answer: 'Keep 1 SUI unstaked' })).body).toMatchObject({
    answer: 'Keep 1 SUI unstaked',
  });
  expect((await panel.post(path, { answer: 'Again' })).status).toBe(409);
  expect((await panel.get<AdminAppeal[]>('/api/admin/appeals')).body).toEqual([]);
  expect((await panel.get<AdminAppeal[]>('/api/admin/appeals?state=answered')).body).toHaveLength(1);
  expect((await own()).body.appeal).toMatchObject({ answer: 'Keep 1 SUI unstaked' });
  const [line] = (await user.get<Activity[]>(`/api/users/${user.id}/activity`)).body;
  expect(line).toMatchObject({ kind: 'appeal_answered', text: 'Your appeal was answered: Keep 1 SUI unstaked' });
  expect((await user.post('/api/appeals', { text: 'Thank you' })).status).toBe(201);
  // The newest one is shown, whether it is answered or not.
  expect((await own()).body.appeal).toMatchObject({ text: 'Thank you', answer: null, answeredAt: null });
});

test('/trust shows the last 35 days, and counts the votes and readings of all users [R39 R44]', async () => {
  const today = sql`(now() AT TIME ZONE 'UTC')::date`;
  await sql`INSERT INTO vote_state_days (day, state, votes)
    SELECT ${today} - age, state::vote_state, votes FROM (VALUES (0, 'verified', 1), (34, 'verified', 2), (34, 'rhythm', 4), (35, 'moderator', 8),
      (35, 'waiting', 16), (40, 'no_standing', 32), (40, 'replaced', 64)) AS x (age, state, votes)`.execute(db);
  await sql`INSERT INTO standing_days (day, wallets, standing, unread, skipped)
    SELECT ${today} - age, wallets, standing, unread, skipped
    FROM (VALUES (0, 9, 8, 7, NULL), (34, 6, 5, 4, NULL), (35, 3, 2, 1, NULL), (40, 0, 0, 0, 'Away')) AS x (age, wallets, standing, unread, skipped)`.execute(
    db,
  );
  await server.allNotified();
  const day = (age: number) => new Date(Date.now() - age * 86_400_000).toISOString().slice(0, 10);
  const none = { verified: 0, waiting: 0, noStanding: 0, rhythm: 0, moderator: 0, replaced: 0 };
  const { body } = await visitor.get<Trust>('/api/trust');
  expect(body).toMatchObject({
    votes: 127,
    verified: 3,
    rhythm: 4,
    moderator: 8,
    waiting: 16,
    noStanding: 32,
    replaced: 64,
    readingsDone: 3,
    readingsSkipped: 1,
  });
  expect(body.days).toEqual([
    { ...none, day: day(34), votes: 6, verified: 2, rhythm: 4 },
    { ...none, day: day(0), votes: 1, verified: 1 },
  ]);
  expect(body.readings).toEqual([
    { day: day(0), skipped: null, wallets: 9, standing: 8, unread: 7 },
    { day: day(34), skipped: null, wallets: 6, standing: 5, unread: 4 },
  ]);
});

test('the withdrawal queue shows what speaks for or against a wallet, and filters by standing [R14 R39]', async () => {
  const [user, twin, stranger] = [await standingUser(), await newUser(server), await newUser(server)];
  const projects = await insertProjects(db, 4);
  for (const [i, id] of projects.entries()) {
    await vote(user, id);
    await vote(twin, id, i === 0 ? 'bearish' : 'bullish');
    await vote(stranger, id);
  }
  const hash = (fill: number) => Buffer.alloc(16, fill);
  const day = sql<Date>`(now() AT TIME ZONE 'UTC')::date`;
  await db
    .insertInto('voterNetworks')
    .values([
      { day, userId: user.id, network: hash(1) },
      { day, userId: twin.id, network: hash(1) },
      { day, userId: stranger.id, network: hash(2) },
    ])
    .execute();
  for (const one of [user, twin]) {
    await grantTokens(db, one.id, 100);
    const body = { userId: one.id, walletAddress: one.address, tokenAmount: 60 };
    expect((await one.post('/api/withdrawals', body)).status).toBe(201);
  }
  const panel = await signInAsAdmin(server);
  const queue = (query: string) => panel.get<AdminWithdrawal[]>(`/api/admin/withdrawals?state=requested${query}`);
  const all = (await queue('')).body;
  const risk = {
    votes: 5,
    verified: 0,
    excluded: 0,
    voteDays: expect.toBeOneOf([1, 2]),
    votesPerMinute: expect.any(Number),
    sameNetwork: 1,
    equalVotes: 0.6,
  };
  expect(all.map((one) => one.risk)).toEqual([
    { ...risk, standing: 'standing' },
    { ...risk, standing: 'waiting' },
  ]);
  expect(all[0]?.risk.votesPerMinute).toBeGreaterThan(0);
  const standing = await queue('&standing=standing');
  expect([standing.body.map(({ userId }) => userId), standing.headers.get('x-total-count')]).toEqual([[user.id], '1']);
  expect((await queue('&standing=waiting')).body.map(({ userId }) => userId)).toEqual([twin.id]);
  expect((await queue('&standing=no_standing')).body).toEqual([]);
});
