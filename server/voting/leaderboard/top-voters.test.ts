import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '#db/client.ts';
import { TOP_VOTERS } from '#shared/constants.ts';
import { refreshTopVoters } from './queries.ts';
import { createTestDatabase } from '#lab/testing/app.ts';
import { behindTheTriggers } from '#lab/testing/builders.ts';
import { findRank, listTopVoters } from './queries.ts';

const database = await createTestDatabase();
const { db, close } = openDatabase(database.url, { maxConnections: 8 });
afterAll(async () => {
  await close();
  await database.drop();
});

const USERS = 400;
/** The number of candidates that refresh_top_voters keeps. */
const CANDIDATES = 100;

beforeEach(async () => {
  await sql`TRUNCATE users, user_stats, vote_totals, top_voters CASCADE`.execute(db);
  await sql`INSERT INTO users (wallet_address) SELECT '0x' || lpad(to_hex(i), 64, '0') FROM generate_series(1, ${USERS}) i`.execute(
    db,
  );
  await sql`INSERT INTO user_stats (user_id) SELECT id FROM users`.execute(db);
});

const add = (userIds: number[], votes: number) =>
  sql`UPDATE user_stats SET total_votes = total_votes + ${votes}, bullish = bullish + ${votes} WHERE user_id = ANY (${userIds})`.execute(
    db,
  );

async function userIds(): Promise<number[]> {
  return (await db.selectFrom('users').select('id').orderBy('id').execute()).map(({ id }) => id);
}

/** The first by counting all users, the ten that the list shows by default. */
async function counted(limit = TOP_VOTERS): Promise<Array<{ id: number; totalVotes: number }>> {
  return db
    .selectFrom('userStats')
    .select(['userId as id', 'totalVotes'])
    .where('totalVotes', '>', 0)
    .orderBy('totalVotes', 'desc')
    .orderBy('userId')
    .limit(limit)
    .execute();
}

const listed = async () => (await listTopVoters(db)).map(({ user, totalVotes }) => ({ id: user.id, totalVotes }));
const candidateIds = async () =>
  (await db.selectFrom('topVoters').select('userId').orderBy('userId').execute()).map(({ userId }) => userId);
const candidates = async () => (await candidateIds()).length;

/** The expected candidates: the first hundred by counting, with their present totals. */
async function chosen(): Promise<Array<{ id: number; totalVotes: number }>> {
  await refreshTopVoters({ db });
  return db
    .selectFrom('topVoters')
    .select(['userId as id', 'totalVotes'])
    .orderBy('totalVotes', 'desc')
    .orderBy('userId')
    .execute();
}

describe('the top voters among the candidates [S7.3]', () => {
  test('the top voters equal a count of all users, for any order of votes', async () => {
    const ids = await userIds();
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 30; round += 1) {
      const some = Array.from({ length: 40 }, () => ids[random(random(ids.length) + 1)] as number);
      await add([...new Set(some)], 1);
      expect(await listed()).toEqual(await counted());
    }
    expect(await listed()).toEqual(await counted());
    expect(await candidates()).toBeLessThan(USERS);
    expect(await chosen()).toEqual(await counted(CANDIDATES));
    expect(await listed()).toEqual(await counted());
  });

  test('the top voters are right when several users vote at once on several servers', async () => {
    const ids = await userIds();
    await Promise.all(
      Array.from({ length: 8 }, async (_, lane) => {
        const own = ids.filter((id) => id % 8 === lane);
        for (let round = 0; round < 12; round += 1) await add(own.slice(round, round + 20), 1);
      }),
    );
    expect(await listed()).toEqual(await counted());
  });

  test('the top voters are right after the first were deleted or lost their votes; many of them, once the job has refreshed them', async () => {
    const ids = await userIds();
    await add(ids, 1);
    await add(ids.slice(0, 150), 5);
    await add(ids.slice(50, 150), 5);
    await db.deleteFrom('userStats').where('userId', 'in', ids.slice(50, 70)).execute();
    await add(ids.slice(70, 90), -9);
    expect(await listed()).toEqual(await counted());
    await db.deleteFrom('userStats').where('userId', 'in', ids.slice(90, 160)).execute();
    expect(await chosen()).toEqual(await counted(CANDIDATES));
    expect(await listed()).toEqual(await counted());
  });

  test('the job keeps the first hundred as candidates, whichever users were candidates before', async () => {
    const ids = await userIds();
    const spread = sql`UPDATE user_stats s SET total_votes = r.place / 3, bullish = r.place / 3
      FROM (SELECT user_id, row_number() OVER (ORDER BY user_id) AS place FROM user_stats) r WHERE r.user_id = s.user_id`;
    await spread.execute(db);
    await behindTheTriggers(db, (trx) => trx.deleteFrom('topVoters').execute());
    expect(await chosen()).toEqual(await counted(CANDIDATES));
    // All users are candidates, with stale totals: too high, too low, and of users without counters.
    await behindTheTriggers(db, async (trx) => {
      await sql`INSERT INTO top_voters SELECT user_id, 50 FROM user_stats ON CONFLICT (user_id) DO UPDATE SET total_votes = 50`.execute(
        trx,
      );
      await trx.deleteFrom('userStats').where('userId', 'in', ids.slice(350, 360)).execute();
    });
    expect(await chosen()).toEqual(await counted(CANDIDATES));
  });

  test('the top voters include users whose counters are inserted with votes, as after a restore, and no user without a vote', async () => {
    const ids = await userIds();
    const [first = 0, second = 0, third = 0] = ids;
    await db.deleteFrom('userStats').execute();
    await sql`INSERT INTO user_stats (user_id, total_votes, bullish) VALUES (${first}, 3, 3), (${second}, 0, 0), (${third}, 1, 1)`.execute(
      db,
    );
    expect(await listed()).toEqual([
      { id: first, totalVotes: 3 },
      { id: third, totalVotes: 1 },
    ]);
    expect(await candidateIds()).toEqual([first, third]);
    expect(await Promise.all([first, second, third].map((id) => findRank(db, id)))).toEqual([1, null, 2]);
    await sql`INSERT INTO user_stats (user_id, total_votes, bullish) SELECT id, 3, 3 FROM users WHERE id = ANY (${ids.slice(3, 6)}::bigint[])`.execute(
      db,
    );
    expect(await findRank(db, third)).toBe(5);
    await db.deleteFrom('userStats').where('userId', 'in', ids.slice(3, 5)).execute();
    expect(await findRank(db, third)).toBe(3);
    expect(await candidateIds()).toEqual([first, third, ...ids.slice(3, 6)]);
  });
});
