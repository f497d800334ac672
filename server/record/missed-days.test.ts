import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { readSeen } from '#record/verify/memory.ts';
import { isGood } from '#record/verify/report.ts';
import { verifySite } from '#record/verify/verify.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { empty, insertProjects } from '#lab/testing/builders.ts';
import {
  countAll,
  insertChangeAt,
  insertUsers,
  insertVotesAt,
  logKey,
  publishDayAgo,
  readLog,
  timeOf,
} from '#lab/testing/record.ts';
import { giveStanding, noonOf } from '#lab/testing/standing.ts';
import { closeMissedDays, planDay } from '#server/figures/standing/plan.ts';
import { countDays } from '#server/figures/trends/count-days.ts';
import { publish, publishRecord } from './publish.ts';

const env = { LOG_PRIVATE_KEY: logKey() };
const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-seen-'));
afterAll(() => rm(folder, { recursive: true }));
const server = await createTestApp({ env });
const { services } = server;
const { db } = services;
beforeEach(() => empty(db));

const HOUR_MS = 3_600_000;
const dayOf = (daysAgo: number): string => timeOf(daysAgo, 0).slice(0, 10);

/** A first check by a stranger: the checks that fail, and whether its memory was stored. */
async function verify(): Promise<{ failed: string[]; isSeen: boolean }> {
  const fresh = await startServer(server.databaseUrl, { env });
  const stateFile = path.join(folder, 'seen.json');
  const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 300));
  try {
    const { checks } = await verifySite({ origin: fresh.url, wait, stateFile });
    const failed = checks.filter((check) => !isGood([check]));
    return {
      failed: failed.map(({ name, differences }) => `${name}: ${differences.join('; ')}`),
      isSeen: (await readSeen(stateFile, fresh.url)) !== null,
    };
  } finally {
    await fresh.close();
  }
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
  await giveStanding(db, users);
  await db
    .insertInto('standingDays')
    .values({ day: dayOf(daysAgo + 1), wallets: 4, standing: 4 })
    .execute();
  await insertVotesAt(db, { users: users.slice(0, 2), projects, at: timeOf(daysAgo + 1, 12 * HOUR_MS) });
  await publishDayAgo(services, daysAgo + 1);
  await planDay(db, noonOf(-daysAgo), [noonOf(-daysAgo), noonOf(-daysAgo)]);
  await insertVotesAt(db, { users: users.slice(2), projects, at: timeOf(daysAgo, 20 * HOUR_MS) });
  // The last count of the evening was made before these votes were verified.
  await sql`SELECT count_project_days('-infinity')`.execute(db);
  await sql`UPDATE project_days SET verified_bullish = 1, verified_bearish = 0 WHERE day = ${dayOf(daysAgo)}::date`.execute(
    db,
  );
  return { users, projects };
}

/** The site starts again: readings, counts and the record catch up, whichever job comes first. */
async function startAgain(): Promise<void> {
  await closeMissedDays(db, new Date());
  await countAll(services);
  await countDays(services);
}

const batches = async (): Promise<string[]> =>
  (await readLog(server.url)).entries.flatMap((entry) => (entry.kind === 'batch' ? entry.day : []));

test.each([2, 5, 40])(
  'a site that was stopped over %i midnights has a record that verify accepts and remembers [R63 R40]',
  async (midnights) => {
    await runUntil(midnights);
    await startAgain();
    await publishRecord(services);
    expect(await batches()).toEqual(Array.from({ length: midnights + 1 }, (_, at) => dayOf(midnights + 1 - at)));
    expect(await verify()).toEqual({ failed: [], isSeen: true });
  },
);

test('a record that waited while users voted has the figures of each day, also after a publication that broke off [R63 R40]', async () => {
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
  // The server ends behind a batch.
  await publish(services, 'day');
  await publish(services, 'day');
  await publishRecord(services);
  expect(await batches()).toEqual([6, 5, 4, 3, 2, 1].map(dayOf));
  expect(await verify()).toEqual({ failed: [], isSeen: true });
});

test("'Publish now' publishes each day before it as a batch of its own first [R63]", async () => {
  await runUntil(3);
  await startAgain();
  const admin = await signInAsAdmin(server);
  expect((await admin.post('/api/admin/record/publish')).status).toBe(200);
  expect(await batches()).toEqual([4, 3, 2, 1, 0].map(dayOf));
});
