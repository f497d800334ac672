import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Trust } from '#shared/contract/standing.ts';
import { deleteUnused } from '#server/people/retention/delete-unused.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { empty, insertProjects, insertUser } from '#lab/testing/builders.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { botCrowd, honestCrowd, randomOf } from '#lab/testing/crowds.ts';
import { insertUsers } from '#lab/testing/record.ts';
import { closeToday } from '#lab/testing/close.ts';
import { giveStanding, noonOf } from '#lab/testing/standing.ts';
import { applyRhythm } from './apply-rhythm.ts';
import { createNetworkNotes, networkOf } from './networks.ts';
import { utcDay } from './plan.ts';

const server = await createTestApp();
const { services } = server;
const { db, networks } = services;

beforeEach(() => empty(db));

const vote = (user: TestUser, projectId: number, address: string, cookie = user.cookie) =>
  user.send(
    'POST',
    '/api/votes',
    { userId: user.id, projectId, voteType: 'bullish' },
    { 'x-forwarded-for': address, cookie },
  );
const YESTERDAY = utcDay(noonOf(-1));
const stored = () => db.selectFrom('voterNetworks').select(['userId', 'network']).orderBy('userId').execute();
test('an address is reduced to its /24 or /48 [R39]', () => {
  const reduced = {
    '192.0.2.7': '192.0.2.0/24',
    '192.0.2.255': '192.0.2.0/24',
    '::ffff:192.0.2.9': '192.0.2.0/24',
    '2001:db8:1:2::5': '2001:db8:1::/48',
    '2001:0db8:0001:ffff::': '2001:db8:1::/48',
    '2001:db8::1': '2001:db8:0::/48',
    '::1': '0:0:0::/48',
    'fe80::1%eth0': 'fe80:0:0::/48',
    gone: null,
    '': null,
  };
  for (const [address, network] of Object.entries(reduced))
    expect([address, networkOf(address)]).toEqual([address, network]);
});

test('a vote stores a salted hash of its network once a day, no address, and only if it counts [R39]', async () => {
  const [one, neighbor, stranger] = [await newUser(server), await newUser(server), await newUser(server)];
  const [first = 0, second = 0] = await insertProjects(db, 2);
  await vote(one, first, '192.0.2.7');
  await vote(one, second, '192.0.2.7');
  await vote(neighbor, first, '192.0.2.200');
  await vote(stranger, first, '192.0.3.7');
  // Neither a vote that does not count nor one without a session.
  const [loud, out] = [await newUser(server), await newUser(server)];
  expect((await vote(loud, 99_999, '198.51.100.1')).status).toBe(404);
  expect((await vote(out, first, '198.51.100.1', '')).status).toBe(401);
  expect(await stored()).toEqual([]);
  await networks.flush();
  const rows = await stored();
  expect(rows.map(({ userId }) => userId)).toEqual([one.id, neighbor.id, stranger.id]);
  expect(rows[0]?.network.equals(rows[1]?.network ?? Buffer.of())).toBe(true);
  expect(rows[0]?.network.equals(rows[2]?.network ?? Buffer.of())).toBe(false);
  const { rows: dump } = await sql<{
    found: boolean;
  }>`SELECT bool_or(t::text LIKE '%192.0.2%') AS found FROM voter_networks t`.execute(db);
  expect(dump).toEqual([{ found: false }]);
});

test('hashes of different days never match, and the salt is deleted with its day [R39]', async () => {
  const notes = createNetworkNotes(db, { intervalMs: 0 });
  const userId = await insertUser(db);
  notes.note(userId, '192.0.2.7');
  await notes.flush();
  const [before] = await stored();
  const salts = () => db.selectFrom('networkSalts').select('salt').execute();
  const [salt] = await salts();
  await sql`UPDATE network_salts SET day = day - 1`.execute(db);
  await sql`UPDATE voter_networks SET day = day - 1`.execute(db);
  const later = createNetworkNotes(db, { intervalMs: 0 });
  later.note(userId, '192.0.2.7');
  await later.close();
  const rows = await stored();
  expect(rows).toHaveLength(2);
  expect(new Set(rows.map(({ network }) => network.toString('hex'))).size).toBe(2);
  expect(rows.some(({ network }) => network.equals(before?.network ?? Buffer.of()))).toBe(true);
  const left = await salts();
  expect(left).toHaveLength(1);
  expect(left[0]?.salt.equals(salt?.salt ?? Buffer.of())).toBe(false);
});

test('while the database is down, notes of networks are lost but no vote is, and the next vote is noted again [R39]', async () => {
  const errors: unknown[] = [];
  const userId = await insertUser(db);
  const notes = createNetworkNotes(db, { intervalMs: 0, onError: (error) => errors.push(error) });
  await sql`ALTER TABLE voter_networks RENAME TO away`.execute(db);
  notes.note(userId, '192.0.2.7');
  await notes.flush();
  await sql`ALTER TABLE away RENAME TO voter_networks`.execute(db);
  expect([errors.length, await stored()]).toEqual([1, []]);
  notes.note(userId, '192.0.2.7');
  await notes.flush();
  expect(await stored()).toHaveLength(1);
});

test('hashes of networks are kept for 35 days, and salts only until their day ends [R39]', async () => {
  await networks.flush();
  const today = sql`(now() AT TIME ZONE 'UTC')::date`;
  await sql`INSERT INTO network_salts (day, salt) VALUES (${today}, ${Buffer.alloc(32, 1)})`.execute(db);
  await sql`INSERT INTO standing_readings (day, reading, starts_at) SELECT ${today} - n, 1, now() FROM unnest(ARRAY[0, 35, 36]) n`.execute(
    db,
  );
  for (const days of [0, 34, 35, 40])
    await sql`INSERT INTO voter_networks (day, network, user_id) VALUES ((now() AT TIME ZONE 'UTC')::date - ${days}::int, ${Buffer.alloc(16, 1)}, ${days})`.execute(
      db,
    );
  await sql`INSERT INTO network_salts (day, salt) VALUES ((now() AT TIME ZONE 'UTC')::date - 1, ${Buffer.alloc(32)})`.execute(
    db,
  );
  expect(await deleteUnused(services)).toMatchObject({ networks: 2 });
  expect((await stored()).map(({ userId }) => userId)).toEqual([0, 34]);
  expect(await db.selectFrom('networkSalts').select('salt').execute()).toEqual([{ salt: Buffer.alloc(32, 1) }]);
  const { rows } = await sql<{ age: number }>`SELECT ${today} - day AS age FROM standing_readings ORDER BY 1`.execute(
    db,
  );
  expect(rows.map(({ age }) => age)).toEqual([0, 35]);
});

test('networks of deleted accounts are deleted once the rhythm rule has compared their day [R39 R55]', async () => {
  const [gone, here] = [await insertUser(db), await insertUser(db)];
  await sql`UPDATE users SET deleted_at = now(), wallet_address = 'deleted-' || id WHERE id = ${gone}`.execute(db);
  const today = sql`(now() AT TIME ZONE 'UTC')::date`;
  await sql`INSERT INTO voter_networks (day, network, user_id) SELECT ${today} - n, ${Buffer.alloc(16, 1)}, id
    FROM unnest(${[gone, here]}::bigint[]) AS u (id), unnest(ARRAY[1, 2]) n`.execute(db);
  await sql`INSERT INTO rhythm_days (day, networks, wallets, votes_set_aside) VALUES (${today} - 2, 0, 0, 0)`.execute(
    db,
  );
  await deleteUnused(services);
  const { rows } = await sql<{ userId: number; age: number }>`
    SELECT user_id AS "userId", ${today} - day AS age FROM voter_networks ORDER BY user_id, age`.execute(db);
  expect(rows).toEqual([
    { userId: gone, age: 1 },
    { userId: here, age: 1 },
    { userId: here, age: 2 },
  ]);
});

describe('the job of the rhythm rule', () => {
  /** Writes a crowd's votes of yesterday, on one network. */
  async function insertCrowd(listings: number): Promise<{ people: number[]; bots: number[] }> {
    const random = randomOf(5);
    const people = honestCrowd(random, { wallets: 30, listings, hours: 8 });
    const bots = botCrowd(random, { wallets: 30, listings, votes: 12, jitter: 0.8, order: 'listed' });
    const projects = await insertProjects(db, listings);
    const ids: number[] = [];
    for (const wallet of [...people, ...bots]) {
      const userId = await insertUser(db);
      ids.push(userId);
      await sql`INSERT INTO votes (user_id, project_id, bullish, created_at)
        SELECT ${userId}, project, bullish, ${YESTERDAY}::date AT TIME ZONE 'UTC' + at * interval '1 millisecond'
        FROM unnest(${wallet.votes.map(({ projectId }) => projects[projectId] ?? 0)}::int[], ${wallet.votes.map(({ bullish }) => bullish)}::boolean[],
          ${wallet.votes.map(({ atMs }) => Math.round(atMs))}::int[]) AS x (project, bullish, at)`.execute(db);
    }
    await sql`INSERT INTO voter_networks (day, network, user_id) SELECT ${YESTERDAY}::date, ${Buffer.alloc(16, 7)}, id
      FROM unnest(${ids}::bigint[]) AS u (id)`.execute(db);
    await giveStanding(db, ids);
    return { people: ids.slice(0, people.length), bots: ids.slice(people.length) };
  }

  test('the job sets aside the votes of the bots and of no other wallet, once, and /trust counts them [R39]', async () => {
    const { bots } = await insertCrowd(30);
    // The one that began first keeps its votes.
    expect(await applyRhythm(services)).toBe(29 * 12);
    expect(await applyRhythm(services)).toBe(0);
    const aside = await db.selectFrom('votesSetAside').select(['userId', 'reason', 'detail']).execute();
    const found = new Set(aside.map(({ userId }) => userId));
    expect([found.size, [...found].every((id) => bots.includes(id))]).toEqual([29, true]);
    expect(aside[0]).toMatchObject({
      reason: 'rhythm',
      detail: expect.stringMatching(/^On [\d-]+, at least 3 other wallets of your network voted on the same projects/),
    });
    const told = await db
      .selectFrom('notices')
      .select(['userId', 'text'])
      .where('kind', '=', 'vote_excluded')
      .execute();
    expect(new Set(told.map(({ userId }) => userId))).toEqual(found);
    expect([told.length, told[0]?.text]).toEqual([29, expect.stringMatching(/^12 votes of yours are excluded: On /)]);
    await closeToday(services);
    const trust = (await new Client(server.url).get<Trust>('/api/trust')).body;
    expect(trust.rhythm).toBe(29 * 12);
    expect(trust.verified).toBe(trust.votes - 29 * 12);
  });

  test("the job does not change today's votes, nor decisions that a moderator has lifted [R39]", async () => {
    const { bots } = await insertCrowd(30);
    await sql`UPDATE voter_networks SET day = (now() AT TIME ZONE 'UTC')::date`.execute(db);
    expect(await applyRhythm(services)).toBe(0);
    await sql`UPDATE voter_networks SET day = ${YESTERDAY}::date`.execute(db);
    const [[today = 0], voter = 0] = [await insertProjects(db, 1), bots[1]];
    await sql`INSERT INTO votes (user_id, created_at, project_id, bullish)
      VALUES (${voter}, now(), ${today}, true)`.execute(db);
    await closeToday(services);
    await applyRhythm(services);
    expect(await db.selectFrom('votesSetAside').select('userId').where('projectId', '=', today).execute()).toEqual([]);
    await db
      .deleteFrom('votesSetAside')
      .where('userId', '=', bots[0] ?? 0)
      .execute();
    expect(await applyRhythm(services)).toBe(0);
    expect(
      await db
        .selectFrom('votesSetAside')
        .select('userId')
        .where('userId', '=', bots[0] ?? 0)
        .execute(),
    ).toEqual([]);
  });

  const WALLETS = 4;
  /** All except the first of them. */
  const FOUND = WALLETS - 1;
  /** Seven moments of a day without a pace; the first and the last one are those of the day. */
  const MOMENTS = ['00:00:00', '01:00:00', '04:00:00', '05:30:00', '11:00:00', '12:10:00', '23:59:59.999999'];

  /**
   * Votes of this many new wallets on the same projects, in the same order and direction, and the networks they were
   * seen on.
   */
  async function insertAlike(
    moments: readonly string[],
    {
      days = [YESTERDAY],
      networkOf: network = () => 7,
    }: { days?: string[]; networkOf?: (wallet: number) => number } = {},
  ): Promise<number[]> {
    const projects = await insertProjects(db, moments.length);
    const ids = await insertUsers(db, WALLETS);
    for (const [wallet, userId] of ids.entries()) {
      await sql`INSERT INTO votes (user_id, project_id, bullish, created_at)
        SELECT ${userId}, project, true, at::timestamptz FROM unnest(${projects}::int[], ${[...moments]}::text[]) AS x (project, at)`.execute(
        db,
      );
      await sql`INSERT INTO voter_networks (day, network, user_id)
        SELECT unnest(${days}::date[]), ${Buffer.alloc(16, network(wallet))}, ${userId}`.execute(db);
    }
    return ids;
  }
  const on = (day: string, times: readonly string[]): string[] => times.map((time) => `${day}T${time}Z`);
  const asideOf = () =>
    db
      .selectFrom('votesSetAside')
      .select(['userId', sql<number>`count(*)::int`.as('votes')])
      .groupBy('userId')
      .orderBy('userId')
      .execute();
  const comparedDays = async () => {
    const { rows } =
      await sql`SELECT day::text AS day, networks, wallets, votes_set_aside AS aside FROM rhythm_days ORDER BY 1`.execute(
        db,
      );
    return rows;
  };

  test('the job compares and sets aside the votes of the day, from its first to its last moment [R39]', async () => {
    const [before, after] = [utcDay(noonOf(-2)), utcDay(noonOf(0))];
    const ids = await insertAlike([
      ...on(before, ['23:59:59.999999']),
      ...on(YESTERDAY, MOMENTS),
      ...on(after, ['00:00:00']),
    ]);
    expect(await applyRhythm(services)).toBe(7 * FOUND);
    expect(await asideOf()).toEqual(ids.slice(1).map((userId) => ({ userId, votes: 7 })));
    expect(await comparedDays()).toEqual([{ day: YESTERDAY, networks: 1, wallets: WALLETS, aside: 7 * FOUND }]);
  });

  test('the job compares each day that is over once, however long ago it was [R39]', async () => {
    const days = [utcDay(noonOf(-3)), YESTERDAY, utcDay(noonOf(1))];
    await insertAlike(on(days[0] ?? '', MOMENTS), { days });
    expect(await applyRhythm(services)).toBe(7 * FOUND);
    expect(await comparedDays()).toEqual([
      { day: days[0], networks: 1, wallets: WALLETS, aside: 7 * FOUND },
      { day: YESTERDAY, networks: 1, wallets: WALLETS, aside: 0 },
    ]);
  });

  test('the job compares wallets of one network only [R39]', async () => {
    await insertAlike(on(YESTERDAY, MOMENTS), { networkOf: (wallet) => (wallet === 0 ? 1 : 2) });
    expect(await applyRhythm(services)).toBe(0);
    // Three wallets are too few to be alike three others.
    expect(await comparedDays()).toEqual([{ day: YESTERDAY, networks: 0, wallets: 0, aside: 0 }]);
  });
});
