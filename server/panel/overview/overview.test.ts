import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Overview } from '#shared/contract/overview.ts';
import { signInAs, signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { empty, insertProject, insertUser } from '#lab/testing/builders.ts';
import { readDays } from './days.ts';
import { readJobs } from '#server/kit/job-states.ts';
import { readQueue } from './queues.ts';
import { jobs } from '#server/jobs.ts';
import { runOnce } from '#server/kit/scheduler.ts';

const server = await createTestApp();
const { db } = server.services;

beforeEach(() => empty(db));

const daysAgo = (days: number) =>
  sql<Date>`date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - make_interval(days => ${days})`;
const dayOf = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const overviewOf = async (panel: Awaited<ReturnType<typeof signInAsAdmin>>): Promise<Overview> =>
  (await panel.get<Overview>('/api/admin/overview')).body;

describe('figures by role [R54]', () => {
  test('the owner sees everything, a payer withdrawals, a moderator reports', async () => {
    const own = await overviewOf(await signInAsAdmin(server));
    expect(own).toMatchObject({ role: 'owner', backup: { last: null } });
    expect(own.days).toHaveLength(90);
    expect(own.days?.at(-1)?.day).toBe(dayOf(0));
    expect(Object.values(own.queues).every((queue) => queue !== null)).toBe(true);
    expect(own.jobs?.map(({ name }) => name)).toContain('close-days');
    expect(own.storage?.map(({ name }) => name)).toContain('votes');

    const hidden = { days: null, jobs: null, storage: null, backup: null };
    const payer = await overviewOf(await signInAs(server, 'payer'));
    expect(payer).toMatchObject({ role: 'payer', ...hidden });
    expect(payer.queues).toMatchObject({ withdrawals: { open: 0 }, payments: null, reports: null, appeals: null });
    const moderator = await overviewOf(await signInAs(server, 'moderator'));
    expect(moderator).toMatchObject({ role: 'moderator', ...hidden });
    expect(moderator.queues).toMatchObject({ withdrawals: null, payments: null, reports: { open: 0 }, appeals: null });
  });
});

describe('the figures of a day [R54]', () => {
  test('votes, users, revenue, Snaps issued and burned are counted on their UTC day, to the microsecond', async () => {
    const userId = await insertUser(db);
    await sql`UPDATE users SET created_at = ${daysAgo(3)} WHERE id = ${userId}`.execute(db);
    const early = await insertUser(db);
    await sql`UPDATE users SET created_at = ${daysAgo(3)} - interval '1 microsecond' WHERE id = ${early}`.execute(db);
    const projectId = await insertProject(db, { ownerId: userId });
    await sql`INSERT INTO project_days (project_id, day, bullish, bearish, votes)
      VALUES (${projectId}, ${dayOf(3)}::date, 7, 2, 9), (${projectId}, ${dayOf(2)}::date, 8, 2, 1)`.execute(db);
    const payment = (state: string, digest: string, received: number) => sql`
      INSERT INTO payments (user_id, purpose, state, draft, order_hash, amount_mist, received_mist, chain_id, digest, expires_at, created_at)
      VALUES (${userId}, 'submit', ${state}::payment_state, '{}', ${digest}, 15000000000, ${received}, 'c', ${digest}, now(), ${daysAgo(3)})`;
    await payment('fulfilled', 'a', 15_000_000_001).execute(db);
    await payment('paid', 'b', 5_000_000_000).execute(db);
    await payment('refunded', 'c', 15_000_000_000).execute(db);
    await payment('unclaimed', 'd', 15_000_000_000).execute(db);
    await sql`INSERT INTO token_ledger (user_id, kind, ref, amount, created_at) VALUES
      (${userId}, 'hold_release', 1, 10040, ${daysAgo(2)}), (${userId}, 'review_burn', 1, -10000, ${daysAgo(2)}), (${userId}, 'account_burn', ${userId}, -40, ${daysAgo(2)})`.execute(
      db,
    );
    await sql`UPDATE users SET deleted_at = ${daysAgo(2)}, wallet_address = 'deleted-' || id WHERE id = ${userId}`.execute(
      db,
    );
    const days = [3, 2, 1, 0].map(dayOf);
    const found = await readDays(db, days);
    expect(found.map(({ day }) => day)).toEqual(days);
    expect(found[0]).toMatchObject({ votes: 9, users: 1, revenueMist: '20000000001', issued: 90, burned: 0 });
    expect(found[1]).toMatchObject({ votes: 1, users: 0, revenueMist: '0', issued: 10, burned: 10_040 });
    expect(found[3]).toMatchObject({ votes: 0, issued: 0 });
  });

  test('counts reports as their tab does: one for each subject', async () => {
    // Three persons on the first thing, of whom two wait, and two on the second.
    for (const [subject, created, resolved] of [
      ['project', 3, 2],
      ['project', 1, null],
      ['project', 1, null],
      ['review', 2, null],
      ['review', 0, null],
    ] as const) {
      const at = resolved === null ? null : daysAgo(resolved);
      await sql`INSERT INTO reports (subject, subject_id, user_id, reason, text, created_at, resolved_at, resolution)
        VALUES (${subject}, 901, ${await insertUser(db)}, 'spam', '', ${daysAgo(created)}, ${at}, ${at && 'dismissed'})`.execute(
        db,
      );
    }
    expect(await readQueue(db, 'reports')).toMatchObject({ open: 2 });
  });

  test('withdrawals wait from their request until they are paid or rejected', async () => {
    const userId = await insertUser(db);
    const withdrawal = (state: string, created: number, updated: number) => sql`
      INSERT INTO withdrawals (user_id, wallet_address, token_amount, state, digest, created_at, updated_at)
      VALUES (${userId}, '0x1', 60, ${state}::withdrawal_state, ${state === 'paid' ? 'x' : null}, ${daysAgo(created)}, ${daysAgo(updated)})`;
    await withdrawal('requested', 2, 2).execute(db);
    await withdrawal('approved', 1, 1).execute(db);
    await withdrawal('rejected', 2, 1).execute(db);
    const queue = await readQueue(db, 'withdrawals');
    expect(queue.open).toBe(2);
    expect(queue.oldestAt?.slice(0, 10)).toBe(dayOf(2));
  });
});

test('a job is late after three of its intervals, and not before five minutes [R54]', async () => {
  const now = new Date();
  const ran = (name: string) => ({ name, startedAt: now, succeededAt: now, durationMs: 1 });
  await db.insertInto('jobRuns').values(['recover-payments', 'delist-expired'].map(ran)).execute();
  const lateAfter = async (minutes: number) => {
    const found = await readJobs({ ...server.services, jobs }, now.getTime() + minutes * 60_000 + 1);
    return found.filter(({ name, isLate }) => isLate && /^(?:recover-payments|delist-expired)$/.test(name)).length;
  };
  expect([await lateAfter(4), await lateAfter(5), await lateAfter(29), await lateAfter(30)]).toEqual([0, 1, 1, 2]);
});

test('a failing job has its reason, and one that has not succeeded for long is late [R54]', async () => {
  const owner = await signInAsAdmin(server);
  const jobOf = async (name: string) => (await overviewOf(owner)).jobs?.find((job) => job.name === name);
  expect(await jobOf('delist-expired')).toMatchObject({ succeededAt: null, isLate: true });
  await runOnce(server.services, { name: 'delist-expired', intervalMs: 1, run: async () => undefined });
  expect(await jobOf('delist-expired')).toMatchObject({ error: null, isLate: false, durationMs: expect.any(Number) });
  const failing = { name: 'tell-expiring', intervalMs: 1, run: () => Promise.reject(new Error('no ink')) };
  await runOnce(server.services, failing).catch(() => undefined);
  expect((await jobOf('tell-expiring'))?.error).toContain('no ink');
});
