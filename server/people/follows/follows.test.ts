import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Follows } from '#shared/contract/follows.ts';
import type { Notice } from '#shared/contract/notices.ts';
import { FOLLOWS_MAX } from '#shared/voting/follow-rules.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { dayOf, insertProject, insertProjects, setProject, slugOf } from '#lab/testing/builders.ts';
import { castVote, newUser, type TestUser } from '#lab/testing/client.ts';
import { tellTurns } from './turns.ts';

const server = await createTestApp();
const { services } = server;
const { db } = services;

const follow = (user: TestUser, id: number, follows = true) =>
  user.send<Follows & { error?: string; message?: string }>('PUT', `/api/projects/${id}/follow`, { follows });
const followed = async (user: TestUser) =>
  (await user.get<Follows>('/api/users/me/follows')).body.projects.map(({ id }) => id);

describe('a user follows projects by their star alone [R91]', () => {
  test('the star follows and unfollows any number of times; a vote does neither, and no other user changes', async () => {
    const [user, other] = [await newUser(server), await newUser(server)];
    const [one = 0, two = 0, voted = 0] = await insertProjects(db, 3);
    expect((await follow(user, one)).body.projects).toMatchObject([{ id: one, turn: null }]);
    await follow(user, two);
    await follow(user, two);
    await castVote(user, voted);
    expect(await followed(user)).toEqual([two, one]);
    expect(await followed(other)).toEqual([]);
    await follow(user, two, false);
    await follow(user, two, false);
    expect(await followed(user)).toEqual([one]);
  });

  test(`the project after ${FOLLOWS_MAX} is refused with a message, even among simultaneous presses, and no follow is lost`, async () => {
    const user = await newUser(server);
    const ids = await insertProjects(db, FOLLOWS_MAX + 1);
    await sql`INSERT INTO follows (user_id, project_id) SELECT ${user.id}, id FROM unnest(${ids.slice(0, FOLLOWS_MAX - 1)}::int[]) id`.execute(
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

  test('followers get one notice a day, with turns first, and voters who do not follow get none', async () => {
    await publish(2);
    await tellTurns(services);
    const turned = await newTurned('Hexloom', [58, 42], [46, 54]);
    const moved = await newTurned('Risen Reef', [60, 40], [70, 30]);
    const still = await newTurned('Calm Reef', [60, 40], [69, 31]);
    const small = await newTurned('Small Reef', [9, 0], [0, 20]);
    // One voter has changed their mind.
    const even = await newTurned('Even Reef', [6, 5], [5, 6]);
    const all = [turned, moved, still, small, even];
    const [starred, voter, single] = [await newUser(server), await newUser(server), await newUser(server)];
    for (const id of all) await follow(starred, id);
    await follow(single, turned);
    await castVote(voter, turned);
    await publish(1);
    const line = 'Hexloom turned: 46% bullish, 58% a week ago';
    expect(await told(starred)).toEqual([['turned', `${line} · and 1 more`, '/portfolio#follows']]);
    expect(await told(single)).toEqual([['turned', line, `/projects/${await slugOf(db, turned)}`]]);
    expect(await told(voter)).toEqual([]);
    const { body } = await starred.get<Follows>('/api/users/me/follows');
    expect(body.projects.find(({ id }) => id === turned)?.turn).toMatchObject({ bullish: 46, bullishBefore: 58 });
  });

  test('a project notifies once a week, and once for a day, however often the job runs or restarts', async () => {
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
