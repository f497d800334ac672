import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { VOTE_WINDOW_MS } from '#shared/constants.ts';
import { installShiftedClock, shiftClock } from '#lab/testing/shifted-clock.ts';
import { createTestDatabase, startServer, type TestApp } from '#lab/testing/app.ts';
import { insertProjects } from '#lab/testing/builders.ts';
import { castVote, newUser } from '#lab/testing/client.ts';
import { closeToday } from '#lab/testing/close.ts';
import { logKey } from '#lab/testing/record.ts';
import { runOnce } from '#server/kit/scheduler.ts';
import { post } from '#server/books/ledger.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { checkInvariants } from '#server/money/ledger/recount.ts';
import { findSupply } from '#server/money/supply/queries.ts';
import { closeDaysAt } from '#server/record/close-days.ts';

const [S, M, H, D] = [1_000, 60_000, 3_600_000, 86_400_000];
const env = { LOG_PRIVATE_KEY: logKey() };

/** A server of a database whose clock can be set. */
async function startShifted(): Promise<TestApp> {
  const database = await createTestDatabase();
  const setUp = await startServer(database.url);
  const url = await installShiftedClock(setUp.services.db, database.url);
  await setUp.close();
  const server = await startServer(url, { env, cache: false });
  onTestFinished(async () => {
    await server.close();
    await database.drop();
  });
  return server;
}

const balances = async ({ services }: TestApp): Promise<number> =>
  (await sql<{ sum: number }>`SELECT sum(balance)::bigint AS sum FROM user_stats`.execute(services.db)).rows[0]?.sum ??
  0;

/** `stays`: the clock is not corrected. */
test.each([
  ['30 seconds back for good', -30 * S, true],
  ['5 minutes back, and right again', -300 * S, false],
  ['3 hours back, and right again', -3 * H, false],
  ['3 hours back for good', -3 * H, true],
  ['2 days back for good', -2 * D, true],
  ['3 days ahead, and right again', 3 * D, false],
])('votes, burns and changes are counted when the clock was %s [R63 R69]', async (_what, byMs, stays) => {
  const server = await startShifted();
  const { services } = server;
  const { db } = services;
  const [voters, projects] = [await Promise.all([1, 2, 3, 4].map(() => newUser(server))), await insertProjects(db, 8)];
  const [first = 0] = projects;
  const voteOn = async (ids: readonly number[]) => {
    for (const projectId of ids)
      for (const voter of voters) expect((await castVote(voter, projectId)).status).toBe(200);
  };
  await voteOn(projects.slice(0, 3));
  await closeToday(services);

  await shiftClock(db, byMs);
  if (byMs < 0) await voteOn(projects.slice(3, 6));
  else await closeToday(services);
  if (stays) await shiftClock(db, byMs + M);
  else await shiftClock(db, 0);
  await db.transaction().execute((trx) => post(trx, { userId: voters[0]?.id ?? 0, kind: 'grant', ref: 1, amount: 7 }));

  await closeToday(services);
  await voteOn(projects.slice(byMs < 0 ? 6 : 3));
  await sql`SELECT change_vote(${voters[0]?.id}, ${first}, false, 25, interval '1 hour', interval '0')`.execute(db);
  await closeToday(services);
  expect((await findSupply(db)).circulating).toBe(await balances(server));
  expect(await findDifferences(db)).toEqual([]);
  expect(await checkInvariants(services)).toEqual([]);
  const { rows } = await sql<{ votes: number }>`SELECT count(*)::int AS votes FROM votes`.execute(db);
  expect(rows).toEqual([{ votes: 32 }]);
});

test('a day waits for a vote that began in it and is not committed [R63 R94]', async () => {
  const server = await startShifted();
  const { services } = server;
  const { db } = services;
  const [voter, [projectId = 0]] = [await newUser(server), await insertProjects(db, 1)];
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const open = db.transaction().execute(async (trx) => {
    await sql`INSERT INTO votes (user_id, project_id, bullish, created_at) VALUES (${voter.id}, ${projectId}, true, vote_time())`.execute(
      trx,
    );
    begun.resolve();
    await end.promise;
    await sql`UPDATE user_stats SET total_votes = 1, bullish = 1, balance = 10, tokens_earned = 10 WHERE user_id = ${voter.id}`.execute(
      trx,
    );
    await sql`INSERT INTO project_stats (project_id, bullish) VALUES (${projectId}, 1) ON CONFLICT (project_id) DO UPDATE SET bullish = 1`.execute(
      trx,
    );
  });
  await begun.promise;
  await shiftClock(db, D);
  await expect(closeDaysAt(services)).rejects.toMatchObject({ code: 'open_transaction' });
  end.resolve();
  await open;
  expect(await closeDaysAt(services)).toBe(1);
  expect(await findDifferences(db)).toEqual([]);
  expect(await checkInvariants(services)).toEqual([]);
});

test('the first window of votes ends six hours after its vote by a clock that was set back two days [S5.1]', async () => {
  const server = await startShifted();
  const { services } = server;
  const { db } = services;
  const [projectId = 0] = await insertProjects(db, 1);
  await closeToday(services);
  await shiftClock(db, -2 * D);
  const voter = await newUser(server);
  await castVote(voter, projectId);
  const { rows } = await sql<{ ms: number }>`
    SELECT extract(epoch FROM clock_timestamp() - window_started_at)::float8 * 1000 AS ms FROM user_stats WHERE user_id = ${voter.id}`.execute(
    db,
  );
  expect(VOTE_WINDOW_MS - (rows[0]?.ms ?? 0)).toBeGreaterThan(VOTE_WINDOW_MS - M);
  expect(rows[0]?.ms).toBeGreaterThanOrEqual(0);
});

test('jobs continue to run after the clock was set back by hours [R63]', async () => {
  const server = await startShifted();
  const { services } = server;
  const job = { name: 'each-minute', intervalMs: M, run: async () => undefined };
  expect(await runOnce(services, job)).toBe(true);
  await shiftClock(services.db, -3 * H);
  expect(await runOnce(services, job)).toBe(true);
  expect(await runOnce(services, job)).toBe(false);
});
