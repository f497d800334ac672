import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type Db, openDatabase } from '#db/client.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { empty, insertProjects, listOften } from '#lab/testing/builders.ts';
import { insertUsers, insertVotesAt } from '#lab/testing/record.ts';
import { giveStanding, setState } from '#lab/testing/standing.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { checkInvariants, recountWhenDue } from '#server/money/ledger/recount.ts';
import { readChanges } from '#server/record/states.ts';
import { isSerializationFailure, moveRest, moveTotals } from './move.ts';
import { reopenDays } from '#lab/testing/close.ts';
import { longTransaction } from '#db/long-transaction.ts';

const server = await createTestApp();
const { services } = server;
const { db } = services;
/** A second connection, which no server listens to. */
const other = openDatabase(server.databaseUrl, { maxConnections: 2 });
afterAll(() => other.close());

beforeEach(() => empty(db));

interface Site {
  users: number[];
  projects: number[];
}

const change = (user: number, project: number, bullish: boolean) =>
  sql`SELECT change_vote(${user}, ${project}, ${bullish}, 25, interval '1 hour', interval '0')`.execute(db);
const undo = (user: number, project: number) =>
  sql`SELECT undo_vote(${user}, ${project}, interval '1 hour')`.execute(db);
const exclude = (user: number, project: number, reason = 'moderator') =>
  sql`INSERT INTO votes_set_aside (user_id, project_id, reason, detail, actor) VALUES (${user}, ${project}, ${reason}, 'd', 'a')`.execute(
    db,
  );

/** Votes of ten users on four projects, on several days; some voters have standing. */
async function site(): Promise<Site> {
  const [users, projects] = [await insertUsers(db, 10), await insertProjects(db, 4)];
  await giveStanding(db, users.slice(0, 6));
  for (const [day, project] of projects.slice(0, 3).entries())
    await insertVotesAt(db, {
      users,
      projects: [project],
      at: new Date(Date.now() - (day + 1) * 86_400_000).toISOString(),
    });
  return { users, projects };
}

/** Events of a site: votes, changes, a vote that replaces one of an earlier period, an undone vote, decisions. */
const EVENTS: ReadonlyArray<(site: Site) => Promise<unknown>> = [
  ({ users, projects }) => insertVotesAt(db, { users: users.slice(0, 5), projects: projects.slice(3), at: 'now' }),
  ({ users: [user = 0], projects: [project = 0] }) => change(user, project, false),
  ({ users: [, user = 0], projects: [, project = 0] }) => change(user, project, true),
  async ({ users: [, , , , , user = 0], projects: [, , , project = 0] }) => {
    await insertVotesAt(db, { users: [user], projects: [project], at: 'now' });
    await undo(user, project);
  },
  async ({ users: [, , user = 0], projects: [, project = 0] }) => {
    await change(user, project, true);
    await undo(user, project);
  },
  ({ users: [, , user = 0], projects: [project = 0] }) => exclude(user, project),
  ({ users: [, , , user = 0], projects: [project = 0] }) => exclude(user, project, 'rhythm'),
  async ({ users, projects: [project = 0] }) => {
    await listOften(db, project, 2);
    await insertVotesAt(db, { users: users.slice(0, 3), projects: [project], at: 'now', period: 2, bullish: true });
  },
  ({ users: [user = 0] }) => setState(db, [user], 'no_standing'),
  () => sql`DELETE FROM votes_set_aside WHERE reason = 'rhythm'`.execute(db),
  ({ users: [, , , , user = 0] }) => setState(db, [user], 'waiting'),
  async () => giveStanding(db, await insertUsers(db, 2)),
];

const totals = async (from: Db = db) =>
  (
    await sql`SELECT name, project_id, period, identity, day::text AS day, kind, value FROM totals WHERE value <> 0 ORDER BY 1, 2, 3, 4, 5, 6`.execute(
      from,
    )
  ).rows;

/** Moves the totals up to now, as for a day that ends now. */
async function moveUpToNow(slice = 1_000): Promise<void> {
  const { rows } = await sql<{ now: string }>`SELECT clock_timestamp()::text AS now`.execute(db);
  const until = rows[0]?.now ?? '';
  // A slice of a recount may move them at that moment.
  for (let isMoved = false; !isMoved;)
    isMoved = await moveTotals(db, until, { slice })
      .then(() => longTransaction(db, (trx) => moveRest(trx, until), { isSnapshot: true }))
      .then(
        () => true,
        (error: unknown) => {
          if (isSerializationFailure(error)) return false;
          throw error;
        },
      );
}

test.each([1, 3, 1000])('totals updated by new rows equal a full count, in slices of %i [R69]', async (slice) => {
  const made = await site();
  for (const event of EVENTS) {
    await event(made);
    expect(await findDifferences(db)).toEqual([]);
    await moveUpToNow(slice);
    expect(await findDifferences(db)).toEqual([]);
  }
  const moved = await totals();
  expect(moved.length).toBeGreaterThan(20);
  await db.transaction().execute(reopenDays);
  await moveUpToNow();
  expect(await totals()).toEqual(moved);
});

test('a Sunday that changes 20,000 votes is totaled and recorded by index, even if the tables were analyzed while empty [R69]', async () => {
  const [users, projects] = [await insertUsers(db, 1_000), await insertProjects(db, 20)];
  await insertVotesAt(db, { users, projects, at: '2026-01-04', bullish: true });
  await moveUpToNow();
  for (const table of ['restated_votes', 'changed_states'])
    await sql`INSERT INTO ${sql.table(table)} SELECT user_id, project_id, period, said_at, 'waiting' FROM opinions`.execute(
      db,
    );
  await sql`DELETE FROM restated_votes`.execute(db);
  await sql`DELETE FROM changed_states`.execute(db);
  await sql`ANALYZE restated_votes, changed_states`.execute(db);
  await setState(db, users, 'standing');
  const span = { since: '2026-01-05', until: new Date().toISOString() };
  let changes = 0;
  // Reading each row for each other one takes minutes.
  await moveUpToNow(20_000);
  await longTransaction(
    db,
    async (trx) => {
      for await (const rows of readChanges(trx, span)) changes += rows.length;
    },
    { limit: '20s', isSnapshot: true },
  );
  expect(changes).toBe(20_000);
});

describe('the recount', () => {
  test.each([
    [
      'opinions',
      "SET value = value + 1 WHERE name = 'opinions' AND kind = 'bullish' AND project_id = (SELECT min(project_id) FROM totals WHERE name = 'opinions')",
      /^total opinions of project \d+ in period 1 identity 1 bullish: kept \d+, counted \d+$/,
    ],
    [
      'the days of votes',
      "SET value = value - 1 WHERE name = 'days' AND kind = 'verified'",
      /^total days \d{4}-\d\d-\d\d verified: kept \d+, counted \d+$/,
    ],
    [
      'trends',
      "SET value = value + 2 WHERE name = 'trend'",
      /^total trend of project \d+ identity 1 \d{4}-\d\d-\d\d \w+: kept \d+, counted \d+$/,
    ],
    ['opinions ever given', "SET value = 7 WHERE name = 'said'", /^total said: kept 7, counted 30$/],
    ['rewards', "SET value = 0 WHERE kind = 'vote_reward'", /^total ledger vote reward: kept 0, counted 300$/],
    ['entries', "SET value = 29 WHERE name = 'entries'", /^total entries: kept 29, counted 30$/],
    ['holders', "SET value = 11 WHERE name = 'holders'", /^total holders: kept 11, counted 10$/],
  ])('the recount names a total of %s that was changed by hand [R13 R69]', async (_what, update, line) => {
    await site();
    await moveUpToNow();
    expect(await checkInvariants(services, { users: 3 })).toEqual([]);
    await sql.raw(`UPDATE totals ${update}`).execute(db);
    const found = await checkInvariants(services, { users: 3 });
    expect(found.filter((difference) => difference.startsWith('total '))).toEqual(
      expect.arrayContaining([expect.stringMatching(line)]),
    );
    await db.transaction().execute(reopenDays);
    await moveUpToNow();
    expect(await checkInvariants(services)).toEqual([]);
  });

  const state = async () =>
    (
      await sql<{
        started: string | null;
        user: number;
      }>`SELECT recount_started_at::text AS started, recount_user AS "user" FROM totals_state`.execute(db)
    ).rows[0];

  test('a recount that ends in the middle of each slice continues there, and counts what comes in between [R69]', async () => {
    const made = await site();
    await moveUpToNow();
    // The connection to where a slice is read is gone: it ends before its result is stored.
    const gone = openDatabase(server.databaseUrl, { maxConnections: 1 });
    await sql`SELECT`.execute(gone.db);
    await gone.close();
    const first = Math.min(...made.users);
    const slice = { users: first + 1, runMs: 0 };
    for (const event of EVENTS) {
      await recountWhenDue(services, slice);
      slice.users = 1;
      const before = await state();
      const isOpen = before?.started && before.user < Math.max(...made.users);
      const broken = recountWhenDue({ ...services, replica: gone.db }, slice).then(
        () => 'not reached',
        () => 'gone',
      );
      expect(isOpen ? await broken : 'gone').toBe('gone');
      expect(await state()).toEqual(before);
      await event(made);
      await moveUpToNow(2);
    }
    while ((await state())?.started) await recountWhenDue(services, slice);
    const [run] = await db.selectFrom('invariantRuns').selectAll().execute();
    expect(run).toMatchObject({ differences: 0, examples: [] });
    // The next one is due a day later.
    expect(await recountWhenDue(services)).toBe(false);
  });

  test('a recount that ends after midnight compares no day that has left the trends [R69]', async () => {
    await site();
    await moveUpToNow();
    await recountWhenDue(services, { users: 1, runMs: 0 });
    // A slice of the evening has counted it.
    await sql`INSERT INTO recounted_totals (name, project_id, period, identity, day, kind, kept, counted)
      VALUES ('trend', 1, 0, 0, (now() AT TIME ZONE 'UTC')::date - 7, 'bullish', 0, 1)`.execute(db);
    while ((await state())?.started) await recountWhenDue(services);
    const [run] = await db.selectFrom('invariantRuns').selectAll().execute();
    expect(run).toMatchObject({ differences: 0, examples: [] });
  });

  test('a slice that is read from a replica that lags is counted on the primary [R69]', async () => {
    const { users, projects } = await site();
    await other.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (lagging) => {
        expect(await totals(lagging)).toEqual([]);
        await insertVotesAt(db, { users, projects: projects.slice(3), at: 'now' });
        await moveUpToNow();
        expect(await checkInvariants({ ...services, replica: lagging })).toEqual([]);
      });
    await moveUpToNow();
    expect(await checkInvariants(services)).toEqual([]);
  });
});
