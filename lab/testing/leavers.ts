import { sql } from 'kysely';
import { expect } from 'vitest';
import { ERASED } from '#db/tables.ts';
import { REVIEW_COST_TOKENS } from '#shared/constants.ts';
import type { Review } from '#shared/contract/reviews.ts';
import type { TestApp } from './app.ts';
import { grantTokens, insertProjects } from './builders.ts';
import { castVote as vote, Client, newUser, signIn, type TestUser } from './client.ts';
import { pictureUrl } from './drafts.ts';

export function leaversOf(server: TestApp) {
  const { db } = server.services;

  const review = (user: TestUser, projectId: number, content: string) =>
    user.post(`/api/projects/${projectId}/reviews`, { userId: user.id, content });
  const reviewsOf = async (projectId: number) =>
    (await new Client(server.url).get<Review[]>(`/api/projects/${projectId}/reviews`)).body;
  const cameBack = (user: TestUser) => signIn(new Client(server.url), user.wallet);
  const endWindow = (user: TestUser) =>
    sql`UPDATE user_stats SET window_started_at = now() - interval '7 hours' WHERE user_id = ${user.id}`.execute(db);

  /** Columns with a value that contains the text, and how many rows have one: 'payments.paid_by': 2. Bytes are compared as hexadecimal digits. */
  async function columnsWith(text: string): Promise<Record<string, number>> {
    const tables = await sql<{ name: string }>`
      SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`.execute(db);
    const found: Record<string, number> = {};
    for (const { name } of tables.rows) {
      const { rows } = await sql<{ column: string; hits: number }>`
        SELECT f.name AS "column", count(*)::int AS hits
        FROM ${sql.table(name)} t CROSS JOIN jsonb_each_text(to_jsonb(t)) AS f (name, content)
        WHERE f.content ILIKE ${`%${text}%`} GROUP BY f.name ORDER BY f.name`.execute(db);
      for (const { column, hits } of rows) found[`${name}.${column}`] = hits;
    }
    return found;
  }

  const findEverywhere = async (text: string): Promise<string[]> => [
    ...new Set(Object.keys(await columnsWith(text)).map((place) => place.split('.')[0] ?? '')),
  ];

  async function tablesWith(userId: number): Promise<string[]> {
    const tables = await sql<{ name: string }>`
      SELECT c.table_name AS name FROM information_schema.columns c JOIN pg_tables t ON t.tablename = c.table_name AND t.schemaname = 'public'
      WHERE c.table_schema = 'public' AND c.column_name = 'user_id' ORDER BY 1`.execute(db);
    const found: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await sql`SELECT FROM ${sql.table(name)} WHERE user_id = ${userId} LIMIT 1`.execute(db);
      if (rows.length > 0) found.push(name);
    }
    return found;
  }

  /** Plants a row of the user in each empty table that a deletion erases; values follow from the column types. */
  async function plantRows(user: TestUser): Promise<void> {
    for (const table of ERASED) {
      const { rows } = await sql<{ statement: string }>`
        SELECT format('INSERT INTO %1$I (%2$s) SELECT %3$s WHERE NOT EXISTS (SELECT FROM %1$I WHERE user_id = %4$s)', ${table}::text,
          string_agg(a.attname, ', '), string_agg(CASE WHEN a.attname IN ('user_id', 'place') THEN ${String(user.id)}::text
            WHEN a.attname = 'reason' THEN '''old''' WHEN t.typcategory = 'N' THEN '1' WHEN t.typcategory = 'D' THEN 'now()'
            WHEN t.typcategory = 'B' THEN 'true' WHEN t.typcategory = 'A' THEN '''{}''' ELSE quote_literal(coalesce(
              (SELECT min(enumlabel) FROM pg_enum WHERE enumtypid = t.oid), 'x')) END, ', '), ${String(user.id)}::text) AS statement
        FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
        WHERE a.attrelid = ${table}::regclass AND a.attnum > 0 AND a.attnotnull AND NOT a.atthasdef AND a.attidentity = ''`.execute(
        db,
      );
      for (const { statement } of rows) await sql.raw(statement).execute(db);
    }
  }

  async function insertTraces(user: TestUser): Promise<void> {
    expect((await user.get(`/api/users/${user.id}/daily-deck`)).status).toBe(200);
    await plantRows(user);
    const traces = [
      sql`INSERT INTO voter_networks (day, network, user_id)
        SELECT day, ${Buffer.alloc(16, 9)}, ${user.id} FROM unnest(ARRAY['2026-01-01', '2026-01-02']::date[]) day`,
      sql`INSERT INTO rhythm_days (day, networks, wallets, votes_set_aside) VALUES ('2026-01-01', 0, 0, 0) ON CONFLICT DO NOTHING`,
      sql`INSERT INTO push_subscriptions (user_id, token_hash, endpoint, public_key, auth_secret)
        SELECT user_id, token_hash, ${`https://push.example/${user.id}`}, ${Buffer.alloc(65)}, ${Buffer.alloc(16)} FROM sessions
        WHERE user_id = ${user.id} LIMIT 1`,
      sql`INSERT INTO push_messages (user_id, subscription_id, kind, text, link, expires_at)
        SELECT user_id, id, 'project', 'A reply', '/', now() FROM push_subscriptions WHERE user_id = ${user.id}`,
      sql`UPDATE user_stats SET barred_projects = ARRAY[1] WHERE user_id = ${user.id}`,
      sql`INSERT INTO admin_login_attempts (wallet_address, attempts) VALUES (${user.address}, 1)`,
    ];
    for (const trace of traces) await trace.execute(db);
    expect((await new Client(server.url).post('/api/auth/wallet', { walletAddress: user.address })).status).toBe(401);
  }

  async function newRegular(): Promise<{ user: TestUser; name: string; projects: number[]; avatarUrl: string }> {
    const user = await newUser(server);
    const projects = await insertProjects(db, 3);
    await grantTokens(db, user.id, REVIEW_COST_TOKENS);
    const name = `Leaver_${user.id}`;
    const links = { twitterLink: 'https://x.com/leaver', telegramLink: 'https://t.me/leaver' };
    const { body } = await user.patch(`/api/users/${user.id}`, {
      username: name,
      ...links,
      avatarUrl: await pictureUrl(user.id % 200),
    });
    for (const projectId of projects.slice(0, 2)) expect((await vote(user, projectId)).status).toBe(200);
    expect(await review(user, projects[0] ?? 0, 'What a reef')).toMatchObject({ status: 201 });
    const report = { subject: 'project', subjectId: projects[1], reason: 'spam', text: `Ask ${name} about it` };
    expect(await user.post('/api/reports', report)).toMatchObject({ status: 201 });
    return { user, name, projects, avatarUrl: String(body.avatarUrl) };
  }

  return {
    vote,
    review,
    reviewsOf,
    cameBack,
    endWindow,
    columnsWith,
    findEverywhere,
    tablesWith,
    insertTraces,
    newRegular,
  };
}
