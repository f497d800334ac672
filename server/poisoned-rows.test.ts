import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startPushService } from '#lab/push/service.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { behindTheTriggers, insertProjects, insertUser, setProject } from '#lab/testing/builders.ts';
import { insertUsers } from '#lab/testing/record.ts';
import { jobs } from './jobs.ts';
import { readJobs } from './kit/job-states.ts';
import { runOnce } from './kit/scheduler.ts';

const service = await startPushService();
afterAll(() => service.stop());
const key = randomBytes(32).toString('base64');
const logged: unknown[] = [];
const server = await createTestApp({ env: { PUSH_PRIVATE_KEY: key, PUSH_HOSTS: service.origin } });
const { services } = server;
const { db } = services;
services.log.error = (fields: unknown) => void logged.push(fields);

/** Refuses each write of the row with this value, until the end of the test. */
async function poison(table: string, column: string, value: number | string): Promise<() => Promise<unknown>> {
  await sql`
    CREATE OR REPLACE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF to_jsonb(coalesce(NEW, OLD)) ->> TG_ARGV[0] = TG_ARGV[1] THEN RAISE EXCEPTION 'poisoned'; END IF;
      RETURN coalesce(NEW, OLD);
    END $$`.execute(db);
  await sql`CREATE TRIGGER poison BEFORE INSERT OR UPDATE OR DELETE ON ${sql.table(table)} FOR EACH ROW
    EXECUTE FUNCTION poison(${sql.lit(column)}, ${sql.lit(String(value))})`.execute(db);
  return () => sql`DROP TRIGGER poison ON ${sql.table(table)}`.execute(db);
}

interface Case {
  job: string;
  table: string;
  column?: string;
  /** Rows of the queue by their values in the column: the first one is poisoned. */
  plant: () => Promise<Array<number | string>>;
  /** The values whose rows the job has not worked on. */
  left: (values: Array<number | string>) => Promise<unknown[]>;
  name: (value: number | string) => string;
}

const valuesOf = async (query: ReturnType<typeof sql<{ value: number | string }>>): Promise<unknown[]> =>
  (await query.execute(db)).rows.map(({ value }) => value);
const projectsWhere = (where: string) => (ids: Array<number | string>) =>
  valuesOf(sql`SELECT id AS value FROM projects WHERE id = ANY (${ids}::bigint[]) AND ${sql.raw(where)}`);
const withoutRow = (table: string, column: string) => (ids: Array<number | string>) =>
  valuesOf(sql`SELECT v AS value FROM unnest(${ids}::bigint[]) v WHERE NOT EXISTS (
    SELECT FROM ${sql.table(table)} t WHERE t.${sql.ref(column)} = v)`);
const withRow = (table: string) => (ids: Array<number | string>) =>
  valuesOf(sql`SELECT id AS value FROM ${sql.table(table)} WHERE id::text = ANY (${ids.map(String)}::text[])`);

async function subscriptions(): Promise<number[]> {
  const users = await insertUsers(db, 3);
  for (const userId of users) {
    const publicKey = createECDH('prime256v1').generateKeys();
    const siteKey = Buffer.from(services.config.pushKey?.publicKey ?? '', 'base64url');
    await sql`WITH session AS (INSERT INTO sessions (token_hash, user_id, expires_at) VALUES (${randomBytes(32)}, ${userId}, now() + interval '1 day') RETURNING *),
      settings AS (INSERT INTO push_settings (user_id, kinds) VALUES (${userId}, '{votes_back}'))
      INSERT INTO push_subscriptions (user_id, token_hash, endpoint, public_key, auth_secret, site_key)
      SELECT user_id, token_hash, ${`${service.origin}/${randomUUID()}`}, ${publicKey}, ${randomBytes(16)}, ${siteKey} FROM session`.execute(
      db,
    );
  }
  await sql`UPDATE user_stats SET window_votes = 32767, window_started_at = now() - interval '6 hours 1 second' WHERE user_id = ANY (${users}::bigint[])`.execute(
    db,
  );
  return users;
}

const CASES: Case[] = [
  {
    job: 'delist-expired',
    table: 'projects',
    async plant() {
      const ids = await insertProjects(db, 3, { expiresInDays: -1 });
      await behindTheTriggers(db, async (trx) => {
        await sql`UPDATE projects SET listed = true WHERE id = ANY (${ids}::bigint[])`.execute(trx);
      });
      return ids;
    },
    left: projectsWhere('listed'),
    name: (id) => `expired listing ${id}`,
  },
  {
    job: 'keep-catalogue',
    table: 'projects',
    async plant() {
      const ids = await insertProjects(db, 3, { expiresInDays: 3 });
      for (const id of ids) await setProject(db, id, { isCatalogue: true });
      return ids;
    },
    left: projectsWhere("expires_at < now() + interval '4 days'"),
    name: (id) => `listing of the catalogue ${id}`,
  },
  {
    job: 'key-names',
    table: 'projects',
    plant: () => insertProjects(db, 3),
    left: projectsWhere('look_alike_keys IS NULL'),
    name: (id) => `name of project ${id}`,
  },
  {
    job: 'tell-expiring',
    table: 'expiry_notices',
    column: 'project_id',
    plant: () => insertProjects(db, 3, { expiresInDays: 1 }),
    left: withoutRow('expiry_notices', 'project_id'),
    name: (id) => `ending listing ${id}`,
  },
  {
    job: 'tell-changes',
    table: 'notices',
    column: 'user_id',
    async plant() {
      const users = await insertUsers(db, 3);
      const [projectId = 0] = await insertProjects(db, 1);
      await db
        .insertInto('votes')
        .values(users.map((userId) => ({ userId, projectId, bullish: true, createdAt: sql<Date>`now()` })))
        .execute();
      await setProject(db, projectId, { name: `Renamed ${projectId}` });
      return users;
    },
    left: withoutRow('notices', 'user_id'),
    name: (id) => `notice for user ${id}`,
  },
  {
    job: 'tell-changes',
    table: 'change_notices',
    column: 'project_id',
    async plant() {
      const ids = await insertProjects(db, 3);
      for (const id of ids) await setProject(db, id, { name: `Changed ${id}` });
      await sql`UPDATE change_notices SET from_number = next_number, next_number = NULL, started_at = now(), read_until = now() - interval '1 hour'
        WHERE project_id = ANY (${ids}::bigint[])`.execute(db);
      return ids;
    },
    left: (ids) =>
      valuesOf(
        sql`SELECT project_id AS value FROM change_notices WHERE project_id = ANY (${ids}::bigint[]) AND from_number IS NOT NULL`,
      ),
    name: (id) => `changed project ${id}`,
  },
  {
    job: 'tell-turns',
    table: 'notices',
    column: 'user_id',
    async plant() {
      const users = await insertUsers(db, 3);
      const [projectId = 0] = await insertProjects(db, 1);
      await sql`INSERT INTO project_turns (project_id, day, bullish, bearish, bullish_before, bearish_before)
        VALUES (${projectId}, current_date, 1, 9, 9, 1)`.execute(db);
      for (const userId of users) await sql`INSERT INTO turn_notices VALUES (${userId}, ${projectId})`.execute(db);
      return users;
    },
    left: withoutRow('notices', 'user_id'),
    name: (id) => `notice for user ${id}`,
  },
  {
    job: 'remind',
    table: 'push_messages',
    column: 'user_id',
    plant: subscriptions,
    left: withoutRow('push_messages', 'user_id'),
    name: (id) => `user with votes again ${id}`,
  },
  {
    job: 'send-push',
    table: 'push_subscriptions',
    async plant() {
      const users = await subscriptions();
      await sql`UPDATE push_subscriptions SET public_key = ${Buffer.alloc(65)} WHERE user_id = ${users[0]}`.execute(db);
      const { rows } = await sql<{ id: number }>`
        INSERT INTO push_messages (user_id, subscription_id, kind, text, link, expires_at)
        SELECT user_id, id, 'money', 'Paid', '/', now() + interval '1 day' FROM push_subscriptions
        WHERE user_id = ANY (${users}::bigint[]) ORDER BY user_id RETURNING id`.execute(db);
      return rows.map(({ id }) => id);
    },
    left: (ids) =>
      valuesOf(sql`SELECT id AS value FROM push_messages WHERE id = ANY (${ids}::bigint[]) AND due_at IS NOT NULL`),
    name: (id) => `push message ${id}`,
  },
  {
    job: 'recover-payments',
    table: 'payments',
    async plant() {
      const userId = await insertUser(db);
      const { rows } = await sql<{ id: string }>`
        INSERT INTO payments (user_id, purpose, state, draft, order_hash, amount_mist, chain_id, expires_at)
        SELECT ${userId}, 'submit', 'draft', '{}', n, 1, 'chain', now() FROM generate_series(1, 3) n RETURNING id`.execute(
        db,
      );
      return rows.map(({ id }) => id);
    },
    left: (ids) => valuesOf(sql`SELECT id AS value FROM payments WHERE id = ANY (${ids}::uuid[]) AND state = 'draft'`),
    name: (id) => `unpaid order ${id}`,
  },
  {
    job: 'delete-old',
    table: 'notices',
    async plant() {
      const userId = await insertUser(db);
      const { rows } = await sql<{ id: number }>`INSERT INTO notices (user_id, kind, text, created_at)
        SELECT ${userId}, 'reply', 'Old', '2020-01-01' FROM generate_series(1, 3) RETURNING id`.execute(db);
      return rows.map(({ id }) => id);
    },
    left: withRow('notices'),
    name: () => 'row of notices (0,',
  },
];

const byName = (name: string) => jobs.filter((job) => job.name === name);
const stateOf = async (name: string) => (await readJobs({ ...services, jobs: byName(name) }, Date.now()))[0];

test.each(CASES)('$job works on the other rows when one of $table always fails, and names it', async (one) => {
  const { job, table, column = 'id', plant, left, name } = one;
  const values = await plant();
  const [bad = 0] = values;
  const cure = await poison(table, column, bad);
  onTestFinished(async () => void (await cure()));
  logged.length = 0;
  await sql`DELETE FROM job_runs`.execute(db);
  for (const run of byName(job)) expect(await runOnce(services, { ...run, intervalMs: 0 })).toBe(true);
  expect(await left(values)).toEqual([bad]);
  expect(await stateOf(job)).toMatchObject({
    isLate: false,
    error: expect.stringContaining(`1 row set aside. ${name(bad)}`),
  });
  // It is logged once, and still named while it is left out.
  for (const run of byName(job)) await runOnce(services, { ...run, intervalMs: 0 });
  expect(logged).toHaveLength(1);
});
