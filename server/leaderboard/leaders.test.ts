import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '#db/client.ts';
import { TOP_VOTERS } from '#shared/constants.ts';
import { chooseLeaders } from '../jobs/choose-leaders.ts';
import { createTestDatabase } from '../testing/app.ts';
import { listTopVoters } from './queries.ts';

const database = await createTestDatabase();
const { db, close } = openDatabase(database.url, { maxConnections: 8 });
afterAll(async () => {
  await close();
  await database.drop();
});

const USERS = 400;
/** As many as choose_leaders lets in. */
const LEADERS = 100;

beforeEach(async () => {
  await sql`TRUNCATE users, user_stats, vote_totals, leaders CASCADE`.execute(db);
  await sql`INSERT INTO users (wallet_address) SELECT '0x' || lpad(to_hex(i), 64, '0') FROM generate_series(1, ${USERS}) i`.execute(
    db,
  );
  await sql`INSERT INTO user_stats (user_id) SELECT id FROM users`.execute(db);
});

const add = (userIds: number[], votes: number) =>
  sql`UPDATE user_stats SET total = total + ${votes}, bullish = bullish + ${votes} WHERE user_id = ANY (${userIds})`.execute(
    db,
  );

async function userIds(): Promise<number[]> {
  return (await db.selectFrom('users').select('id').orderBy('id').execute()).map(({ id }) => id);
}

/** The first ten by counting everybody. */
async function counted(): Promise<Array<{ id: number; total: number }>> {
  return db
    .selectFrom('userStats')
    .select(['userId as id', 'total'])
    .where('total', '>', 0)
    .orderBy('total', 'desc')
    .orderBy('userId')
    .limit(TOP_VOTERS)
    .execute();
}

const listed = async () =>
  (await listTopVoters(db)).map(({ user, totalVotes }) => ({ id: user.id, total: totalVotes }));
const leaders = async () => (await db.selectFrom('leaders').select('userId').execute()).length;

describe('the top voters, found among the leaders, [S7.3]', () => {
  test('are those of counting everybody, whatever is voted in whatever order', async () => {
    const ids = await userIds();
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 30; round += 1) {
      const some = Array.from({ length: 40 }, () => ids[random(random(ids.length) + 1)] as number);
      await add([...new Set(some)], 1);
      expect(await listed()).toEqual(await counted());
    }
    expect(await listed()).toEqual(await counted());
    expect(await leaders()).toBeLessThan(USERS);
    await chooseLeaders({ db });
    expect(await leaders()).toBe(LEADERS);
    expect(await listed()).toEqual(await counted());
  });

  test('are right where everybody has cast as many: the older account comes first', async () => {
    const ids = await userIds();
    await add(ids.toReversed(), 3);
    expect(await listed()).toEqual(await counted());
    await add(ids.slice(-LEADERS - 50), 1);
    expect(await listed()).toEqual(await counted());
  });

  test('are right when votes of several come at once from several servers', async () => {
    const ids = await userIds();
    await Promise.all(
      Array.from({ length: 8 }, async (_, lane) => {
        const own = ids.filter((id) => id % 8 === lane);
        for (let round = 0; round < 12; round += 1) await add(own.slice(round, round + 20), 1);
      }),
    );
    expect(await listed()).toEqual(await counted());
  });

  test('are right after the first were deleted or lost their votes; many of them, once the job has chosen anew', async () => {
    const ids = await userIds();
    await add(ids, 1);
    await add(ids.slice(0, 150), 5);
    await add(ids.slice(50, 150), 5);
    await db.deleteFrom('userStats').where('userId', 'in', ids.slice(50, 70)).execute();
    await add(ids.slice(70, 90), -9);
    expect(await listed()).toEqual(await counted());
    await db.deleteFrom('userStats').where('userId', 'in', ids.slice(90, 160)).execute();
    await chooseLeaders({ db });
    expect(await listed()).toEqual(await counted());
    expect(await leaders()).toBe(LEADERS);
  });

  test('are right after the first sixty lost their votes, also with somebody who came up by voting to the fiftieth place only', async () => {
    const ids = await userIds();
    await sql`UPDATE user_stats s SET total = r.place, bullish = r.place
      FROM (SELECT user_id, ${USERS} - row_number() OVER (ORDER BY user_id) AS place FROM user_stats) r
      WHERE r.user_id = s.user_id`.execute(db);
    await chooseLeaders({ db });
    expect(await leaders()).toBe(LEADERS);
    const newcomer = ids[300] ?? 0;
    await add([newcomer], 250);
    await db.deleteFrom('userStats').where('userId', 'in', ids.slice(0, 60)).execute();
    const top = await listed();
    expect(top).toEqual(await counted());
    expect(top[0]?.id).toBe(newcomer);
  });

  test('are right where somebody draws level with the hundredth, and has the older account', async () => {
    const [oldest = 0, ...others] = await userIds();
    await add([oldest], 2);
    await add(others, 3);
    await chooseLeaders({ db });
    await add([oldest], 1);
    const top = await listed();
    expect(top).toEqual(await counted());
    expect(top[0]?.id).toBe(oldest);
  });

  test('are fewer than ten while fewer have voted, and nobody before', async () => {
    expect(await listed()).toEqual([]);
    const [first = 0, second = 0] = await userIds();
    await add([second], 2);
    await add([first], 1);
    expect(await listed()).toEqual([
      { id: second, total: 2 },
      { id: first, total: 1 },
    ]);
    await chooseLeaders({ db });
    expect(await leaders()).toBe(2);
  });
});
