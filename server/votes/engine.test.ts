import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { openDatabase } from '#db/client.ts';
import { findDifferences } from '../ledger/check-invariants.ts';
import { createTestDatabase } from '../testing/app.ts';
import { grantTokens, insertProject, insertProjects, insertUser } from '../testing/builders.ts';
import { startSilentProxy } from '../testing/silent-proxy.ts';
import { VOTE_WINDOW_HOURS, VOTES_PER_WINDOW } from '#shared/constants.ts';
import { findStats, findVotingStatus } from '../users/queries.ts';
import type { Vote, VoteDecision, VoteOutcome } from '../services.ts';
import { type EngineOptions, createVoteEngine } from './engine.ts';
import { REJECTIONS } from './outcomes.ts';

const database = await createTestDatabase();
const { db, pool, close } = openDatabase(database.url, { maxConnections: 8 });
afterAll(async () => {
  await close();
  await database.drop();
});

async function voter(): Promise<{ userId: number; tokenHash: Buffer }> {
  const userId = await insertUser(db);
  const tokenHash = createHash('sha256').update(randomBytes(16)).digest();
  await db
    .insertInto('sessions')
    .values({ tokenHash, userId, expiresAt: sql`now() + interval '1 day'` })
    .execute();
  return { userId, tokenHash };
}

/** The numbers of a bigint[] in PostgreSQL's binary format. */
const numbersOf = (array: Buffer): number[] =>
  Array.from({ length: array.readInt32BE(12) }, (_, index) => Number(array.readBigInt64BE(24 + 12 * index)));

/** A pool that records its batches, and can be made to fail. */
function watched(fail?: (projectIds: number[], call: number) => Error | null) {
  const sizes: number[] = [];
  const batches: number[][] = [];
  const spy = Object.create(pool) as pg.Pool;
  const query = async (config: pg.QueryConfig<Buffer[]>) => {
    const projectIds = numbersOf(config.values?.[2] as Buffer);
    sizes.push(projectIds.length);
    batches.push(projectIds);
    const error = fail?.(projectIds, sizes.length);
    if (error) throw error;
    return pool.query(config);
  };
  spy.query = query as typeof pool.query;
  return { spy, sizes, batches };
}

/** How many transactions of this database wait for another. */
async function countBlocked(): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.n ?? 0;
}

/** One vote that bypasses the engine: its outcome. */
const CAST_ONE = `SELECT outcome FROM cast_votes(ARRAY[$1::bytea], ARRAY[$2::bigint], ARRAY[$3::bigint], ARRAY[true], 25, '6 hours', 10)`;

/** Outcome of a vote that has to wait for another transaction, which then commits. */
async function castBehind(transaction: (client: pg.Client) => Promise<unknown>, vote: Vote): Promise<VoteOutcome> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('BEGIN');
    await transaction(client);
    const outcome = engineOn(pool).castVote(vote);
    await expect.poll(countBlocked).toBeGreaterThan(0);
    await client.query('COMMIT');
    return await outcome;
  } finally {
    await client.end();
  }
}

const sqlError = (code: string) => Object.assign(new Error(`SQLSTATE ${code}`), { code });
const engineOn = (target: pg.Pool, options?: EngineOptions) => createVoteEngine(target, options);

test('a lone vote goes at once, alone', async () => {
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

test('votes that arrive while a batch is on its way go together as the next', async () => {
  const { spy, sizes } = watched();
  const engine = engineOn(spy, { maxInFlight: 1 });
  const projectId = await insertProject(db);
  const voters = await Promise.all(Array.from({ length: 30 }, voter));
  const first = engine.castVote({ ...voters[0]!, projectId, bullish: true });
  await new Promise((resolve) => setImmediate(resolve));
  const rest = voters.slice(1).map((v) => engine.castVote({ ...v, projectId, bullish: false }));
  const outcomes = await Promise.all([first, ...rest]);
  expect(outcomes.every((o) => o.decided === 'counted')).toBe(true);
  expect(sizes).toEqual([1, 29]);
  expect(await findDifferences(db)).toEqual([]);
});

/** The project's next listing period begins, in a transaction of its own. */
const beginPeriod = (projectId: number) =>
  sql`UPDATE projects SET period_starts = period_starts || clock_timestamp() WHERE id = ${projectId}`.execute(db);
/** The same batch as another server casts it. */
const castElsewhere = (
  client: pg.Client,
  { tokenHash, userId }: Pick<Vote, 'tokenHash' | 'userId'>,
  projectId: number,
) => client.query(CAST_ONE, [tokenHash, userId, projectId]);
const statsOf = (projectId: number) =>
  db.selectFrom('projectStats').selectAll().where('projectId', '=', projectId).executeTakeFirstOrThrow();

describe('a vote of a new listing period waits for another change of the same voter', () => {
  test('an earlier vote that is committed meanwhile is replaced, not counted beside the new one [R45]', async () => {
    const user = await voter();
    const projectId = await insertProject(db);
    const outcome = await castBehind(
      async (client) => {
        await castElsewhere(client, user, projectId);
        await beginPeriod(projectId);
      },
      { ...user, projectId, bullish: false },
    );
    expect(outcome).toMatchObject({ decided: 'counted', totalVotes: 2, balance: 20 });
    expect(await statsOf(projectId)).toMatchObject({ bullish: 0, bearish: 1 });
    expect(await findDifferences(db)).toEqual([]);
  });

  test('an earlier vote that is undone meanwhile is not taken away again [R45 R46]', async () => {
    const user = await voter();
    const projectId = await insertProject(db);
    await engineOn(pool).castVote({ ...user, projectId, bullish: true });
    const outcome = await castBehind(
      async (client) => {
        await client.query(`SELECT undo_vote($1, $2, '1 hour')`, [user.userId, projectId]);
        await beginPeriod(projectId);
      },
      { ...user, projectId, bullish: true },
    );
    expect(outcome).toMatchObject({ decided: 'counted', totalVotes: 1, balance: 10 });
    expect(await statsOf(projectId)).toMatchObject({ bullish: 1, bearish: 0 });
    expect(await findDifferences(db)).toEqual([]);
  });

  test('and the same vote twice at once counts once in each period [R7 R45]', async () => {
    const user = await voter();
    const projectId = await insertProject(db);
    for (const period of [1, 2]) {
      const outcome = await castBehind((client) => castElsewhere(client, user, projectId), {
        ...user,
        projectId,
        bullish: true,
      });
      expect([period, outcome.decided]).toEqual([period, 'already_voted']);
      await beginPeriod(projectId);
    }
    expect(await statsOf(projectId)).toMatchObject({ bullish: 1, bearish: 0 });
  });
});

test('a batch of votes of different periods on the same projects counts as one after another would [R45]', async () => {
  const [one, two, three] = await Promise.all([voter(), voter(), voter()]);
  const [a = 0, b = 0] = await insertProjects(db, 2);
  const engine = engineOn(pool, { maxInFlight: 1 });
  const cast = (user: { userId: number; tokenHash: Buffer }, projectId: number, bullish: boolean) =>
    engine.castVote({ ...user, projectId, bullish });
  await Promise.all([cast(one, a, true), cast(two, a, true), cast(three, b, true)]);
  await beginPeriod(a);
  const outcomes = await Promise.all([
    cast(one, a, false),
    cast(two, a, true),
    cast(three, a, true),
    cast(one, a, true),
    cast(three, b, false),
    cast(two, b, false),
  ]);
  expect(outcomes.map(({ decided }) => decided)).toEqual([
    'counted',
    'counted',
    'counted',
    'already_voted',
    'already_voted',
    'counted',
  ]);
  expect(await statsOf(a)).toMatchObject({ bullish: 2, bearish: 1 });
  expect(await statsOf(b)).toMatchObject({ bullish: 1, bearish: 1 });
  expect(await findDifferences(db)).toEqual([]);
});

test('one mixed batch has every outcome, as if its votes had come one after another [R7 R8]', async () => {
  const user = await voter();
  const other = await voter();
  const [a = 0, b = 0] = await insertProjects(db, 2);
  const own = await insertProject(db, { ownerId: user.userId });
  const expired = await insertProject(db, { expiresInDays: -1 });
  const hidden = await insertProject(db, { hidden: true });
  const engine = engineOn(pool, { maxInFlight: 1 });
  const cast = (projectId: number, more: Partial<Vote> = {}) =>
    engine.castVote({ ...user, projectId, bullish: true, ...more });
  const outcomes = await Promise.all([
    cast(a),
    cast(a, { bullish: false }),
    cast(own),
    cast(expired),
    cast(hidden),
    cast(987_654_321),
    cast(b, { tokenHash: randomBytes(32) }),
    cast(b, { tokenHash: other.tokenHash }),
    cast(b, { bullish: false }),
  ]);
  expect(outcomes.map((o) => o.decided)).toEqual([
    'counted',
    'already_voted',
    'own_project',
    'expired',
    'no_project',
    'no_project',
    'no_session',
    'other_session',
    'counted',
  ]);
  expect(outcomes[0]).toMatchObject({ totalVotes: 1, bullish: 1, balance: 10 });
  expect(outcomes[8]).toMatchObject({ totalVotes: 2, bullish: 1, bearish: 1, balance: 20, windowVotes: 2 });
  expect(await findDifferences(db)).toEqual([]);
});

test('a session that has ended votes no more, alone or beside others [R1]', async () => {
  const [user, ended] = [await voter(), await voter()];
  await db
    .updateTable('sessions')
    .set({ expiresAt: sql`now() - interval '1 second'` })
    .where('userId', '=', ended.userId)
    .execute();
  const projectId = await insertProject(db);
  const engine = engineOn(pool, { maxInFlight: 1 });
  const cast = (who: typeof user) => engine.castVote({ ...who, projectId, bullish: true });
  expect(await cast(ended)).toMatchObject({ decided: 'no_session', totalVotes: 0, balance: 0 });
  const outcomes = await Promise.all([cast(ended), cast(user), cast(ended)]);
  expect(outcomes.map(({ decided }) => decided)).toEqual(['no_session', 'counted', 'no_session']);
  expect(await findStats(db, ended.userId)).toMatchObject({ totalVotes: 0, tokenBalance: 0 });
  expect(await findDifferences(db)).toEqual([]);
});

test('a user whose counters are gone votes no more, though a session is left [R1]', async () => {
  const user = await voter();
  await db.deleteFrom('userStats').where('userId', '=', user.userId).execute();
  const vote = { ...user, projectId: await insertProject(db), bullish: true };
  expect(await engineOn(pool).castVote(vote)).toMatchObject({ decided: 'no_session', totalVotes: 0, windowVotes: 0 });
  expect(await findDifferences(db)).toEqual([]);
});

/** The rules of R8 and R9 for one user, in the simplest form: the past votes, and their age. */
class VoterModel {
  private totalVotes = 0;
  private windowVotes = 0;
  private windowAgoHours = Number.POSITIVE_INFINITY;
  private streak = 0;
  private lastVoteDaysAgo = Number.POSITIVE_INFINITY;

  private get isOpen(): boolean {
    return this.windowAgoHours < VOTE_WINDOW_HOURS;
  }

  vote(): VoteDecision {
    if (this.isOpen && this.windowVotes >= VOTES_PER_WINDOW) return 'window_full';
    if (!this.isOpen) [this.windowAgoHours, this.windowVotes] = [0, 0];
    this.windowVotes += 1;
    this.totalVotes += 1;
    if (this.lastVoteDaysAgo > 0) this.streak = this.lastVoteDaysAgo === 1 ? this.streak + 1 : 1;
    this.lastVoteDaysAgo = 0;
    return 'counted';
  }

  hoursPass(hours: number): void {
    this.windowAgoHours += hours;
  }

  daysPass(days: number): void {
    this.hoursPass(24 * days);
    this.lastVoteDaysAgo += days;
  }

  state() {
    return {
      totalVotes: this.totalVotes,
      votesRemaining: this.isOpen ? VOTES_PER_WINDOW - this.windowVotes : VOTES_PER_WINDOW,
      hasEnd: this.isOpen,
      streak: this.lastVoteDaysAgo <= 1 ? this.streak : 0,
    };
  }
}

test('windows and streaks are those of a simple model, whatever is voted whenever [R8 R9]', async () => {
  const projects = await insertProjects(db, 150);
  const engine = engineOn(pool);
  const day = async () =>
    (await sql<{ day: number }>`SELECT extract(epoch FROM now())::bigint / 86400 AS day`.execute(db)).rows[0]?.day;
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ votes: fc.constantFrom(1, 2, 12, 24, 25, 26) }) },
    { weight: 3, arbitrary: fc.record({ hours: fc.constantFrom(1, 2, 5, 6, 7) }) },
    { weight: 3, arbitrary: fc.record({ days: fc.constantFrom(1, 1, 2, 3) }) },
  );
  const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), async (steps) => {
    const user = await voter();
    const model = new VoterModel();
    const today = await day();
    let next = 0;
    const seen: unknown[] = [];
    const expected: unknown[] = [];
    const pass = (hours: number, days: number) =>
      sql`UPDATE user_stats SET window_started_at = window_started_at - make_interval(hours => ${hours + 24 * days}),
        last_day = last_day - ${days}::int WHERE user_id = ${user.userId}`.execute(db);
    for (const each of steps) {
      if ('votes' in each) {
        const some = projects.slice(next, (next += each.votes));
        const casts = some.map((projectId) => engine.castVote({ ...user, projectId, bullish: true }));
        seen.push((await Promise.all(casts)).map(({ decided }) => decided));
        expected.push(some.map(() => model.vote()));
      } else if ('hours' in each) {
        await pass(each.hours, 0);
        model.hoursPass(each.hours);
      } else {
        await pass(0, each.days);
        model.daysPass(each.days);
      }
      const [stats, status] = [await findStats(db, user.userId), await findVotingStatus(db, user.userId)];
      const { votesRemaining, periodEndsAt } = status;
      const { totalVotes, streak } = stats;
      seen.push({ totalVotes, votesRemaining, hasEnd: periodEndsAt !== null, streak });
      expected.push(model.state());
    }
    // Over midnight a day passes that the model knows nothing of.
    fc.pre((await day()) === today);
    expect(seen).toEqual(expected);
  });
  await fc.assert(property, runs(12));
  expect(await findDifferences(db)).toEqual([]);
});

test('the 26th vote within one batch is refused, and the window starts at the same moment for all [R8]', async () => {
  const user = await voter();
  const projects = await insertProjects(db, 30);
  const engine = engineOn(pool, { maxInFlight: 1 });
  const outcomes = await Promise.all(
    projects.map((projectId) => engine.castVote({ ...user, projectId, bullish: true })),
  );
  expect(outcomes.map((o) => o.decided)).toEqual([
    ...Array<string>(25).fill('counted'),
    ...Array<string>(5).fill('window_full'),
  ]);
  expect(new Set(outcomes.map((o) => o.windowStartedAt?.getTime())).size).toBe(1);
});

test('two users racing on three projects through three engines stay exact', async () => {
  const engines = [1, 2, 3].map(() => engineOn(pool, { maxInFlight: 2, maxBatch: 3 }));
  const users = await Promise.all([voter(), voter()]);
  const projects = await insertProjects(db, 3);
  const casts = users.flatMap((user) =>
    projects.flatMap((projectId) =>
      engines.map((engine, i) => engine.castVote({ ...user, projectId, bullish: i % 2 === 0 })),
    ),
  );
  const outcomes = await Promise.all(casts);
  expect(outcomes.filter((o) => o.decided === 'counted')).toHaveLength(6);
  expect(outcomes.filter((o) => o.decided === 'already_voted')).toHaveLength(12);
  expect(await findDifferences(db)).toEqual([]);
});

test('votes in the name of another user, in whatever number, do not delay the user’s own [R3 R8]', async () => {
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
  expect(new Set((await Promise.all(bogus)).map(({ decided }) => decided))).toEqual(new Set(['no_session']));
});

test('a vote that waited for another server over the end of the day keeps the streak', async () => {
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
  expect(outcome).toMatchObject({ decided: 'counted', balance: 10, tokensEarned: 60 });
  expect(await findDifferences(db)).toEqual([]);
});

test('the same vote that another server is just casting responds with 409 once that one has', async () => {
  const user = await voter();
  const vote = { ...user, projectId: await insertProject(db), bullish: false };
  const outcome = await castBehind(async (other) => {
    const { rows } = await other.query(CAST_ONE, [user.tokenHash, user.userId, vote.projectId]);
    expect(rows).toEqual([{ outcome: 'counted' }]);
  }, vote);
  expect(outcome).toMatchObject({ decided: 'already_voted', totalVotes: 1, bullish: 1 });
  expect(await findDifferences(db)).toEqual([]);
});

test('votes that are sent again go before those that came later, in their order', async () => {
  const { spy, batches } = watched();
  const engine = engineOn(spy, { maxInFlight: 1, maxBatch: 3 });
  const [user, other] = [await voter(), await voter()];
  const projects = await insertProjects(db, 5);
  const voters = [user, user, user, other, other];
  const outcomes = await Promise.all(
    voters.map((who, index) => engine.castVote({ ...who, projectId: projects[index] ?? 0, bullish: true })),
  );
  expect(outcomes.map(({ totalVotes }) => totalVotes)).toEqual([1, 2, 3, 1, 2]);
  const placed = batches.map((batch) => batch.map((id) => projects.indexOf(id)));
  expect(placed).toEqual([
    [0, 1, 2],
    [1, 2, 3],
    [2, 4],
  ]);
});

test('a vote that does not count is answered with the counters as they are [R8 R9]', async () => {
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

test('a vote that is sent again is not given up before it was sent for the last time', async () => {
  const { spy, sizes } = watched();
  const query = spy.query as (config: pg.QueryConfig<Buffer[]>) => Promise<unknown>;
  spy.query = (async (config: pg.QueryConfig<Buffer[]>) =>
    sizes.length === 0
      ? (sizes.push(1), { rows: [{ outcomes: '{send_again}', rows: '{{1,0,0,0,0,0,0,0,0}}' }] })
      : query(config)) as typeof pool.query;
  const vote = { ...(await voter()), projectId: await insertProject(db), bullish: true };
  // With batches of one, twice is the most that anything is sent.
  expect(await engineOn(spy, { maxBatch: 1 }).castVote(vote)).toMatchObject({ decided: 'counted', totalVotes: 1 });
  expect(sizes).toEqual([1, 1]);
});

test('a vote that the database leaves undecided each time is given up with 503, not sent endlessly', async () => {
  const { spy, sizes } = watched();
  spy.query = (async (): Promise<unknown> => (
    sizes.push(1),
    { rows: [{ outcomes: '{send_again}', rows: '{{1,0,0,0,0,0,0,0,0}}' }] }
  )) as typeof pool.query;
  const vote = { ...(await voter()), projectId: await insertProject(db), bullish: true };
  await expect(engineOn(spy, { maxBatch: 1 }).castVote(vote)).rejects.toMatchObject({
    status: 503,
    code: 'vote_failed',
  });
  expect(sizes).toEqual([1, 1]);
});

test('the plan that is made while the tables are empty looks each row up by its key when they are full', async () => {
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
    expect(await cast('nobody', 1, 1)).toBe('no_session');
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
      'INSERT INTO votes (user_id, project_id, bullish, tokens, created_at) SELECT id, $1, true, 10, now() FROM users',
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

describe('when the database fails', () => {
  test('a serialization failure or deadlock is tried again', async () => {
    const { spy, sizes } = watched((_projectIds, call) =>
      call === 1 ? sqlError('40P01') : call === 2 ? sqlError('40001') : null,
    );
    const outcome = await engineOn(spy).castVote({
      ...(await voter()),
      projectId: await insertProject(db),
      bullish: true,
    });
    expect(outcome.decided).toBe('counted');
    expect(sizes).toEqual([1, 1, 1]);
  });

  test.each(['22003', '23514'])('a vote with invalid data (%s) does not fail its neighbors', async (code) => {
    const poisoned = 4242;
    const { spy } = watched((projectIds) => (projectIds.includes(poisoned) ? sqlError(code) : null));
    const engine = engineOn(spy, { maxInFlight: 1 });
    const user = await voter();
    const projects = await insertProjects(db, 3);
    const results = await Promise.allSettled(
      [projects[0]!, poisoned, projects[1]!, projects[2]!].map((projectId) =>
        engine.castVote({ ...user, projectId, bullish: true }),
      ),
    );
    expect(results.map((r) => (r.status === 'fulfilled' ? r.value.decided : 'failed'))).toEqual([
      'counted',
      'failed',
      'counted',
      'counted',
    ]);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('any other error rejects with 503 and counts nothing; the next vote goes through', async () => {
    const { spy } = watched((_projectIds, call) =>
      call === 1 ? new Error('Connection terminated unexpectedly') : null,
    );
    const engine = engineOn(spy);
    const vote = { ...(await voter()), projectId: await insertProject(db), bullish: true };
    await expect(engine.castVote(vote)).rejects.toMatchObject({ status: 503, code: 'vote_failed', retryAfterS: 5 });
    expect((await engineOn(pool).castVote(vote)).decided).toBe('counted');
  });

  test('a statement that takes too long is cut off by the database, and answered with 503', async () => {
    const slow = openDatabase(database.url, { maxConnections: 2, statementTimeoutMs: 150 });
    const vote = { ...(await voter()), projectId: await insertProject(db), bullish: true };
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    try {
      await blocker.query('BEGIN');
      await blocker.query('SELECT 1 FROM user_stats WHERE user_id = $1 FOR UPDATE', [vote.userId]);
      await expect(engineOn(slow.pool).castVote(vote)).rejects.toMatchObject({ status: 503 });
      await blocker.query('ROLLBACK');
      // With the usual time of a vote: 150 ms can be too short on a busy machine.
      expect((await engineOn(pool).castVote(vote)).decided).toBe('counted');
    } finally {
      await blocker.end();
      await slow.close();
    }
  });
});

test('a full queue refuses with 503 and Retry-After instead of growing', async () => {
  const engine = engineOn(pool, { maxInFlight: 1, maxBatch: 1, maxQueue: 3 });
  const user = await voter();
  const projects = await insertProjects(db, 6);
  const results = await Promise.allSettled(
    projects.map((projectId) => engine.castVote({ ...user, projectId, bullish: true })),
  );
  const refused = results.filter((r) => r.status === 'rejected');
  expect(refused).toHaveLength(3);
  expect(refused[0]?.reason).toMatchObject({ status: 503, code: 'busy', retryAfterS: 1 });
});

test('a queue longer than the wait allows refuses with 503, and says so beforehand', async () => {
  let atMs = 0;
  // By its own clock every batch of two takes 200 ms: after them four batches are more than 250 ms, and the minimum
  // that always fits.
  const engine = engineOn(pool, { maxInFlight: 1, maxBatch: 2, now: () => (atMs += 200) });
  const user = await voter();
  const projects = await insertProjects(db, 25);
  const cast = (ids: number[]) =>
    Promise.allSettled(ids.map((projectId) => engine.castVote({ ...user, projectId, bullish: true })));
  const first = await cast(projects.slice(0, 6));
  expect(first.every(({ status }) => status === 'fulfilled')).toBe(true);
  const later = cast(projects.slice(6, 20));
  expect(engine.isFull()).toBe(true);
  const refused = (await later).filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(6);
  expect(refused[0]?.reason).toMatchObject({ status: 503, code: 'busy', retryAfterS: 1 });
  expect(engine.isFull()).toBe(false);
});

test('closing lets the votes under way count, and takes no more', async () => {
  const engine = engineOn(pool, { maxInFlight: 1, maxBatch: 2 });
  const user = await voter();
  const projects = await insertProjects(db, 5);
  const done: string[] = [];
  for (const projectId of projects)
    void engine.castVote({ ...user, projectId, bullish: true }).then(({ decided }) => done.push(decided));
  await engine.close();
  expect(done).toEqual(['counted', 'counted', 'counted', 'counted', 'counted']);
  await expect(engine.castVote({ ...user, projectId: projects[0]!, bullish: true })).rejects.toMatchObject({
    status: 503,
    code: 'shutting_down',
    retryAfterS: 2,
  });
});

test('closing waits for a vote that is on its way, with none behind it', async () => {
  const user = await voter();
  const engine = engineOn(pool);
  const done: string[] = [];
  const blocker = await pool.connect();
  await blocker.query('BEGIN');
  await blocker.query('SELECT 1 FROM user_stats WHERE user_id = $1 FOR UPDATE', [user.userId]);
  const vote = { ...user, projectId: await insertProject(db), bullish: true };
  void engine.castVote(vote).then(({ decided }) => done.push(decided));
  await expect.poll(countBlocked).toBeGreaterThan(0);
  const closing = engine.close().then(() => done.push('closed'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(done).toEqual([]);
  await blocker.query('COMMIT');
  blocker.release();
  await closing;
  expect(done).toEqual(['counted', 'closed']);
});

test('the database knows the outcomes that clients see, and one more', async () => {
  const { rows } = await pool.query<{ known: string }>('SELECT unnest(enum_range(NULL::vote_outcome))::text AS known');
  expect(rows.map(({ known }) => known).toSorted()).toEqual(
    ['counted', 'send_again', ...Object.keys(REJECTIONS)].toSorted(),
  );
});

test('votes and the ledger can only be added to [R13]', async () => {
  await engineOn(pool).castVote({ ...(await voter()), projectId: await insertProject(db), bullish: true });
  for (const statement of [
    'UPDATE token_ledger SET amount = 1000000',
    'DELETE FROM token_ledger',
    'TRUNCATE token_ledger',
    'UPDATE votes SET tokens = 1000',
    'DELETE FROM votes',
    'TRUNCATE votes',
  ]) {
    await expect(pool.query(statement)).rejects.toThrow(/append-only/);
  }
});

test('a balance below zero is refused by the database itself [R13]', async () => {
  const { userId } = await voter();
  await expect(pool.query('UPDATE user_stats SET balance = balance - 1 WHERE user_id = $1', [userId])).rejects.toThrow(
    /check constraint/,
  );
});

test('beside a batch on its way goes only one that is half full, and never more than allowed', async () => {
  const { spy, sizes } = watched();
  const engine = engineOn(spy, { maxInFlight: 2, maxBatch: 8 });
  const projectId = await insertProject(db);
  const voters = await Promise.all(Array.from({ length: 24 }, voter));
  const cast = (from: number, to: number) =>
    voters.slice(from, to).map((v) => engine.castVote({ ...v, projectId, bullish: true }));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  // A voter of each of the two batches is locked, so that neither ends before the test has counted the concurrent ones.
  const blocker = await pool.connect();
  await blocker.query('BEGIN');
  const held = voters.slice(0, 2).map(({ userId }) => userId);
  await blocker.query('SELECT 1 FROM user_stats WHERE user_id = ANY ($1) FOR UPDATE', [held]);
  const first = cast(0, 1);
  await turn();
  const few = cast(1, 4);
  await turn();
  expect(sizes).toEqual([1]);
  const half = cast(4, 5);
  await turn();
  expect(sizes).toEqual([1, 4]);
  const more = cast(5, 24);
  await turn();
  expect(sizes).toEqual([1, 4]);
  await blocker.query('COMMIT');
  blocker.release();
  const outcomes = await Promise.all([...first, ...few, ...half, ...more]);
  expect(outcomes.every(({ decided }) => decided === 'counted')).toBe(true);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(24);
  expect(Math.max(...sizes)).toBe(8);
  expect(await findDifferences(db)).toEqual([]);
});

test('why a batch failed is reported to the operator; the voters learn that it was not counted', async () => {
  const told: unknown[] = [];
  const { spy } = watched(() => sqlError('57P01'));
  const engine = engineOn(spy, { onError: (error) => told.push(error) });
  const vote = engine.castVote({ ...(await voter()), projectId: await insertProject(db), bullish: true });
  await expect(vote).rejects.toMatchObject({ status: 503, code: 'vote_failed' });
  expect(told).toMatchObject([{ code: '57P01' }]);
});

test('a vote on a connection on which nothing comes is answered, may be sent again, and counts once', async () => {
  const way = await startSilentProxy(database.url);
  const through = openDatabase(way.through(database.url), { maxConnections: 2, onError: () => undefined });
  const engine = createVoteEngine(through.pool, { silenceMs: 1_000 });
  try {
    const who = await voter();
    const [first = 0, second = 0] = await insertProjects(db, 2);
    // On a slow machine an outcome may come too late for a try, as in production.
    const insist = (projectId: number) =>
      expect
        .poll(() => engine.castVote({ ...who, projectId, bullish: true }).catch(() => null))
        .toMatchObject({ decided: expect.stringMatching(/^(?:counted|already_voted)$/) });
    await insist(first);
    way.silence();
    const lost = engine.castVote({ ...who, projectId: second, bullish: true });
    await expect(lost).rejects.toMatchObject({ status: 503, code: 'vote_failed' });
    await insist(second);
    const counted = await db.selectFrom('votes').select('projectId').where('userId', '=', who.userId).execute();
    expect(counted.map(({ projectId }) => projectId).toSorted((one, other) => one - other)).toEqual([first, second]);
  } finally {
    await engine.close();
    await way.end();
    await through.close();
  }
});
