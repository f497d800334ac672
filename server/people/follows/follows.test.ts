import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Follows } from '#shared/contract/follows.ts';
import type { Notice } from '#shared/contract/notices.ts';
import { FOLLOWS_MAX } from '#shared/voting/follow-rules.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { dayOf, insertProject, insertProjects, setProject, slugOf } from '#lab/testing/builders.ts';
import { newUser, type TestUser } from '#lab/testing/client.ts';
import { deleteOld } from '../retention/delete-old.ts';
import { tellTurns } from './turns.ts';

const server = await createTestApp();
const { services } = server;
const { db } = services;

const follow = (user: TestUser, id: number, follows = true) =>
  user.send<Follows & { error?: string; message?: string }>('PUT', `/api/projects/${id}/follow`, { follows });
const followed = async (user: TestUser) =>
  (await user.get<Follows>('/api/users/me/follows')).body.projects.map(({ id, until }) => [id, until !== null]);
const voteOn = (user: TestUser, projectId: number) =>
  user.post('/api/votes', { userId: user.id, projectId, voteType: 'bullish' });
/** Votes are append-only: one of the past is written as such. */
const voteAgo = (userId: number, projectId: number, days: number) =>
  sql`INSERT INTO votes (user_id, project_id, bullish, tokens, created_at)
    VALUES (${userId}, ${projectId}, true, 10, now() - make_interval(days => ${days}))`.execute(db);

describe('a user follows projects by their star and by own votes [R91]', () => {
  test('the star follows and unfollows, once and again, and nothing of others changes', async () => {
    const [user, other] = [await newUser(server), await newUser(server)];
    const [one = 0, two = 0] = await insertProjects(db, 2);
    expect((await follow(user, one)).body.projects).toMatchObject([{ id: one, until: null, turn: null }]);
    await follow(user, two);
    await follow(user, two);
    expect(await followed(user)).toEqual([
      [two, false],
      [one, false],
    ]);
    expect(await followed(other)).toEqual([]);
    await follow(user, two, false);
    await follow(user, two, false);
    expect(await followed(user)).toEqual([[one, false]]);
  });

  test('a vote follows its project for 30 days, unless the star or the switch ends it', async () => {
    const user = await newUser(server);
    const [one = 0, two = 0, old = 0] = await insertProjects(db, 3);
    await voteOn(user, one);
    await voteAgo(user.id, two, 29);
    await voteAgo(user.id, old, 31);
    expect(await followed(user)).toEqual([
      [one, true],
      [two, true],
    ]);
    await follow(user, one, false);
    expect(await followed(user)).toEqual([[two, true]]);
    await follow(user, one);
    const choose = (votes: boolean) => user.send<Follows>('PUT', '/api/users/me/follows', { votes });
    expect((await choose(false)).body).toMatchObject({ votes: false, projects: [{ id: one, until: null }] });
    expect((await choose(true)).body).toMatchObject({ votes: true });
    expect(await followed(user)).toEqual([
      [one, false],
      [two, true],
    ]);
  });

  test(`the project after ${FOLLOWS_MAX} is refused in words, also of presses at once, and none is lost`, async () => {
    const user = await newUser(server);
    const ids = await insertProjects(db, FOLLOWS_MAX + 1);
    await sql`INSERT INTO follows (user_id, project_id, follows) SELECT ${user.id}, id, true FROM unnest(${ids.slice(0, FOLLOWS_MAX - 1)}::int[]) id`.execute(
      db,
    );
    const answers = await Promise.all(ids.slice(-2).map((id) => follow(user, id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(answers.find(({ status }) => status === 409)?.body.message).toBe(
      'You follow 200 projects already. Unfollow one in your portfolio first.',
    );
    expect(await followed(user)).toHaveLength(FOLLOWS_MAX);
    expect((await follow(user, ids[0] ?? 0)).status).toBe(200);
  });

  test('a project that is missing or hidden cannot be followed', async () => {
    const user = await newUser(server);
    const hidden = await insertProject(db);
    await setProject(db, hidden, { hiddenAt: new Date(), hiddenReason: 'Spam' });
    expect([(await follow(user, 999_999_999)).status, (await follow(user, hidden)).status]).toEqual([404, 404]);
  });

  test('an unfollow of a vote is deleted once the vote would no longer be followed', async () => {
    const user = await newUser(server);
    const [voted = 0, unknown = 0] = await insertProjects(db, 2);
    await voteOn(user, voted);
    await follow(user, voted, false);
    for (const id of [unknown, 2 ** 31]) expect((await follow(user, id, false)).status).toBe(200);
    const rows = () => db.selectFrom('follows').select('projectId').where('userId', '=', user.id).execute();
    expect(await rows()).toEqual([{ projectId: voted }]);
    await sql`UPDATE follows SET changed_at = now() - interval '31 days' WHERE user_id = ${user.id}`.execute(db);
    await deleteOld(services);
    expect(await rows()).toEqual([]);
  });
});

describe('followers are notified of a turn of the verified majority [R91]', () => {
  /** The last closed day. */
  async function publish(daysAgo: number): Promise<string> {
    const day = await dayOf(db, daysAgo);
    await sql`DELETE FROM closed_days`.execute(db);
    await sql`INSERT INTO closed_days (day, until) VALUES (${day}::date, (${day}::date + 1)::timestamp AT TIME ZONE 'UTC')`.execute(
      db,
    );
    return day;
  }
  const figures = async (projectId: number, daysAgo: number, bullish: number, bearish: number) =>
    sql`INSERT INTO project_days (project_id, day, bullish, bearish, votes, verified_bullish, verified_bearish)
      VALUES (${projectId}, ${await dayOf(db, daysAgo)}::date, 0, 0, 0, ${bullish}, ${bearish})
      ON CONFLICT (project_id, day) DO UPDATE SET verified_bullish = ${bullish}, verified_bearish = ${bearish}`.execute(
      db,
    );
  const told = async (user: TestUser) => {
    await tellTurns(services);
    await server.allNotified();
    const { body } = await user.get<{ notices: Notice[] }>(`/api/users/${user.id}/notices`);
    return body.notices.map(({ kind, text, link }) => [kind, text, link]);
  };
  async function newTurned(name: string, before: [number, number], now: [number, number]): Promise<number> {
    const id = await insertProject(db, { name });
    await figures(id, 9, ...before);
    await figures(id, 1, ...now);
    return id;
  }

  test('followers and voters get one notice a day, with turns first, and none for what they unfollowed', async () => {
    await publish(2);
    await tellTurns(services);
    const turned = await newTurned('Hexloom', [58, 42], [46, 54]);
    const moved = await newTurned('Risen Reef', [60, 40], [70, 30]);
    const still = await newTurned('Calm Reef', [60, 40], [69, 31]);
    const small = await newTurned('Small Reef', [9, 0], [0, 20]);
    // One voter has changed their mind.
    const even = await newTurned('Even Reef', [6, 5], [5, 6]);
    const all = [turned, moved, still, small, even];
    const [starred, voter, single, gone, off] = [
      await newUser(server),
      await newUser(server),
      await newUser(server),
      await newUser(server),
      await newUser(server),
    ];
    for (const id of all) await follow(starred, id);
    await follow(single, turned);
    await voteAgo(voter.id, moved, 29);
    await voteAgo(voter.id, turned, 31);
    await voteAgo(gone.id, turned, 3);
    await follow(gone, turned, false);
    await voteAgo(off.id, turned, 3);
    await off.send('PUT', '/api/users/me/follows', { votes: false });
    await publish(1);
    const line = 'Hexloom turned: 46% bullish, 58% a week ago';
    expect(await told(starred)).toEqual([['turned', `${line} · and 1 more`, '/portfolio#follows']]);
    expect(await told(single)).toEqual([['turned', line, `/projects/${await slugOf(db, turned)}`]]);
    const second = 'Risen Reef moved: 70% bullish, 60% a week ago';
    expect(await told(voter)).toEqual([['turned', second, `/projects/${await slugOf(db, moved)}`]]);
    expect([await told(gone), await told(off)]).toEqual([[], []]);
    const { body } = await starred.get<Follows>('/api/users/me/follows');
    expect(body.projects.find(({ id }) => id === turned)?.turn).toMatchObject({ bullish: 46, bullishBefore: 58 });
  });

  test('a project notifies once a week, and a day once, however often the job runs or begins again', async () => {
    const user = await newUser(server);
    const project = await newTurned('Twice', [58, 42], [46, 54]);
    await follow(user, project);
    await sql`DELETE FROM project_turns`.execute(db);
    await publish(1);
    expect(await told(user)).toHaveLength(1);
    // The process had ended before it wrote the notices: a user who is noted gets one.
    await sql`INSERT INTO turn_notices VALUES (${user.id}, ${project})`.execute(db);
    expect(await told(user)).toHaveLength(2);
    expect(await told(user)).toHaveLength(2);
    await figures(project, 0, 90, 10);
    await publish(0);
    expect(await told(user)).toHaveLength(2);
    await sql`UPDATE project_turns SET day = day - 7`.execute(db);
    expect(await told(user)).toHaveLength(3);
  });

  test('a turn waits until its day is closed', async () => {
    const user = await newUser(server);
    await sql`DELETE FROM project_turns`.execute(db);
    await publish(3);
    const project = await newTurned('Unread', [58, 42], [46, 54]);
    await follow(user, project);
    expect(await told(user)).toEqual([]);
    await publish(1);
    expect(await told(user)).toHaveLength(1);
  });
});
