import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { RecordEntry } from '#record/entries/entries.ts';
import { readSeen } from '#record/verify/memory.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { behindTheTriggers, empty, insertProjects } from '#lab/testing/builders.ts';
import {
  insertChangeAt,
  insertUsers,
  insertVoteAt,
  insertVotesAt,
  logKey,
  publishDayAgo,
  readLog,
  recordedByTables,
  replay,
  setStanding,
  timeOf,
  verifyAsStranger,
} from '#lab/testing/record.ts';
import { giveStanding, noonOf } from '#lab/testing/standing.ts';
import { runs } from '#shared/testing/property-runs.ts';
import type { Project } from '#shared/contract/types.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { closeMissedDays, planDay } from '#server/figures/standing/plan.ts';
import { digestVotes } from './digests.ts';
import { closeDays } from '#server/record/close-days.ts';

const env = { LOG_PRIVATE_KEY: logKey() };
const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-seen-'));
afterAll(() => rm(folder, { recursive: true }));
const server = await createTestApp({ env });
const { services } = server;
const { db } = services;
beforeEach(() => empty(db));

const HOUR_MS = 3_600_000;
const dayOf = (daysAgo: number): string => timeOf(daysAgo, 0).slice(0, 10);

let checks = 0;

/** Each with a new memory: all histories here are of one key. */
async function verify(): Promise<{ failed: string[]; isSeen: boolean }> {
  const stateFile = path.join(folder, `seen-${(checks += 1)}.json`);
  const { failed, origin } = await verifyAsStranger(server.databaseUrl, env, stateFile);
  return {
    failed: failed.map(({ name, differences }) => `${name}: ${differences.join('; ')}`),
    isSeen: (await readSeen(stateFile, origin)) !== null,
  };
}

interface Voted {
  users: number[];
  projects: number[];
}

/** A site whose record is complete until the day before, and whose readings are planned; votes are cast until the evening of the day. */
async function runUntil(daysAgo: number): Promise<Voted> {
  const [users, projects] = [await insertUsers(db, 4), await insertProjects(db, 2)];
  await db
    .updateTable('projects')
    .set({ createdAt: timeOf(90, 0) })
    .execute();
  await behindTheTriggers(db, (trx) =>
    trx
      .updateTable('listingVersions')
      .set({ createdAt: timeOf(90, 0) })
      .execute(),
  );
  await giveStanding(db, users);
  await db
    .insertInto('standingDays')
    .values({ day: dayOf(daysAgo + 1), wallets: 4, standing: 4 })
    .execute();
  await insertVotesAt(db, { users: users.slice(0, 2), projects, at: timeOf(daysAgo + 1, 12 * HOUR_MS) });
  await publishDayAgo(services, daysAgo + 1);
  await planDay(db, noonOf(-daysAgo), [noonOf(-daysAgo), noonOf(-daysAgo)]);
  await insertVotesAt(db, { users: users.slice(2), projects, at: timeOf(daysAgo, 20 * HOUR_MS) });
  return { users, projects };
}

/** The site starts again. */
const startAgain = (): Promise<void> => closeMissedDays(db, new Date());

const batches = async (): Promise<string[]> =>
  (await readLog(server.url)).entries.flatMap((entry) => (entry.kind === 'batch' ? entry.day : []));

test.each([2, 5, 40])(
  'a site that was stopped over %i midnights has a record that verify accepts and remembers [R63 R40]',
  async (midnights) => {
    await runUntil(midnights);
    await startAgain();
    await closeDays(services);
    expect(await batches()).toEqual(Array.from({ length: midnights + 1 }, (_, at) => dayOf(midnights + 1 - at)));
    expect(await verify()).toEqual({ failed: [], isSeen: true });
  },
);

test('a Sunday on which the site was stopped decides newcomers in its own batch [R38 R63 R94]', async () => {
  const { users, projects } = await runUntil(9);
  await sql`UPDATE voter_standing SET state = 'waiting', verified_days = '{}', sunday = '-infinity' WHERE user_id = ANY (${users.slice(2)}::bigint[])`.execute(
    db,
  );
  await startAgain();
  await publishDayAgo(services, 1);
  const { entries } = await readLog(server.url);
  const sundays = entries.flatMap((entry) => (entry.kind === 'state' ? new Date(entry.day).getUTCDay() : []));
  expect(sundays.filter((weekday) => weekday !== 0)).toEqual([]);
  const verified = await db.selectFrom('verifiedStats').select(['projectId', 'bullish', 'bearish']).execute();
  expect(verified.map(({ bullish, bearish }) => bullish + bearish)).toEqual(projects.map(() => users.length));
  expect(await verify()).toEqual({ failed: [], isSeen: true });
});

test('a record that waited while users voted has the figures of each day, even after a publication that broke off [R63 R40]', async () => {
  const { users, projects } = await runUntil(5);
  const [first = 0, second = 0] = users;
  const [projectId = 0] = projects;
  for (const daysAgo of [4, 3, 2, 1]) {
    const later = await insertUsers(db, daysAgo);
    await giveStanding(db, later);
    await insertVotesAt(db, { users: later, projects, at: timeOf(daysAgo, 12 * HOUR_MS) });
  }
  await insertChangeAt(db, { userId: first, projectId, bullish: false, at: timeOf(3, 13 * HOUR_MS) });
  await insertChangeAt(db, { userId: second, projectId, bullish: false, at: timeOf(1, 13 * HOUR_MS) });
  await startAgain();
  // The server ends after a batch.
  await publishDayAgo(services, 5);
  await publishDayAgo(services, 4);
  await closeDays(services);
  expect(await batches()).toEqual([6, 5, 4, 3, 2, 1].map(dayOf));
  expect(await verify()).toEqual({ failed: [], isSeen: true });
});

test('a listing that is new, renamed, hidden or expired before the close of the day fits the record [R60 R63 R94]', async () => {
  const { users, projects } = await runUntil(1);
  const [renamed = 0, excluded = 0] = projects;
  const [hidden = 0, expired = 0] = await insertProjects(db, 2);
  await insertVotesAt(db, { users, projects: [hidden, expired], at: timeOf(1, 20 * HOUR_MS) });
  await startAgain();
  const [young = 0] = await insertProjects(db, 1);
  await sql`UPDATE projects SET name = 'Renamed' WHERE id = ${renamed}`.execute(db);
  await sql`UPDATE projects SET hidden_at = now(), hidden_reason = 'spam' WHERE id = ${hidden}`.execute(db);
  await sql`UPDATE projects SET expires_at = now() WHERE id = ${expired}`.execute(db);
  await db
    .insertInto('votesSetAside')
    .values({ userId: users[2] ?? 0, projectId: excluded, reason: 'moderator', detail: 'd', actor: 'a' })
    .execute();
  await publishDayAgo(services, 1);
  const shown = async (id: number) => (await (await fetch(`${server.url}/api/v1/projects/${id}`)).json()) as Project;
  expect(await shown(renamed)).toMatchObject({ figuresOn: dayOf(1), verifiedSince: { bullish: 0, bearish: 0 } });
  expect(await shown(young)).toMatchObject({ figuresOn: null, verified: { bullish: 0, bearish: 0 } });
  expect(await verify()).toEqual({ failed: [], isSeen: true });
});

test("'Publish now' publishes each day before it as a separate batch first [R63]", async () => {
  await runUntil(3);
  await startAgain();
  const admin = await signInAsAdmin(server);
  expect((await admin.post('/api/admin/record/publish')).status).toBe(200);
  expect(await batches()).toEqual([4, 3, 2, 1].map(dayOf));
});

/** Whether record, tables and counters are the same. */
async function expectExact(): Promise<RecordEntry[]> {
  const { entries } = await readLog(server.url);
  expect(Object.fromEntries(replay(entries))).toEqual(Object.fromEntries(await recordedByTables(db)));
  expect(await findDifferences(db)).toEqual([]);
  return entries;
}

test('a change is an entry of its day, in place of the vote in the totals [R57 R63]', async () => {
  const [userId = 0] = await insertUsers(db, 1);
  const [projectId = 0] = await insertProjects(db, 1);
  await setStanding(db, userId, 'standing');
  await insertVoteAt(db, { userId, projectId, at: timeOf(4, 1) });
  await publishDayAgo(services, 4);
  await insertChangeAt(db, { userId, projectId, bullish: false, at: timeOf(2, 2) });
  await publishDayAgo(services, 3);
  await publishDayAgo(services, 2);
  await setStanding(db, userId, 'waiting');
  await publishDayAgo(services, 1);
  const entries = (await expectExact()).filter(
    ({ kind }) => kind === 'vote' || kind === 'change' || kind === 'state' || kind === 'project',
  );
  expect(entries).toMatchObject([
    { kind: 'vote', day: dayOf(4), bullish: true, state: 'verified' },
    { kind: 'project', bullish: 1, bearish: 0, verifiedBullish: 1 },
    { kind: 'change', day: dayOf(2), bullish: false, state: 'verified' },
    { kind: 'project', bullish: 0, bearish: 1, verifiedBullish: 0, verifiedBearish: 1 },
    { kind: 'state', day: dayOf(1), state: 'waiting' },
    { kind: 'project', bullish: 0, bearish: 1, verifiedBullish: 0, verifiedBearish: 0 },
  ]);
});

test('a vote, its change and the vote of the next period in one batch leave one counted vote of the voter [R57 R45]', async () => {
  const [userId = 0] = await insertUsers(db, 1);
  const [projectId = 0] = await insertProjects(db, 1);
  await insertVoteAt(db, { userId, projectId, at: timeOf(3, 1) });
  await insertChangeAt(db, { userId, projectId, bullish: false, at: timeOf(3, 2) });
  await sql`UPDATE projects SET period_starts = ARRAY[${timeOf(9, 0)}::timestamptz, ${timeOf(3, 3)}::timestamptz] WHERE id = ${projectId}`.execute(
    db,
  );
  await insertVoteAt(db, { userId, projectId, period: 2, at: timeOf(3, 4) });
  await publishDayAgo(services, 3);
  await publishDayAgo(services, 2);
  await publishDayAgo(services, 1);
  expect((await expectExact()).filter(({ kind }) => kind === 'vote' || kind === 'change')).toMatchObject([
    { kind: 'vote', period: 1, bullish: true, state: 'waiting' },
    { kind: 'change', period: 1, bullish: false, state: 'replaced' },
    { kind: 'vote', period: 2, bullish: true, state: 'waiting' },
  ]);
  expect((await verify()).failed).toEqual([]);
});

/** Enough for shares of the last 30 days. */
const USERS = 12;
const PROJECTS = 2;
const event = fc.record({
  user: fc.nat(USERS - 1),
  project: fc.nat(PROJECTS - 1),
  bullish: fc.boolean(),
  daysAgo: fc.integer({ min: 1, max: 30 }),
  second: fc.nat(86_399),
  turn: fc.constantFrom('none', 'none', 'none', 'period', 'standing', 'aside', 'rename'),
});

/** Renames a project, or changes its description alone, as of that time. */
async function updateAt(projectId: number, isRename: boolean, at: string): Promise<void> {
  const column = isRename ? 'name' : 'description';
  await sql`UPDATE projects SET ${sql.ref(column)} = ${`Changed at ${at}`} WHERE id = ${projectId}`.execute(db);
  await dateVersions(projectId, at);
}

/** The newest version of a project, as if it had begun at that time. */
const dateVersions = (projectId: number, at: string): Promise<void> =>
  behindTheTriggers(
    db,
    async (trx) => {
      const newest = sql`project_id = ${projectId} AND number = (SELECT version FROM projects WHERE id = ${projectId})`;
      await sql`UPDATE listing_versions SET created_at = ${at} WHERE ${newest}`.execute(trx);
      await sql`UPDATE identity_changes SET changed_at = ${at} WHERE ${newest}`.execute(trx);
    },
    { reopens: false },
  );

test('a month of votes, changes, periods, renames and states is recorded so that verify accepts it [R57 R60 R63]', async () => {
  const outcome = fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 40, maxLength: 80, size: 'max' }), async (events) => {
      await empty(db);
      const users = await insertUsers(db, USERS);
      const projects = await insertProjects(db, PROJECTS);
      await sql`UPDATE projects SET period_starts = ARRAY[${timeOf(40, 0)}::timestamptz], created_at = ${timeOf(40, 0)}`.execute(
        db,
      );
      for (const projectId of projects) await dateVersions(projectId, timeOf(40, 0));
      const periods = new Map(projects.map((id) => [id, 1]));
      const voted = new Set<string>();
      const [turning, standing, lost] = [new Set<number>(), new Set<number>(), new Set<number>()];
      const inOrder = events.toSorted((one, other) => other.daysAgo - one.daysAgo || one.second - other.second);
      for (let daysAgo = 30; daysAgo >= 1; daysAgo -= 1) {
        for (const { user, project, bullish, second, turn } of inOrder.filter((one) => one.daysAgo === daysAgo)) {
          const [userId, projectId] = [users[user] ?? 0, projects[project] ?? 0];
          const at = timeOf(daysAgo, second * 1_000);
          const period = periods.get(projectId) ?? 1;
          const key = `${userId} ${projectId} ${period}`;
          if (turn === 'period') {
            await sql`UPDATE projects SET period_starts = period_starts || ${at}::timestamptz
              WHERE id = ${projectId} AND period_starts[cardinality(period_starts)] < ${at}::timestamptz`.execute(db);
            const { rows } = await sql<{
              periods: number;
            }>`SELECT cardinality(period_starts) AS periods FROM projects WHERE id = ${projectId}`.execute(db);
            periods.set(projectId, rows[0]?.periods ?? 1);
          } else if (turn === 'rename') await updateAt(projectId, bullish, at);
          else if (turn === 'standing') (lost.has(userId) ? lost : turning).add(userId);
          else if (turn === 'aside' && voted.has(key))
            await sql`INSERT INTO votes_set_aside (user_id, project_id, period, reason, detail, actor)
              VALUES (${userId}, ${projectId}, ${period}, 'moderator', 'made up', 'test') ON CONFLICT DO NOTHING`.execute(
              db,
            );
          else if (voted.has(key)) await insertChangeAt(db, { userId, projectId, bullish, at });
          else {
            await insertVoteAt(db, { userId, projectId, period, bullish, at });
            voted.add(key);
          }
        }
        // Standing is decided on Sundays, and what is lost does not come back.
        if (new Date(timeOf(daysAgo, 0)).getUTCDay() === 0) {
          for (const userId of turning) await setStanding(db, userId, standing.has(userId) ? 'waiting' : 'standing');
          for (const userId of turning) (standing.has(userId) ? lost : standing).add(userId);
          turning.clear();
        }
        await publishDayAgo(services, daysAgo);
      }
      await expectExact();
      expect((await verify()).failed).toEqual([]);
    }),
    { ...runs(1), endOnFailure: true },
  );
  await expect(outcome).resolves.toBeUndefined();
}, 400_000);

test('verify finds one change that was turned in the tables after it was recorded [R57 R43]', async () => {
  const users = await insertUsers(db, 3);
  const [projectId = 0] = await insertProjects(db, 1);
  for (const userId of users) await insertVoteAt(db, { userId, projectId, at: timeOf(3, 1) });
  for (const userId of users.slice(0, 2))
    await insertChangeAt(db, { userId, projectId, bullish: false, at: timeOf(2, 1) });
  await publishDayAgo(services, 3);
  await publishDayAgo(services, 2);
  await publishDayAgo(services, 1);
  await behindTheTriggers(db, (trx) =>
    sql`UPDATE vote_changes SET bullish = NOT bullish, turned_at = CASE WHEN bullish THEN said_at ELSE cast_at END WHERE user_id = ${users[0]}`.execute(
      trx,
    ),
  );
  onTestFinished(() => empty(db));
  await digestVotes(services);
  expect((await verify()).failed).not.toEqual([]);
});
