import { randomBytes } from 'node:crypto';
import { sql, type UpdateObject } from 'kysely';
import type { Db } from '#db/client.ts';
import { storeImage } from '#db/images.ts';
import { post } from '#server/books/ledger.ts';
import type { DB } from '#db/schema.ts';
import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import { reopenDays } from './close.ts';
import { newWallet } from './wallets.ts';

let serial = 0;

export async function insertUser(db: Db): Promise<number> {
  const { id } = await db
    .insertInto('users')
    .values({ walletAddress: newWallet().toSuiAddress() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('userStats').values({ userId: id }).execute();
  return id;
}

export interface ProjectOptions {
  ownerId?: number;
  name?: string;
  expiresInDays?: number;
  hidden?: boolean;
  bullish?: number;
  bearish?: number;
}

export async function insertProject(db: Db, options: ProjectOptions = {}): Promise<number> {
  serial += 1;
  const slug = `project-${serial}-${randomBytes(3).toString('hex')}`;
  const ownerId = options.ownerId ?? (await insertUser(db));
  const { id } = await db
    .insertInto('projects')
    .values({
      slug,
      name: options.name ?? `Project ${serial}`,
      category: 'DeFi',
      description: 'A project of a test',
      imageHash: '0'.repeat(32),
      twitterHandle: 'project',
      ownerId,
      expiresAt: sql`now() + ${options.expiresInDays ?? 31} * interval '1 day'`,
      hiddenAt: options.hidden ? sql`now()` : null,
      hiddenReason: options.hidden ? 'spam' : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('projectStats')
    .values({ projectId: id, bullish: options.bullish ?? 0, bearish: options.bearish ?? 0 })
    .execute();
  return id;
}

export async function insertProjects(db: Db, count: number, options: ProjectOptions = {}): Promise<number[]> {
  const ownerId = options.ownerId ?? (await insertUser(db));
  const ids: number[] = [];
  for (let i = 0; i < count; i += 1) ids.push(await insertProject(db, { ...options, ownerId }));
  return ids;
}

/** Sets columns of a project, as the console would. */
export const setProject = (db: Db, id: number, columns: UpdateObject<DB, 'projects'>) =>
  db.updateTable('projects').set(columns).where('id', '=', id).execute();

export async function insertShownImage(db: Db, bytes: Buffer): Promise<string> {
  const { hash } = await storeImage(db, bytes);
  await setProject(db, await insertProject(db), { imageHash: hash });
  return hash;
}

export const slugOf = async (db: Db, id: number): Promise<string> =>
  (await db.selectFrom('projects').select('slug').where('id', '=', id).executeTakeFirstOrThrow()).slug;

/** The next listing period of these projects begins now. */
export const beginPeriod = (db: Db, ...ids: number[]) =>
  sql`UPDATE projects SET period_starts = period_starts || clock_timestamp() WHERE id = ANY (${ids}::bigint[])`.execute(
    db,
  );

/** A past UTC day by the database's clock. */
export async function dayOf(db: Db, daysAgo: number): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    SELECT ((now() AT TIME ZONE 'UTC')::date - ${daysAgo}::int)::text AS day`.execute(db);
  return rows[0]?.day ?? '';
}

export async function listOften(db: Db, projectId: number, periods: number): Promise<void> {
  await sql`UPDATE projects SET expires_at = now() + ${periods} * interval '31 days', period_starts =
    ARRAY(SELECT now() + n * interval '31 days' FROM generate_series(0, ${periods} - 1) n ORDER BY n) WHERE id = ${projectId}`.execute(
    db,
  );
}

let grants = 0;

/** Grants tokens (10 or more): casts a vote on a new project, and grants the rest. */
export async function grantTokens(db: Db, userId: number, tokens: number): Promise<void> {
  const projectId = await insertProject(db, { bullish: 1 });
  await db.transaction().execute(async (trx) => {
    await sql`INSERT INTO votes (user_id, project_id, bullish, created_at) VALUES (${userId}, ${projectId}, true, now())`.execute(
      trx,
    );
    await sql`UPDATE user_stats SET total_votes = total_votes + 1, bullish = bullish + 1, balance = balance + ${VOTE_REWARD_TOKENS},
      tokens_earned = tokens_earned + ${VOTE_REWARD_TOKENS} WHERE user_id = ${userId}`.execute(trx);
    grants += 1;
    if (tokens > VOTE_REWARD_TOKENS)
      await post(trx, { userId, kind: 'grant', ref: -grants, amount: tokens - VOTE_REWARD_TOKENS });
  });
}

/**
 * Writes a change that triggers would reject, to plant a contradiction. Totals are counted again afterwards, as the
 * triggers would have moved them. Needs the tests' superuser.
 */
export async function behindTheTriggers<T>(db: Db, work: (trx: Db) => Promise<T>, { reopens = true } = {}): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await sql`SET LOCAL session_replication_role = 'replica'`.execute(trx);
    // A server that moves the totals at this moment locks this row first, and then what `work` locks.
    await sql`SELECT FROM totals_state FOR UPDATE`.execute(trx);
    const result = await work(trx);
    if (reopens) await reopenDays(trx);
    return result;
  });
}

/** Deletes every row except for settings, like in a new database. No server is notified of it. */
export async function empty(db: Db): Promise<void> {
  // Truncating a table takes longer than asking whether it has rows, which most tables have not.
  await behindTheTriggers(db, (trx) =>
    sql`DO $$ DECLARE name text; filled text; has_rows boolean; BEGIN
      FOR name IN SELECT quote_ident(tablename) FROM pg_tables
        WHERE schemaname = 'public' AND tablename NOT IN ('schema_migrations', 'config') LOOP
        EXECUTE 'SELECT EXISTS (SELECT FROM ' || name || ')' INTO has_rows;
        IF has_rows THEN filled := concat_ws(', ', filled, name); END IF;
      END LOOP;
      EXECUTE coalesce('TRUNCATE ' || filled || ' CASCADE', 'SELECT');
    END $$`.execute(trx),
  );
}

export async function removeProjects(db: Db): Promise<void> {
  await behindTheTriggers(db, (trx) => sql`TRUNCATE votes, vote_changes`.execute(trx));
  await sql`TRUNCATE projects, project_slugs, project_stats CASCADE`.execute(db);
}
