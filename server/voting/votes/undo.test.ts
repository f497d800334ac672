import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Project, UserStats, VotingStatus } from '#shared/contract/types.ts';
import type { VoteHistoryItem } from '#shared/contract/users.ts';
import type { OwnVote } from '#shared/contract/votes.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { behindTheTriggers, insertProject, insertProjects, beginPeriod } from '#lab/testing/builders.ts';
import { Client, newUser, type TestUser, castVote } from '#lab/testing/client.ts';
import { insertVotesAt } from '#lab/testing/record.ts';
import { ageVotes } from '#lab/testing/opinions.ts';
import { closeToday } from '#lab/testing/close.ts';
import { closeDaysAt } from '#server/record/close-days.ts';
import { UNDO_GRACE_MS, UNDO_WINDOW_MS } from '#shared/constants.ts';

const DAY_MS = 86_400_000;
/** Long enough for any machine; votes are backdated instead. */
const server = await createTestApp({ undoWindowMs: 3 * DAY_MS });
const { db } = server.services;

interface Shown {
  congratulation: number | null;
  userStats: UserStats;
  votingStatus: VotingStatus;
  error: string;
  message: string;
}

const vote = castVote<Shown>;
const undo = (user: Client, projectId: number | string) => user.send<Shown>('DELETE', `/api/votes/${projectId}`);
const ownVote = async (user: Client, ref: number | string) =>
  (await user.get<OwnVote>(`/api/projects/${ref}/own-vote`)).body;
const countersOf = (projectId: number) =>
  db
    .selectFrom('projectStats')
    .select(['bullish', 'bearish'])
    .where('projectId', '=', projectId)
    .executeTakeFirstOrThrow();
const statsOf = (user: TestUser) =>
  db.selectFrom('userStats').selectAll().where('userId', '=', user.id).executeTakeFirstOrThrow();

/** Makes a vote older by this interval, with the window and day that it opened. */
const age = (user: TestUser, projectId: number, by: string) =>
  behindTheTriggers(db, (trx) =>
    sql`WITH moved AS (
        UPDATE votes SET created_at = created_at - ${by}::interval WHERE user_id = ${user.id} AND project_id = ${projectId} RETURNING created_at
      )
      UPDATE user_stats SET window_started_at = moved.created_at, last_day = (moved.created_at AT TIME ZONE 'UTC')::date
      FROM moved WHERE user_id = ${user.id}`.execute(trx),
  );

describe('an undone vote leaves everything as before it [R46]', () => {
  test('undoing the first vote of all restores counters, balance, streak and window, and both sides of the ledger', async () => {
    const user = await newUser(server);
    const projectId = await insertProject(db, { bullish: 0 });
    const before = await statsOf(user);
    await vote(user, projectId);
    const { status, body } = await undo(user, projectId);
    expect(status).toBe(200);
    expect(body.userStats).toMatchObject({
      totalVotes: 0,
      bullishVotes: 0,
      tokenBalance: 0,
      tokensEarned: 0,
      streak: 0,
    });
    expect(body.votingStatus).toMatchObject({ votesRemaining: 25, totalVotes: 0, periodEndsAt: null });
    // The most that it had earned stays, and alone decides about the congratulation (R10).
    expect(await statsOf(user)).toEqual({
      ...before,
      peakEarned: 10,
      undoableFrom: expect.any(Date),
    });
    expect(await countersOf(projectId)).toEqual({ bullish: 0, bearish: 0 });
    const { rows } = await sql<{ kind: string; amount: number }>`
      SELECT kind::text AS kind, amount FROM ledger_entries WHERE user_id = ${user.id} ORDER BY created_at, amount DESC`.execute(
      db,
    );
    expect(rows).toEqual([
      { kind: 'vote_reward', amount: 10 },
      { kind: 'vote_undone', amount: -10 },
    ]);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('an undone card is dealt again, and can be voted on again', async () => {
    const user = await newUser(server);
    const projectId = await insertProject(db);
    const dealt = async () =>
      (await user.get<Project[]>(`/api/projects?userId=${user.id}`)).body.some(({ id }) => id === projectId);
    await vote(user, projectId);
    expect(await dealt()).toBe(false);
    await undo(user, projectId);
    expect(await dealt()).toBe(true);
    expect((await vote(user, projectId, 'bearish')).body.userStats).toMatchObject({
      totalVotes: 1,
      bearishVotes: 1,
      tokenBalance: 10,
    });
    expect(await countersOf(projectId)).toEqual({ bullish: 0, bearish: 1 });
    expect(await findDifferences(db)).toEqual([]);
  });

  test('a vote that did not open its window leaves the window open, with one vote fewer', async () => {
    const user = await newUser(server);
    const [first = 0, second = 0] = await insertProjects(db, 2);
    await vote(user, first);
    const before = await statsOf(user);
    await vote(user, second);
    await undo(user, second);
    expect(await statsOf(user)).toMatchObject({ windowVotes: 1, windowStartedAt: before.windowStartedAt, streak: 1 });
    expect(await findDifferences(db)).toEqual([]);
  });

  test('the streak of the only vote of today does not count votes of two days ago', async () => {
    const user = await newUser(server);
    const [before = 0, today = 0] = await insertProjects(db, 2);
    await vote(user, before);
    await age(user, before, '2 days');
    expect((await vote(user, today)).body.userStats.streak).toBe(1);
    expect((await undo(user, today)).body.userStats.streak).toBe(0);
    expect((await vote(user, today)).body.userStats.streak).toBe(1);
  });

  test('undoing the only vote of a day leaves a streak that a later day has begun already', async () => {
    const user = await newUser(server);
    const projectId = await insertProject(db);
    await vote(user, projectId);
    const tomorrow = sql<Date>`(now() AT TIME ZONE 'UTC')::date + 1`;
    await db.updateTable('userStats').set({ streak: 3, lastDay: tomorrow }).where('userId', '=', user.id).execute();
    const { lastDay } = await statsOf(user);
    expect((await undo(user, projectId)).status).toBe(200);
    expect(await statsOf(user)).toMatchObject({ streak: 3, lastDay });
  });

  test('undoing the last vote of a streak ends it yesterday again', async () => {
    const user = await newUser(server);
    const [yesterday = 0, today = 0] = await insertProjects(db, 2);
    await vote(user, yesterday);
    await age(user, yesterday, '1 day');
    const before = await statsOf(user);
    expect((await vote(user, today)).body.userStats.streak).toBe(2);
    expect((await undo(user, today)).body.userStats.streak).toBe(1);
    expect(await statsOf(user)).toMatchObject({ streak: before.streak, lastDay: before.lastDay });
  });

  test('undoing a vote in a later listing period makes the earlier one count again [R45]', async () => {
    const user = await newUser(server);
    const projectId = await insertProject(db);
    await vote(user, projectId);
    await beginPeriod(db, projectId);
    await vote(user, projectId, 'bearish');
    expect(await countersOf(projectId)).toEqual({ bullish: 0, bearish: 1 });
    await beginPeriod(db, projectId);
    await vote(user, projectId);
    expect(await countersOf(projectId)).toEqual({ bullish: 1, bearish: 0 });
    await undo(user, projectId);
    expect(await countersOf(projectId)).toEqual({ bullish: 0, bearish: 1 });
    expect(await ownVote(user, projectId)).toMatchObject({
      vote: { voteType: 'bearish', period: 2 },
      canVote: 'yes',
      result: null,
    });
    expect(await findDifferences(db)).toEqual([]);
  });
});

test('a day is not closed before the undo of its last vote is over [R38 R46]', async () => {
  await closeToday(server.services);
  const { rows } = await sql<{ endMs: number }>`
    SELECT date_part('epoch', max(until) + interval '1 day') * 1000 AS "endMs" FROM closed_days`.execute(db);
  const now = new Date((rows[0]?.endMs ?? 0) + UNDO_WINDOW_MS + UNDO_GRACE_MS);
  expect(await closeDaysAt(server.services, { now })).toBe(0);
});

test('a vote of a day that is closed cannot be undone [R46 R94]', async () => {
  const user = await newUser(server);
  const projectId = await insertProject(db);
  await vote(user, projectId);
  await closeToday(server.services);
  expect(await undo(user, projectId)).toMatchObject({ status: 409, body: { error: 'too_late' } });
});

test('the congratulation 1000 comes once, though the total passes it again after an undo [R10 R46]', async () => {
  const user = await newUser(server);
  const [early = 0, first = 0, second = 0, third = 0] = await insertProjects(db, 4);
  const congratulation = async (projectId: number) => (await vote(user, projectId)).body.congratulation;
  for (let times = 0; times < 2; times += 1) {
    await vote(user, early);
    await undo(user, early);
  }
  await db.updateTable('userStats').set({ tokensEarned: 980 }).where('userId', '=', user.id).execute();
  // An undo far below the number does not affect the congratulation.
  expect(await congratulation(first)).toBeNull();
  expect(await congratulation(second)).toBe(1000);
  await undo(user, second);
  expect(await congratulation(third)).toBeNull();
  await undo(user, third);
  expect(await congratulation(third)).toBeNull();
  await db.updateTable('userStats').set({ tokensEarned: 20 }).where('userId', '=', user.id).execute();
});

test('a vote that passes 1000 Snaps returns the congratulation, however many votes were undone before [R10 R59]', async () => {
  const user = await newUser(server);
  const projectId = await insertProject(db);
  await insertVotesAt(db, { users: [user.id], projects: await insertProjects(db, 99), at: '2026-01-01T12:00:00Z' });
  // The number of undos that one wallet could make in a day before the limit existed.
  await sql`INSERT INTO undone_votes (user_id, created_at, undone_at, project_id, tokens, period, bullish)
    SELECT ${user.id}, at, at + interval '1 second', ${projectId}, 10, 1, true
    FROM (SELECT now() - n * interval '1 minute' AS at FROM generate_series(1000, 41000) n) x`.execute(db);
  expect(await vote(user, projectId)).toMatchObject({ status: 200, body: { congratulation: 1000 } });
  await behindTheTriggers(db, (trx) => sql`DELETE FROM undone_votes WHERE user_id = ${user.id}`.execute(trx));
  expect((await undo(user, projectId)).status).toBe(200);
  expect(await vote(user, projectId)).toMatchObject({ status: 200, body: { congratulation: null } });
  expect(await findDifferences(db)).toEqual([]);
});

describe('ten votes can be taken back in any six hours [R59]', () => {
  test('a user undoes ten of twelve votes, each from two servers at once, and the books are right', async () => {
    const user = await newUser(server);
    const projects = await insertProjects(db, 12);
    const other = await startServer(server.databaseUrl, { undoWindowMs: 3 * DAY_MS });
    const tab = Object.assign(new Client(other.url), { cookie: user.cookie });
    const statuses: number[] = [];
    for (const id of projects) {
      expect((await vote(user, id)).status).toBe(200);
      const responses = await Promise.all([undo(user, id), undo(tab, id)]);
      statuses.push(Math.min(...responses.map(({ status }) => status)));
    }
    await other.close();
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
    expect(await statsOf(user)).toMatchObject({ totalVotes: 2, windowVotes: 2, balance: 20 });
    expect(await findDifferences(db)).toEqual([]);
  });

  test('the eleventh undo gets the time of the next one, and votes do not wait for it', async () => {
    const user = await newUser(server);
    const [projectId = 0, next = 0] = await insertProjects(db, 2);
    for (let times = 0; times < 10; times += 1) {
      expect((await vote(user, projectId)).status).toBe(200);
      expect((await undo(user, projectId)).status).toBe(200);
    }
    expect((await vote(user, projectId)).status).toBe(200);
    const ageUndos = (by: string) =>
      behindTheTriggers(db, (trx) =>
        sql`UPDATE undone_votes SET undone_at = undone_at - ${by}::interval WHERE user_id = ${user.id}`.execute(trx),
      );
    await ageUndos('5 hours 58 minutes');
    const refused = await undo(user, projectId);
    expect(refused).toMatchObject({
      status: 429,
      body: { error: 'undo_limit', message: 'You have taken back 10 votes in the last 6 hours. This one stays.' },
    });
    const waitS = Number(refused.headers.get('retry-after'));
    expect(waitS).toBeGreaterThan(0);
    expect(waitS).toBeLessThanOrEqual(120);
    expect((await vote(user, next)).status).toBe(200);
    await ageUndos('2 minutes');
    expect((await undo(user, next)).status).toBe(200);
    expect(await findDifferences(db)).toEqual([]);
  });
});

test('the server takes an undo for eight seconds and shows the result from then on [R59]', async () => {
  const usual = await startServer(server.databaseUrl, { undoWindowMs: 'as in production' });
  const user = Object.assign(await newUser(server), { url: usual.url });
  const [slow = 0, late = 0] = await insertProjects(db, 2);
  await vote(user, slow);
  await ageVotes(db, user.id, '5 seconds');
  expect(await ownVote(user, slow)).toMatchObject({ undoableUntil: expect.any(String), result: null });
  expect((await undo(user, slow)).status).toBe(200);
  await vote(user, late);
  await ageVotes(db, user.id, '8 seconds');
  expect(await ownVote(user, late)).toMatchObject({ undoableUntil: null, result: { bullishCount: 1 } });
  expect(await undo(user, late)).toMatchObject({
    status: 409,
    body: { error: 'too_late', message: 'The vote can no longer be undone' },
  });
  expect(await ownVote(user, late)).toMatchObject({ canVote: 'voted' });
  expect((await statsOf(user)).totalVotes).toBe(1);
  await usual.close();
});

describe('votes that cannot be undone [R46]', () => {
  test('a vote cannot be undone twice, or in two tabs at once', async () => {
    const user = await newUser(server);
    const projectId = await insertProject(db);
    await vote(user, projectId);
    const other = await startServer(server.databaseUrl, { undoWindowMs: 3 * DAY_MS });
    const tab = Object.assign(new Client(other.url), { cookie: user.cookie });
    const responses = await Promise.all([undo(user, projectId), undo(tab, projectId), undo(user, projectId)]);
    await other.close();
    expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409]);
    expect((await undo(user, projectId)).status).toBe(409);
    expect(await statsOf(user)).toMatchObject({ totalVotes: 0, balance: 0 });
    expect(await findDifferences(db)).toEqual([]);
  });

  test('a vote cannot be undone when its reward is spent, without a vote or session, or by another user', async () => {
    const user = await newUser(server);
    const projectId = await insertProject(db);
    expect(await undo(user, projectId)).toMatchObject({ status: 404, body: { error: 'vote_not_found' } });
    expect((await undo(user, 987_654_321)).status).toBe(404);
    expect((await undo(user, 'x')).status).toBe(400);
    expect((await undo(user, '999999999999999')).status).toBe(404);
    await vote(user, projectId);
    expect((await undo(new Client(server.url), projectId)).status).toBe(401);
    expect((await undo(await newUser(server), projectId)).status).toBe(404);
    for (const id of await insertProjects(db, 4)) await vote(user, id);
    const last = await insertProject(db);
    await vote(user, last);
    const body = { userId: user.id, walletAddress: user.address, tokenAmount: 60 };
    expect((await user.post('/api/withdrawals', body)).status).toBe(201);
    expect(await undo(user, last)).toMatchObject({ status: 409, body: { error: 'reward_spent' } });
    expect(await countersOf(last)).toEqual({ bullish: 1, bearish: 0 });
  });

  test('a vote cannot be undone by deleting its row', async () => {
    const user = await newUser(server);
    const projectId = await insertProject(db);
    await vote(user, projectId);
    const remove = (more = '') => sql.raw(`${more} DELETE FROM votes WHERE user_id = ${user.id}`).execute(db);
    await expect(remove()).rejects.toThrow('votes is append-only');
    // Nor with a row in undone_votes alone.
    await expect(
      remove(`WITH kept AS (INSERT INTO undone_votes (user_id, created_at, undone_at, project_id, tokens, period, bullish)
        SELECT user_id, created_at, now(), project_id, 10, period, bullish FROM votes WHERE user_id = ${user.id})`),
    ).rejects.toThrow('votes is append-only');
    // Nor when the ledger reverses less than the reward.
    await expect(
      remove(`WITH kept AS (INSERT INTO undone_votes (user_id, created_at, undone_at, project_id, tokens, period, bullish)
        SELECT user_id, created_at, now(), project_id, 10, period, bullish FROM votes WHERE user_id = ${user.id} RETURNING id),
        entry AS (INSERT INTO token_ledger (user_id, ref, amount, created_at, kind)
          SELECT ${user.id}, id, -1, now(), 'vote_undone' FROM kept)`),
    ).rejects.toThrow('votes is append-only');
  });
});

describe('all users may vote again in a later listing period [R45]', () => {
  test('the newest vote counts, each is rewarded, and the earlier one stays in the history', async () => {
    const user = await newUser(server);
    const projectId = await insertProject(db);
    await vote(user, projectId);
    expect((await vote(user, projectId, 'bearish')).status).toBe(409);
    await beginPeriod(db, projectId);
    await beginPeriod(db, projectId);
    const { body } = await vote(user, projectId, 'bearish');
    expect(body.userStats).toMatchObject({ totalVotes: 2, bullishVotes: 1, bearishVotes: 1, tokenBalance: 20 });
    expect((await vote(user, projectId)).status).toBe(409);
    expect(await countersOf(projectId)).toEqual({ bullish: 0, bearish: 1 });
    const history = (await user.get<VoteHistoryItem[]>(`/api/users/${user.id}/votes`)).body;
    expect(history.map(({ voteType, period, counts, state }) => ({ voteType, period, counts, state }))).toEqual([
      { voteType: 'bearish', period: 3, counts: true, state: 'waiting' },
      { voteType: 'bullish', period: 1, counts: false, state: 'replaced' },
    ]);
    expect(new Set(history.map(({ id }) => id)).size).toBe(2);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('a moment at which a period begins belongs to that period', async () => {
    const { rows } = await sql<{ period: number }>`
      SELECT period_at(ARRAY['2026-01-01', '2026-02-01', '2026-03-01']::timestamptz[], at) AS period
      FROM unnest(ARRAY['2025-12-31', '2026-01-31 23:59:59.999999', '2026-02-01', '2026-02-28 23:59:59.999999', '2026-03-01']::timestamptz[]) at`.execute(
      db,
    );
    expect(rows.map(({ period }) => period)).toEqual([1, 1, 2, 2, 3]);
  });

  test.each(['{}', '{NULL}', '{2026-02-01,2026-01-01}', '{2026-02-01,2026-02-01}'])(
    'period starts such as %s are invalid',
    async (starts) => {
      const projectId = await insertProject(db);
      await expect(
        sql`UPDATE projects SET period_starts = ${starts}::timestamptz[] WHERE id = ${projectId}`.execute(db),
      ).rejects.toThrow('projects_period_starts_check');
    },
  );
});

describe('the result of a vote is hidden until its undo is over [R47 R59]', () => {
  const showResult = (user: Client, projectId: number | string) =>
    user.post<OwnVote & Shown>(`/api/votes/${projectId}/result`);

  test('no result is shown before the vote, or while it can be undone', async () => {
    const [user, owner] = [await newUser(server), await newUser(server)];
    const projectId = await insertProject(db, { ownerId: owner.id, bullish: 6, bearish: 1 });
    expect(await ownVote(user, projectId)).toEqual({
      vote: null,
      canVote: 'yes',
      changeableFrom: null,
      undoableUntil: null,
      result: null,
    });
    expect(await ownVote(owner, projectId)).toMatchObject({ canVote: 'own', result: null });
    await vote(user, projectId);
    const own = await ownVote(user, projectId);
    expect(own).toMatchObject({ vote: { voteType: 'bullish', period: 1 }, canVote: 'voted', result: null });
    expect(Date.parse(own.undoableUntil ?? '') - Date.parse(own.vote?.createdAt ?? '')).toBe(3 * DAY_MS);
    await age(user, projectId, '3 days');
    const shown = await ownVote(user, projectId);
    expect(shown).toMatchObject({ undoableUntil: null, result: { bullishCount: 7, bearishCount: 1 } });
    await beginPeriod(db, projectId);
    expect(await ownVote(user, projectId)).toMatchObject({ vote: { period: 1 }, canVote: 'yes', result: null });
    const [expired, hidden] = [
      await insertProject(db, { expiresInDays: -1 }),
      await insertProject(db, { hidden: true }),
    ];
    expect(await ownVote(user, expired)).toMatchObject({ canVote: 'expired' });
    expect(await ownVote(user, hidden)).toMatchObject({ canVote: 'hidden' });
    expect((await user.get('/api/projects/no-such-slug/own-vote')).status).toBe(404);
  });

  test('the result is shown on request, which ends the undo of this vote and of no later one', async () => {
    const user = await newUser(server);
    const [first = 0, second = 0] = await insertProjects(db, 2);
    await vote(user, first, 'bearish');
    const { status, body } = await showResult(user, first);
    expect(status).toBe(200);
    expect(body).toMatchObject({ vote: { voteType: 'bearish' }, undoableUntil: null, result: { bearishCount: 1 } });
    expect(await undo(user, first)).toMatchObject({ status: 409, body: { error: 'too_late' } });
    await vote(user, second);
    expect((await showResult(user, first)).body.result).toMatchObject({ bearishCount: 1 });
    expect((await undo(user, second)).status).toBe(200);
    expect((await showResult(user, second)).status).toBe(404);
    expect((await showResult(new Client(server.url), second)).status).toBe(401);
    expect((await showResult(user, 'x')).status).toBe(400);
  });

  test('the result is shown when the next vote is cast, which ends the undo, even when that vote is undone', async () => {
    const user = await newUser(server);
    const [first = 0, second = 0] = await insertProjects(db, 2);
    await vote(user, first);
    await vote(user, second);
    expect(await ownVote(user, first)).toMatchObject({ undoableUntil: null, result: { bullishCount: 1 } });
    expect((await undo(user, first)).status).toBe(409);
    expect((await undo(user, second)).status).toBe(200);
    expect((await undo(user, first)).status).toBe(409);
  });

  test('a vote is either shown or undone when both are requested at once', async () => {
    const user = await newUser(server);
    for (const id of await insertProjects(db, 8)) {
      await vote(user, id);
      const [undone, shown] = await Promise.all([undo(user, id), showResult(user, id)]);
      const isUndone = undone.status === 200;
      expect(isUndone && shown.status === 200 ? shown.body.result : null).toBeNull();
      expect(isUndone || shown.body.result !== null).toBe(true);
    }
  });
});
