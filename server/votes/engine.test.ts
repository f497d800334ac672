import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '#db/client.ts';
import { createTestDatabase } from '../testing/app.ts';
import { findDifferences, insertProject, insertProjects, insertUser } from '../testing/builders.ts';
import { type EngineOptions, type Vote, createVoteEngine } from './engine.ts';

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

/** A pool that remembers the batches it was given, and may be told to fail. */
function watched(fail?: (values: unknown[][], call: number) => Error | null) {
  const sizes: number[] = [];
  const spy = Object.create(pool) as pg.Pool;
  const query = async (config: pg.QueryConfig<unknown[][]>) => {
    sizes.push(config.values?.[1]?.length ?? 0);
    const error = fail?.(config.values ?? [], sizes.length);
    if (error) throw error;
    return pool.query(config);
  };
  spy.query = query as typeof pool.query;
  return { spy, sizes };
}

const sqlError = (code: string) => Object.assign(new Error(`SQLSTATE ${code}`), { code });
const engineOn = (target: pg.Pool, options?: EngineOptions) => createVoteEngine(target, options);

test('a lone vote goes at once, alone', async () => {
  const { spy, sizes } = watched();
  const engine = engineOn(spy);
  const outcome = await engine.castVote({ ...(await voter()), projectId: await insertProject(db), bullish: true });
  expect(outcome).toMatchObject({
    status: 200,
    total: 1,
    bullish: 1,
    bearish: 0,
    balance: 10,
    earned: 10,
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
  expect(outcomes.every((o) => o.status === 200)).toBe(true);
  expect(sizes).toEqual([1, 29]);
  expect(await findDifferences(db)).toEqual([]);
});

test('[R7 R8] one mixed batch has every outcome, as if its votes had come one after another', async () => {
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
  expect(outcomes.map((o) => o.status)).toEqual([200, 409, 403, 410, 404, 404, 401, 412, 200]);
  expect(outcomes[0]).toMatchObject({ total: 1, bullish: 1, balance: 10 });
  expect(outcomes[8]).toMatchObject({ total: 2, bullish: 1, bearish: 1, balance: 20, windowVotes: 2 });
  expect(await findDifferences(db)).toEqual([]);
});

test('[R8] the 26th vote within one batch is refused, and the window starts at the same moment for all', async () => {
  const user = await voter();
  const projects = await insertProjects(db, 30);
  const engine = engineOn(pool, { maxInFlight: 1 });
  const outcomes = await Promise.all(
    projects.map((projectId) => engine.castVote({ ...user, projectId, bullish: true })),
  );
  expect(outcomes.map((o) => o.status)).toEqual([...Array<number>(25).fill(200), ...Array<number>(5).fill(429)]);
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
  expect(outcomes.filter((o) => o.status === 200)).toHaveLength(6);
  expect(outcomes.filter((o) => o.status === 409)).toHaveLength(12);
  expect(await findDifferences(db)).toEqual([]);
});

describe('when the database fails', () => {
  test('a serialization failure or deadlock is tried again', async () => {
    const { spy, sizes } = watched((_values, call) =>
      call === 1 ? sqlError('40P01') : call === 2 ? sqlError('40001') : null,
    );
    const outcome = await engineOn(spy).castVote({
      ...(await voter()),
      projectId: await insertProject(db),
      bullish: true,
    });
    expect(outcome.status).toBe(200);
    expect(sizes).toEqual([1, 1, 1]);
  });

  test('a vote whose data is at fault does not fail its neighbours', async () => {
    const poisoned = 4242;
    const { spy } = watched((values) => (values[2]?.includes(poisoned) ? sqlError('22003') : null));
    const engine = engineOn(spy, { maxInFlight: 1 });
    const user = await voter();
    const projects = await insertProjects(db, 3);
    const results = await Promise.allSettled(
      [projects[0]!, poisoned, projects[1]!, projects[2]!].map((projectId) =>
        engine.castVote({ ...user, projectId, bullish: true }),
      ),
    );
    expect(results.map((r) => (r.status === 'fulfilled' ? r.value.status : 'failed'))).toEqual([
      200,
      'failed',
      200,
      200,
    ]);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('any other error rejects with 503 and counts nothing; the next vote goes through', async () => {
    const { spy } = watched((_values, call) => (call === 1 ? new Error('Connection terminated unexpectedly') : null));
    const engine = engineOn(spy);
    const vote = { ...(await voter()), projectId: await insertProject(db), bullish: true };
    await expect(engine.castVote(vote)).rejects.toMatchObject({ status: 503, code: 'vote_failed', retryAfterS: 5 });
    expect((await engine.castVote(vote)).status).toBe(200);
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
      expect((await engineOn(slow.pool).castVote(vote)).status).toBe(200);
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

test('closing lets the votes under way count, and takes no more', async () => {
  const engine = engineOn(pool, { maxInFlight: 1, maxBatch: 2 });
  const user = await voter();
  const projects = await insertProjects(db, 5);
  const underWay = projects.map((projectId) => engine.castVote({ ...user, projectId, bullish: true }));
  await engine.close();
  expect((await Promise.all(underWay)).every((o) => o.status === 200)).toBe(true);
  await expect(engine.castVote({ ...user, projectId: projects[0]!, bullish: true })).rejects.toMatchObject({
    status: 503,
    code: 'shutting_down',
  });
});

test('[R13] the ledger can only be added to', async () => {
  await engineOn(pool).castVote({ ...(await voter()), projectId: await insertProject(db), bullish: true });
  for (const statement of [
    'UPDATE token_ledger SET amount = 1000000',
    'DELETE FROM token_ledger',
    'TRUNCATE token_ledger',
  ]) {
    await expect(pool.query(statement)).rejects.toThrow(/append-only/);
  }
});

test('[R13] a balance below zero is refused by the database itself', async () => {
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
  const first = cast(0, 1);
  await turn();
  const few = cast(1, 4);
  await turn();
  expect(sizes).toEqual([1]);
  const more = cast(4, 24);
  await turn();
  expect(sizes).toEqual([1, 8]);
  const outcomes = await Promise.all([...first, ...few, ...more]);
  expect(outcomes.every(({ status }) => status === 200)).toBe(true);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(24);
  expect(Math.max(...sizes)).toBe(8);
  expect(await findDifferences(db)).toEqual([]);
});

test('why a batch failed is told to the operator; the voters hear that it was not counted', async () => {
  const told: unknown[] = [];
  const { spy } = watched(() => sqlError('57P01'));
  const engine = engineOn(spy, { onError: (error) => told.push(error) });
  const vote = engine.castVote({ ...(await voter()), projectId: await insertProject(db), bullish: true });
  await expect(vote).rejects.toMatchObject({ status: 503, code: 'vote_failed' });
  expect(told).toMatchObject([{ code: '57P01' }]);
});
