import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { UserStats, VotingStatus } from '#shared/contract/types.ts';
import type { VoteHistoryItem } from '#shared/contract/users.ts';
import type { OwnVote } from '#shared/contract/votes.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { insertProject, insertProjects, beginPeriod, setProject } from '#lab/testing/builders.ts';
import { Client, newUser, type TestUser, castVote } from '#lab/testing/client.ts';
import { ageVotes } from '#lab/testing/opinions.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';

/** Long enough for any machine; votes are made older instead. */
const server = await createTestApp({ undoWindowMs: 3_600_000 });
const { db } = server.services;

interface Changed {
  change: 'changed' | 'confirmed';
  userStats: UserStats;
  votingStatus: VotingStatus;
  error: string;
}

const change = (user: Client, projectId: number, voteType = 'bearish') =>
  user.send<Changed>('PUT', `/api/votes/${projectId}`, { voteType });
const undo = (user: Client, projectId: number) => user.send<Changed>('DELETE', `/api/votes/${projectId}`);
const ownVote = async (user: Client, projectId: number) =>
  (await user.get<OwnVote>(`/api/projects/${projectId}/own-vote`)).body;
const countersOf = (projectId: number) =>
  db
    .selectFrom('projectStats')
    .select(['bullish', 'bearish'])
    .where('projectId', '=', projectId)
    .executeTakeFirstOrThrow();
const statsOf = (user: TestUser) =>
  db.selectFrom('userStats').selectAll().where('userId', '=', user.id).executeTakeFirstOrThrow();
const changesOf = async (user: TestUser): Promise<number> =>
  (await db.selectFrom('voteChanges').selectAll().where('userId', '=', user.id).execute()).length;

/** A user with a bullish vote on a new project, cast this long ago. */
async function voter(ago = '2 days'): Promise<{ user: TestUser; projectId: number }> {
  const user = await newUser(server);
  const projectId = await insertProject(db, { bullish: 0 });
  expect((await castVote(user, projectId)).status).toBe(200);
  await ageVotes(db, user.id, ago);
  return { user, projectId };
}

describe('a change of a vote', () => {
  test('a change of a vote moves the counters of project and voter, and earns nothing [R57]', async () => {
    const { user, projectId } = await voter();
    const before = await statsOf(user);
    const { status, body } = await change(user, projectId);
    expect(status).toBe(200);
    expect(body.change).toBe('changed');
    expect(body.userStats).toMatchObject({
      totalVotes: 1,
      bullishVotes: 0,
      bearishVotes: 1,
      tokenBalance: 10,
      streak: 1,
    });
    expect(body.votingStatus).toMatchObject({ votesRemaining: 25, periodEndsAt: null });
    expect(await countersOf(projectId)).toEqual({ bullish: 0, bearish: 1 });
    expect((await statsOf(user)).tokensEarned).toBe(before.tokensEarned);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('a change with the same direction is a confirmation, which moves no counter and keeps the date of the direction [R57]', async () => {
    const { user, projectId } = await voter();
    const { vote: before } = await ownVote(user, projectId);
    expect((await change(user, projectId, 'bullish')).body.change).toBe('confirmed');
    expect(await countersOf(projectId)).toEqual({ bullish: 1, bearish: 0 });
    const { vote: after } = await ownVote(user, projectId);
    expect(after).toEqual({ ...before, saidAt: expect.any(String) });
    expect(after?.saidAt).not.toBe(before?.saidAt);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('a change needs and takes none of the 25 votes of the window, and its undo gives none back [R57 R8]', async () => {
    const { user, projectId } = await voter();
    for (const other of await insertProjects(db, 25)) expect((await castVote(user, other)).status).toBe(200);
    expect((await castVote(user, await insertProject(db))).status).toBe(429);
    const { status, body } = await change(user, projectId);
    expect([status, body.change, body.votingStatus.votesRemaining]).toEqual([200, 'changed', 0]);
    expect((await undo(user, projectId)).body.votingStatus).toEqual(body.votingStatus);
    expect((await change(user, projectId)).body.votingStatus).toEqual(body.votingStatus);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('a change is rejected after sixty changes in the last six hours, until the oldest of them is six hours old [R57]', async () => {
    const user = await newUser(server);
    const projects = await insertProjects(db, 62, { bullish: 0 });
    for (const [index, projectId] of projects.entries()) {
      expect((await castVote(user, projectId)).status).toBe(200);
      if (index % 25 === 24) await ageVotes(db, user.id, '7 hours');
    }
    await ageVotes(db, user.id, '2 days');
    const [first = 0, ...others] = projects;
    const last = others.pop() ?? 0;
    expect((await change(user, first)).status).toBe(200);
    await ageVotes(db, user.id, '5 hours', first);
    for (const projectId of others.slice(0, 58)) expect((await change(user, projectId)).status).toBe(200);
    expect((await change(user, others[58] ?? 0, 'bullish')).body.change).toBe('confirmed');
    const { status, body, headers } = await change(user, last);
    expect([status, body.error]).toEqual([429, 'change_limit']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3000);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3600);
    expect(await countersOf(last)).toEqual({ bullish: 1, bearish: 0 });
    await ageVotes(db, user.id, '1 hour', first);
    expect((await change(user, last)).status).toBe(200);
  });

  test('a change is rejected a second time on the same UTC day, and accepted on the next one [R57]', async () => {
    const { user, projectId } = await voter();
    expect((await change(user, projectId)).status).toBe(200);
    const again = await change(user, projectId, 'bullish');
    expect([again.status, again.body.error]).toEqual([409, 'changed_today']);
    const { changeableFrom } = await ownVote(user, projectId);
    expect(changeableFrom).toBe(new Date((Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000).toISOString());
    await ageVotes(db, user.id, '1 day');
    expect((await change(user, projectId, 'bullish')).body.change).toBe('changed');
    expect(await countersOf(projectId)).toEqual({ bullish: 1, bearish: 0 });
    expect(await findDifferences(db)).toEqual([]);
  });

  test('a second POST of a vote is rejected after a change, and changes nothing [R57 R7]', async () => {
    const { user, projectId } = await voter();
    expect((await change(user, projectId)).status).toBe(200);
    const { status, body } = await castVote(user, projectId, 'bullish');
    expect([status, body]).toMatchObject([409, { message: 'Already voted on this project' }]);
    expect(await countersOf(projectId)).toEqual({ bullish: 0, bearish: 1 });
    expect(await findDifferences(db)).toEqual([]);
  });

  test('a change is rejected in the first minute after the vote, and accepted on the same day later [R57]', async () => {
    const { user, projectId } = await voter('20 seconds');
    const early = await change(user, projectId);
    expect([early.status, early.body.error]).toEqual([409, 'changed_too_soon']);
    await ageVotes(db, user.id, '41 seconds');
    expect((await change(user, projectId)).status).toBe(200);
  });

  test('a change is rejected within a minute of a change of the day before [R57]', async () => {
    const { user, projectId } = await voter();
    await change(user, projectId);
    await ageVotes(db, user.id, '1 day');
    const withPause = (pause: string) =>
      sql<{
        outcome: string;
      }>`SELECT change_vote(${user.id}, ${projectId}, true, 25, interval '6 hours', ${pause}::interval) AS outcome`.execute(
        db,
      );
    expect((await withPause('25 hours')).rows).toEqual([{ outcome: 'changed_too_soon' }]);
    expect((await withPause('23 hours')).rows).toEqual([{ outcome: 'changed' }]);
  });

  test("the leaderboard's own direction is that of the newest vote or change, and hidden projects have none [R91]", async () => {
    const { user, projectId } = await voter();
    const [kept = 0, hidden = 0] = await insertProjects(db, 2);
    for (const id of [kept, hidden]) await castVote(user, id);
    await setProject(db, hidden, { hiddenAt: new Date(), hiddenReason: 'Spam' });
    await change(user, projectId);
    expect((await user.get('/api/votes')).body).toEqual({ bullish: [kept], bearish: [projectId] });
    expect((await (await newUser(server)).get('/api/votes')).body).toEqual({ bullish: [], bearish: [] });
  });

  test('a change needs a vote of the present listing period [R57 R45]', async () => {
    const { user, projectId } = await voter();
    await beginPeriod(db, projectId);
    const { status, body } = await change(user, projectId);
    expect([status, body.error]).toEqual([404, 'vote_not_found']);
    // The vote of the new period replaces what was said last in the one before.
    await ageVotes(db, user.id, '1 day');
    expect((await castVote(user, projectId, 'bearish')).status).toBe(200);
    expect(await countersOf(projectId)).toEqual({ bullish: 0, bearish: 1 });
    expect(await findDifferences(db)).toEqual([]);
  });

  test.each([
    ['ended', 'expires_at = now()', 409, 'project_expired'],
    ['hidden', 'hidden_at = now()', 404, 'project_not_found'],
  ])('a change is rejected after the listing was %s [R57]', async (_what, set, status, error) => {
    const { user, projectId } = await voter();
    await sql`UPDATE projects SET ${sql.raw(set)} WHERE id = ${projectId}`.execute(db);
    const response = await change(user, projectId);
    expect([response.status, response.body.error]).toEqual([status, error]);
    expect((await ownVote(user, projectId)).changeableFrom).toBeNull();
    expect(await countersOf(projectId)).toEqual({ bullish: 1, bearish: 0 });
  });

  test('a change on an unknown project, without a vote, or without a session is rejected [R57]', async () => {
    const { user, projectId } = await voter();
    expect((await change(user, 999_999)).status).toBe(404);
    expect((await change(await newUser(server), projectId)).body.error).toBe('vote_not_found');
    expect((await change(new Client(server.url), projectId)).status).toBe(401);
  });

  test('a change from two tabs and two servers at once counts once [R57]', async () => {
    const { user, projectId } = await voter();
    const second = await startServer(server.databaseUrl);
    const elsewhere = new Client(second.url);
    elsewhere.cookie = user.cookie;
    const responses = await Promise.all(
      [user, elsewhere, user, elsewhere].map((client, at) => change(client, projectId, at < 2 ? 'bearish' : 'bullish')),
    );
    expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409]);
    expect(await changesOf(user)).toBe(1);
    expect(await findDifferences(db)).toEqual([]);
    await second.close();
  });
});

describe('undo of a change', () => {
  test('the undo of a change restores the opinion before it, with streak, and allows another change that day [R57 R46]', async () => {
    const { user, projectId } = await voter();
    const before = await statsOf(user);
    await change(user, projectId);
    const { status, body } = await undo(user, projectId);
    expect(status).toBe(200);
    expect(body.userStats).toMatchObject({ totalVotes: 1, bullishVotes: 1, bearishVotes: 0, tokenBalance: 10 });
    expect(await statsOf(user)).toEqual({
      ...before,
      // A streak that was over is 0 from now on.
      streak: 0,
      peakEarned: 10,
      undoableFrom: expect.any(Date),
    });
    expect(await countersOf(projectId)).toEqual({ bullish: 1, bearish: 0 });
    expect(await findDifferences(db)).toEqual([]);
    const again = await undo(user, projectId);
    expect([again.status, again.body.error]).toEqual([409, 'too_late']);
    expect((await change(user, projectId)).status).toBe(200);
  });

  test('the undo of a change is over after the undo window, with the next vote, and with a look at the result [R57 R59]', async () => {
    const one = await voter();
    await change(one.user, one.projectId);
    expect(await ownVote(one.user, one.projectId)).toMatchObject({ undoableUntil: expect.any(String), result: null });
    await ageVotes(db, one.user.id, '2 hours');
    expect((await undo(one.user, one.projectId)).status).toBe(409);
    expect((await ownVote(one.user, one.projectId)).result).toEqual({ bullishCount: 0, bearishCount: 1 });

    const two = await voter();
    await change(two.user, two.projectId);
    await castVote(two.user, one.projectId);
    expect((await undo(two.user, two.projectId)).status).toBe(409);

    const three = await voter();
    await change(three.user, three.projectId);
    const shown = await three.user.post<OwnVote>(`/api/votes/${three.projectId}/result`, {});
    expect(shown.body.result).toEqual({ bullishCount: 0, bearishCount: 1 });
    expect((await undo(three.user, three.projectId)).status).toBe(409);
  });

  test('the undo of a change counts among the ten undos of six hours [R57 R59]', async () => {
    const { user, projectId } = await voter();
    for (let each = 0; each < 10; each += 1) {
      expect((await change(user, projectId)).status).toBe(200);
      expect((await undo(user, projectId)).status).toBe(200);
    }
    expect((await change(user, projectId)).status).toBe(200);
    expect((await undo(user, projectId)).body.error).toBe('undo_limit');
    expect(await countersOf(projectId)).toEqual({ bullish: 0, bearish: 1 });
    expect(await findDifferences(db)).toEqual([]);
  });

  test('an undo at once with another change leaves one of the two, and exact counters [R57]', async () => {
    const { user, projectId } = await voter();
    await change(user, projectId);
    const responses = await Promise.all([
      undo(user, projectId),
      change(user, projectId, 'bullish'),
      undo(user, projectId),
    ]);
    expect(responses.map(({ status }) => status).every((status) => status === 200 || status === 409)).toBe(true);
    expect(await changesOf(user)).toBeLessThanOrEqual(1);
    expect(await findDifferences(db)).toEqual([]);
  });
});

test("the user's list has each opinion of a vote, with the identity that it is about [R57 R60 R64]", async () => {
  const { user, projectId } = await voter('4 days');
  await change(user, projectId);
  await ageVotes(db, user.id, '2 days');
  await sql`UPDATE projects SET name = 'Loud Frog' WHERE id = ${projectId}`.execute(db);
  await change(user, projectId);
  const [listed] = (await user.get<VoteHistoryItem[]>(`/api/users/${user.id}/votes`)).body;
  expect(listed?.opinions).toEqual([
    { voteType: 'bullish', saidAt: listed?.createdAt, identity: 1 },
    { voteType: 'bearish', saidAt: expect.any(String), identity: 1 },
    { voteType: 'bearish', saidAt: listed?.saidAt, identity: 2 },
  ]);
});

test('changes can neither be rewritten nor removed, except by an undo that keeps them [R57]', async () => {
  const { user, projectId } = await voter();
  await change(user, projectId);
  for (const statement of [
    `UPDATE vote_changes SET bullish = NOT bullish WHERE user_id = ${user.id}`,
    `DELETE FROM vote_changes WHERE user_id = ${user.id}`,
    'TRUNCATE vote_changes',
  ])
    await expect(sql.raw(statement).execute(db)).rejects.toThrow('vote_changes is append-only');
  const second = `INSERT INTO vote_changes (user_id, said_at, cast_at, was_said_at, turned_at, project_id, period, bullish, was_bullish)
    SELECT user_id, said_at + interval '1 day', cast_at, was_said_at, said_at + interval '1 day', project_id, period, NOT was_bullish, was_bullish
    FROM vote_changes WHERE user_id = ${user.id}`;
  await expect(sql.raw(second).execute(db)).rejects.toThrow('duplicate key');
});
