import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '#db/client.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { insertProject, insertProjects } from '#lab/testing/builders.ts';
import { startSilentProxy } from '#lab/testing/silent-proxy.ts';
import { createVoteEngine } from './engine.ts';
import { openVoteEngines } from '#lab/testing/vote-engine.ts';

const { db, pool, database, voter, watched, sqlError, engineOn } = await openVoteEngines();

test('a vote that the database never decides ends with 503', async () => {
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

describe('when the database fails', () => {
  test('the engine repeats a batch after a serialization failure or a deadlock', async () => {
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

  test('any other database error rejects the vote with 503, and the next vote counts', async () => {
    const { spy } = watched((_projectIds, call) =>
      call === 1 ? new Error('Connection terminated unexpectedly') : null,
    );
    const engine = engineOn(spy);
    const vote = { ...(await voter()), projectId: await insertProject(db), bullish: true };
    await expect(engine.castVote(vote)).rejects.toMatchObject({ status: 503, code: 'vote_failed', retryAfterS: 5 });
    expect((await engineOn(pool).castVote(vote)).decided).toBe('counted');
  });

  test('a statement that runs too long ends with 503', async () => {
    const slow = openDatabase(database.url, { maxConnections: 2, statementTimeoutMs: 150 });
    const vote = { ...(await voter()), projectId: await insertProject(db), bullish: true };
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    try {
      await blocker.query('BEGIN');
      await blocker.query('SELECT 1 FROM user_stats WHERE user_id = $1 FOR UPDATE', [vote.userId]);
      await expect(engineOn(slow.pool).castVote(vote)).rejects.toMatchObject({ status: 503 });
      await blocker.query('ROLLBACK');
      // With the time that a vote usually has: 150 ms can be too short on a busy machine.
      expect((await engineOn(pool).castVote(vote)).decided).toBe('counted');
    } finally {
      await blocker.end();
      await slow.close();
    }
  });
});

test('a full queue rejects votes with 503 and Retry-After', async () => {
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

test('a queue longer than the allowed wait rejects votes with 503', async () => {
  let atMs = 0;
  // By its own clock every batch of two takes 200 ms: after them four batches are more than 250 ms, and the least that always fits.
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

test('closing the engine finishes pending votes and accepts no new ones', async () => {
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

test('a vote on a silent connection gets a response and counts once when repeated', async () => {
  const way = await startSilentProxy(database.url);
  const through = openDatabase(way.through(database.url), { maxConnections: 2, onError: () => undefined });
  const engine = createVoteEngine(through.pool, { silenceMs: 1_000 });
  try {
    const who = await voter();
    const [first = 0, second = 0] = await insertProjects(db, 2);
    // On a slow machine an outcome may come too late for a try, as it may in the field.
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
