import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openDatabase } from '#db/client.ts';
import { VOTE_REJECTIONS } from '#shared/voting/vote-rejections.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { createTestDatabase } from '#lab/testing/app.ts';
import { grantTokens, insertProject, insertProjects, setProject } from '#lab/testing/builders.ts';
import { VOTE_WINDOW_HOURS } from '#shared/constants.ts';
import { findStats } from '#server/people/users/queries.ts';
import type { Vote } from '#server/kit/services.ts';
import { openVoteEngines } from '#lab/testing/vote-engine.ts';

const { CAST_ONE, database, db, pool, voter, watched, castBehind, engineOn } = await openVoteEngines();

test('a single vote is cast at once in a batch of its own', async () => {
  const { spy, sizes } = watched();
  const engine = engineOn(spy);
  const outcome = await engine.castVote({ ...(await voter()), projectId: await insertProject(db), bullish: true });
  expect(outcome).toMatchObject({
    decided: 'counted',
    totalVotes: 1,
    bullish: 1,
    bearish: 0,
    balance: 10,
    tokensEarned: 10,
    windowVotes: 1,
    streak: 1,
  });
  expect(sizes).toEqual([1]);
});

test('a batch is parsed and planned once per connection', async () => {
  const alone = openDatabase(database.url, { maxConnections: 1 });
  const engine = engineOn(alone.pool);
  for (let votes = 1; votes <= 2; votes += 1)
    await engine.castVote({ ...(await voter()), projectId: await insertProject(db), bullish: true });
  const { rows } = await alone.pool.query(
    'SELECT name, (generic_plans + custom_plans)::int AS used FROM pg_prepared_statements',
  );
  await alone.close();
  expect(rows).toEqual([{ name: 'cast_votes', used: 2 }]);
});

test('a mixed batch decides each vote as if the votes had come one after another [R7 R8]', async () => {
  const user = await voter();
  const other = await voter();
  const [a = 0, b = 0] = await insertProjects(db, 2);
  const own = await insertProject(db, { ownerId: user.userId });
  const expired = await insertProject(db, { expiresInDays: -1 });
  const hidden = await insertProject(db, { hidden: true });
  const renamed = await insertProject(db);
  await setProject(db, renamed, { name: 'Another name' });
  const engine = engineOn(pool, { maxInFlight: 1 });
  const cast = (projectId: number, more: Partial<Vote> = {}) =>
    engine.castVote({ ...user, projectId, bullish: true, ...more });
  const outcomes = await Promise.all([
    cast(a),
    cast(a, { bullish: false }),
    cast(own),
    cast(expired),
    cast(hidden),
    cast(renamed, { identity: 1 }),
    cast(987_654_321),
    cast(b, { tokenHash: randomBytes(32) }),
    cast(b, { tokenHash: other.tokenHash }),
    cast(b, { bullish: false }),
  ]);
  expect(outcomes.map((o) => o.decided)).toEqual([
    'counted',
    'already_voted',
    'own_project',
    'project_expired',
    'project_not_found',
    'renamed',
    'project_not_found',
    'not_signed_in',
    'not_yours',
    'counted',
  ]);
  expect(outcomes[0]).toMatchObject({ totalVotes: 1, bullish: 1, balance: 10 });
  expect(outcomes.at(-1)).toMatchObject({ totalVotes: 2, bullish: 1, bearish: 1, balance: 20, windowVotes: 2 });
  expect(await findDifferences(db)).toEqual([]);
});

test('an ended session cannot vote, alone or in a batch [R1]', async () => {
  const [user, ended] = [await voter(), await voter()];
  await db
    .updateTable('sessions')
    .set({ expiresAt: sql`now() - interval '1 second'` })
    .where('userId', '=', ended.userId)
    .execute();
  const projectId = await insertProject(db);
  const engine = engineOn(pool, { maxInFlight: 1 });
  const cast = (who: typeof user) => engine.castVote({ ...who, projectId, bullish: true });
  expect(await cast(ended)).toMatchObject({ decided: 'not_signed_in', totalVotes: 0, balance: 0 });
  const outcomes = await Promise.all([cast(ended), cast(user), cast(ended)]);
  expect(outcomes.map(({ decided }) => decided)).toEqual(['not_signed_in', 'counted', 'not_signed_in']);
  expect(await findStats(db, ended.userId)).toMatchObject({ totalVotes: 0, tokenBalance: 0 });
  expect(await findDifferences(db)).toEqual([]);
});

test('a user without counters cannot vote, even with a session [R1]', async () => {
  const user = await voter();
  await db.deleteFrom('userStats').where('userId', '=', user.userId).execute();
  const vote = { ...user, projectId: await insertProject(db), bullish: true };
  expect(await engineOn(pool).castVote(vote)).toMatchObject({
    decided: 'not_signed_in',
    totalVotes: 0,
    windowVotes: 0,
  });
  expect(await findDifferences(db)).toEqual([]);
});

test('rejects the 26th vote of a batch, whose votes all open the same window [R8]', async () => {
  const user = await voter();
  const projects = await insertProjects(db, 30);
  const engine = engineOn(pool, { maxInFlight: 1 });
  const outcomes = await Promise.all(
    projects.map((projectId) => engine.castVote({ ...user, projectId, bullish: true })),
  );
  expect(outcomes.map((o) => o.decided)).toEqual([
    ...Array<string>(25).fill('counted'),
    ...Array<string>(5).fill('vote_limit'),
  ]);
  expect(new Set(outcomes.map((o) => o.windowStartedAt?.getTime())).size).toBe(1);
});

test('forged votes in the name of a user do not delay the user’s own votes [R3 R8]', async () => {
  const victim = await voter();
  const [projectId = 0, other = 0] = await insertProjects(db, 2);
  const { spy, sizes } = watched();
  const engine = engineOn(spy, { maxInFlight: 1 });
  const bogus = Array.from({ length: 40 }, () =>
    engine.castVote({ userId: victim.userId, tokenHash: randomBytes(32), projectId: other, bullish: false }),
  );
  const outcome = await engine.castVote({ ...victim, projectId, bullish: true });
  expect(outcome).toMatchObject({ decided: 'counted', totalVotes: 1 });
  // The first batch decides all that are forged; the user's own vote is in the next.
  expect(sizes).toEqual([41, 1]);
  expect(new Set((await Promise.all(bogus)).map(({ decided }) => decided))).toEqual(new Set(['not_signed_in']));
});

test('a vote that waits for another server past midnight keeps the streak', async () => {
  const user = await voter();
  const projectId = await insertProject(db);
  const tomorrow = sql<Date>`(now() AT TIME ZONE 'UTC')::date + 1`;
  await db.updateTable('userStats').set({ streak: 5, lastDay: tomorrow }).where('userId', '=', user.userId).execute();
  const outcome = await engineOn(pool).castVote({ ...user, projectId, bullish: true });
  expect(outcome).toMatchObject({ decided: 'counted', streak: 5 });
  const row = await db
    .selectFrom('userStats')
    .select(['streak', sql<boolean>`last_day = ${tomorrow}`.as('kept')])
    .where('userId', '=', user.userId)
    .executeTakeFirst();
  expect(row).toEqual({ streak: 5, kept: true });
});

test('a vote and a withdrawal of the same tokens at the same time both count', async () => {
  const user = await voter();
  await grantTokens(db, user.userId, 50);
  const vote = { ...user, projectId: await insertProject(db), bullish: true };
  const outcome = await castBehind(async (other) => {
    await other.query('UPDATE user_stats SET balance = balance - 50 WHERE user_id = $1', [user.userId]);
    await other.query(
      `WITH held AS (INSERT INTO withdrawals (user_id, wallet_address, token_amount) VALUES ($1, '0x1', 50) RETURNING id)
       INSERT INTO token_ledger (user_id, kind, ref, amount, created_at) SELECT $1, 'withdrawal_hold', id, -50, now() FROM held`,
      [user.userId],
    );
  }, vote);
  expect(outcome).toMatchObject({ decided: 'counted', balance: 10, tokensEarned: 20 });
  expect(await findDifferences(db)).toEqual([]);
});

test('a rejected vote returns the current counters [R8 R9]', async () => {
  const user = await voter();
  const projectId = await insertProject(db);
  const engine = engineOn(pool);
  const again = () => engine.castVote({ ...user, projectId, bullish: true });
  const counters = { totalVotes: 1, bullish: 1, bearish: 0, balance: 10, tokensEarned: 10, peakEarned: 0 };
  const first = await again();
  const { windowStartedAt } = first;
  expect(first).toMatchObject({ decided: 'counted', ...counters, streak: 1, windowVotes: 1 });
  expect(windowStartedAt).not.toBeNull();
  expect(await again()).toEqual({ decided: 'already_voted', ...counters, streak: 1, windowVotes: 1, windowStartedAt });
  const pass = (days: number, hours: number) =>
    sql`UPDATE user_stats SET last_day = (now() AT TIME ZONE 'UTC')::date - ${days}::int,
      window_started_at = now() - make_interval(hours => ${hours}) WHERE user_id = ${user.userId}`.execute(db);
  await pass(1, VOTE_WINDOW_HOURS - 1);
  expect(await again()).toMatchObject({ decided: 'already_voted', streak: 1, windowVotes: 1 });
  await pass(2, VOTE_WINDOW_HOURS);
  expect(await again()).toEqual({
    decided: 'already_voted',
    ...counters,
    streak: 0,
    windowVotes: 0,
    windowStartedAt: null,
  });
});

test('the vote statement uses indexes on full tables, even if it was planned on empty ones', async () => {
  const fresh = await createTestDatabase();
  const client = new pg.Client({ connectionString: fresh.url });
  await client.connect();
  const cast = async (token: string, user: number, project: number): Promise<string> => {
    return (
      (await client.query<{ outcome: string }>(CAST_ONE, [Buffer.from(token), user, project])).rows[0]?.outcome ?? ''
    );
  };
  const rowsRead = async (): Promise<Record<string, number>> => {
    const { rows } = await client.query<{ name: string; read: string }>(
      `SELECT name, pg_stat_get_xact_tuples_returned(name::regclass) + pg_stat_get_xact_tuples_fetched(name::regclass) AS read
       FROM unnest(ARRAY['users', 'sessions', 'user_stats', 'projects', 'votes']) AS name`,
    );
    return Object.fromEntries(rows.map(({ name, read }) => [name, Number(read)]));
  };
  try {
    expect(await cast('nobody', 1, 1)).toBe('not_signed_in');
    await client.query(
      `INSERT INTO users (wallet_address) SELECT '0x' || lpad(to_hex(i), 64, '0') FROM generate_series(1, 2000) i`,
    );
    await client.query('INSERT INTO user_stats (user_id) SELECT id FROM users');
    await client.query(
      `INSERT INTO sessions (token_hash, user_id, expires_at) SELECT convert_to('token ' || id, 'UTF8'), id, now() + interval '1 day' FROM users`,
    );
    const db = openDatabase(fresh.url, { maxConnections: 1 });
    const projects = await insertProjects(db.db, 60);
    await db.close();
    await client.query(
      'INSERT INTO votes (user_id, project_id, bullish, created_at) SELECT id, $1, true, now() FROM users',
      [projects[0]],
    );
    await client.query('BEGIN');
    const before = await rowsRead();
    expect(await cast('token 7', 7, projects[1] ?? 0)).toBe('counted');
    expect(await cast('token 8', 8, projects[0] ?? 0)).toBe('already_voted');
    const read = Object.entries(await rowsRead()).map(([table, after]) => ({
      table,
      rows: after - (before[table] ?? 0),
    }));
    expect(read.filter(({ rows }) => rows > 10)).toEqual([]);
    expect(read.find(({ table }) => table === 'user_stats')?.rows).toBeGreaterThan(1);
    await client.query('COMMIT');
  } finally {
    await client.end();
    await fresh.drop();
  }
});

test("the database rejects votes with exactly the reasons of the server's table", async () => {
  const { rows } = await pool.query<{ known: string }>(`SELECT unnest(enum_range(NULL::vote_outcome)::text[]
    || enum_range(NULL::change_outcome)::text[] || enum_range(NULL::undo_outcome)::text[]) AS known`);
  const known = new Set(rows.map((row) => row.known));
  expect([...known].toSorted()).toEqual(
    ['changed', 'confirmed', 'counted', 'send_again', 'undone', ...Object.keys(VOTE_REJECTIONS)].toSorted(),
  );
});

test('votes and ledger entries can be added, but not changed or deleted [R13]', async () => {
  await engineOn(pool).castVote({ ...(await voter()), projectId: await insertProject(db), bullish: true });
  for (const statement of [
    'UPDATE token_ledger SET amount = 1000000',
    'DELETE FROM token_ledger',
    'TRUNCATE token_ledger',
    'UPDATE votes SET period = 2',
    'DELETE FROM votes',
    'TRUNCATE votes',
  ]) {
    await expect(pool.query(statement)).rejects.toThrow(/append-only/);
  }
});
