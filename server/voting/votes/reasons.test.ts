import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Insights } from '#shared/contract/insights.ts';
import type { ProjectPage } from '#shared/contract/projects.ts';
import type { ReasonFigures } from '#shared/contract/types.ts';
import type { OwnVote } from '#shared/contract/votes.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { behindTheTriggers, empty, insertProject, setProject } from '#lab/testing/builders.ts';
import { castVote, Client, newUser, type TestUser } from '#lab/testing/client.ts';
import {
  insertUsers,
  insertVotesAt,
  logKey,
  publishDayAgo,
  readLog,
  setStanding,
  timeOf,
  verifyAsStranger,
} from '#lab/testing/record.ts';

const env = { LOG_PRIVATE_KEY: logKey() };
const server = await createTestApp({ env, undoWindowMs: 60_000 });
const { services } = server;
const { db } = services;
beforeEach(() => empty(db));

type Shown = OwnVote & { error?: string };
const say = (user: TestUser, projectId: number, ...reasons: string[]) =>
  user.send<Shown>('PUT', `/api/votes/${projectId}/reasons`, { reasons });
const ownVote = async (user: TestUser, projectId: number) =>
  (await user.get<OwnVote>(`/api/projects/${projectId}/own-vote`)).body;
const stored = async (user: TestUser) =>
  db.selectFrom('voteReasons').select(['bullish', 'reasons', 'isPublic']).where('userId', '=', user.id).execute();
/** Casts a vote, and looks at its result. */
async function voted(projectId: number, voteType = 'bearish'): Promise<TestUser> {
  const user = await newUser(server);
  await castVote(user, projectId, voteType);
  await user.post(`/api/votes/${projectId}/result`, {});
  return user;
}

describe('reasons of a vote [R89]', () => {
  test('up to two reasons are stored with a final vote, and replaced or taken away by the next ones', async () => {
    const projectId = await insertProject(db);
    const user = await voted(projectId);
    expect(await ownVote(user, projectId)).toMatchObject({ reasons: [] });
    expect(await say(user, projectId, 'risk', 'team')).toMatchObject({
      status: 200,
      body: { reasons: ['team', 'risk'] },
    });
    expect(await ownVote(user, projectId)).toMatchObject({ reasons: ['team', 'risk'], vote: { voteType: 'bearish' } });
    expect((await say(user, projectId, 'token')).body.reasons).toEqual(['token']);
    expect((await say(user, projectId)).body.reasons).toEqual([]);
    expect((await ownVote(user, projectId)).reasons).toEqual([]);
  });

  test.each([
    ['three reasons', ['team', 'token', 'risk']],
    ['the same reason twice', ['team', 'team']],
    ['a reason that is none', ['price']],
  ])('rejects %s', async (_what, reasons) => {
    const projectId = await insertProject(db);
    const user = await voted(projectId);
    expect((await say(user, projectId, ...reasons)).status).toBe(400);
    expect(await stored(user)).toEqual([]);
  });

  test('no reason is taken without a vote, before its result may be seen, or after the listing has expired', async () => {
    const projectId = await insertProject(db);
    const user = await newUser(server);
    expect(await say(user, projectId, 'team')).toMatchObject({ status: 404, body: { error: 'vote_not_found' } });
    await castVote(user, projectId);
    expect((await ownVote(user, projectId)).reasons).toBeUndefined();
    expect(await say(user, projectId, 'team')).toMatchObject({ status: 409, body: { error: 'undo_open' } });
    await user.post(`/api/votes/${projectId}/result`, {});
    await setProject(db, projectId, { expiresAt: new Date(Date.now() - 1_000) });
    expect(await say(user, projectId, 'team')).toMatchObject({ status: 409, body: { error: 'project_expired' } });
    expect(await stored(user)).toEqual([]);
  });

  test('a change of direction removes reasons but leaves their voter counted; an undone confirmation keeps them', async () => {
    const projectId = await insertProject(db);
    const user = await voted(projectId);
    await say(user, projectId, 'team');
    await sql`UPDATE vote_reasons SET is_public = true`.execute(db);
    const agedBy = (hours: number) =>
      behindTheTriggers(db, (trx) =>
        sql`UPDATE votes SET created_at = created_at - make_interval(hours => ${hours}) WHERE user_id = ${user.id}`.execute(
          trx,
        ),
      );
    await agedBy(30);
    await user.send('PUT', `/api/votes/${projectId}`, { voteType: 'bearish' });
    expect(await stored(user)).toEqual([{ bullish: false, reasons: 1, isPublic: true }]);
    expect((await user.send('DELETE', `/api/votes/${projectId}`)).status).toBe(200);
    expect((await user.send('PUT', `/api/votes/${projectId}`, { voteType: 'bullish' })).status).toBe(200);
    expect(await stored(user)).toEqual([{ bullish: true, reasons: 0, isPublic: true }]);
  });
});

describe('totals of reasons [R89]', () => {
  /** So many voters of that day with a verified vote and this reason each. */
  async function give(projectId: number, count: number, reason: number, daysAgo: number, isVerified = true) {
    const users = await insertUsers(db, count);
    if (isVerified) for (const user of users) await setStanding(db, user, 'standing');
    await insertVotesAt(db, { users, projects: [projectId], bullish: false, at: timeOf(daysAgo, 1_000) });
    await sql`INSERT INTO vote_reasons (user_id, project_id, period, bullish, reasons, given_at)
      SELECT user_id, ${projectId}, 1, false, ${reason}, ${timeOf(daysAgo, 2_000)}::timestamptz
      FROM unnest(${users}::bigint[]) AS u(user_id)`.execute(db);
  }
  const shown = async (projectId: number): Promise<ReasonFigures[]> =>
    (await new Client(server.url).get<ProjectPage>(`/api/v1/projects/${projectId}`)).body.reasons;
  const seenByOwner = async (projectId: number, owner: TestUser) =>
    (await owner.get<Insights>(`/api/projects/${projectId}/insights`)).body.reasons.map(({ voters, team, risk }) => [
      voters,
      team,
      risk,
    ]);
  const dayOf = (daysAgo: number) => timeOf(daysAgo, 0).slice(0, 10);

  test('totals are published at ten voters of a group, and again a week later at ten new ones', async () => {
    const projectId = await insertProject(db);
    await give(projectId, 9, 1, 30);
    await give(projectId, 9, 4, 30, false);
    await publishDayAgo(services, 30);
    await server.allNotified();
    expect(await shown(projectId)).toEqual([]);

    await give(projectId, 3, 5, 29);
    await publishDayAgo(services, 29);
    const first = {
      day: dayOf(29),
      group: 'verified',
      direction: 'bearish',
      voters: 12,
      team: 12,
      product: 0,
      token: 3,
      risk: 0,
      community: 0,
    };
    await server.allNotified();
    expect(await shown(projectId)).toEqual([first]);

    await give(projectId, 12, 8, 28);
    for (const daysAgo of [28, 27, 26, 25, 24, 23]) await publishDayAgo(services, daysAgo);
    await server.allNotified();
    expect(await shown(projectId)).toEqual([first]);
    await publishDayAgo(services, 22);
    await give(projectId, 9, 16, 20);
    for (const daysAgo of [21, 20, 19, 18, 17, 16, 15, 14, 13]) await publishDayAgo(services, daysAgo);
    await server.allNotified();
    const second = { ...first, day: dayOf(22), voters: 24, risk: 12 };
    expect(await shown(projectId)).toEqual([second]);

    const { entries } = await readLog(server.url);
    const recorded = entries.filter(({ kind }) => kind === 'reasons');
    expect(recorded).toEqual(
      [first, second].map((figures) =>
        expect.objectContaining({
          day: figures.day,
          voters: figures.voters,
          risk: figures.risk,
          projectId,
          bullish: false,
        }),
      ),
    );
    const { checks } = await verifyAsStranger(server.databaseUrl, env);
    expect(checks.find(({ name }) => name === 'Reasons')).toMatchObject({ differences: [] });
  });

  test("ten free wallets do not reveal a stranger's reasons, and ten with standing count as new once [R89]", async () => {
    const projectId = await insertProject(db);
    await give(projectId, 1, 8, 30);
    await give(projectId, 12, 1, 30, false);
    await publishDayAgo(services, 30);
    await give(projectId, 10, 1, 29);
    await publishDayAgo(services, 29);
    await server.allNotified();
    expect(await shown(projectId)).toMatchObject([{ voters: 11, team: 10, risk: 1 }]);
    // They give another reason a week later, and so does a stranger.
    await sql`UPDATE vote_reasons SET reasons = 2 WHERE reasons = 1`.execute(db);
    await give(projectId, 1, 4, 20);
    for (let daysAgo = 28; daysAgo >= 20; daysAgo -= 1) await publishDayAgo(services, daysAgo);
    await server.allNotified();
    expect(await shown(projectId)).toMatchObject([{ day: dayOf(29), voters: 11 }]);
  });

  test('the owner sees a direction at five voters with standing, and again at three new ones [R89 R50]', async () => {
    const owner = await newUser(server);
    const projectId = await insertProject(db, { ownerId: owner.id });
    await give(projectId, 4, 1, 30);
    await give(projectId, 9, 1, 30, false);
    await publishDayAgo(services, 30);
    expect(await seenByOwner(projectId, owner)).toEqual([]);
    await give(projectId, 1, 8, 29);
    await publishDayAgo(services, 29);
    expect(await seenByOwner(projectId, owner)).toEqual([[5, 4, 1]]);
    await give(projectId, 2, 8, 20);
    for (let daysAgo = 28; daysAgo >= 20; daysAgo -= 1) await publishDayAgo(services, daysAgo);
    expect(await seenByOwner(projectId, owner)).toEqual([[5, 4, 1]]);
    await give(projectId, 1, 8, 19);
    await publishDayAgo(services, 19);
    await server.allNotified();
    expect([await seenByOwner(projectId, owner), await shown(projectId)]).toEqual([
      [
        [5, 4, 1],
        [8, 4, 4],
      ],
      [],
    ]);
  });
});
