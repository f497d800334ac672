import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect } from 'vitest';
import { openDatabase } from '#db/client.ts';
import { createTestDatabase } from './app.ts';
import { insertUser } from './builders.ts';
import type { Vote, VoteOutcome } from '#server/kit/services.ts';
import { type EngineOptions, createVoteEngine } from '#server/voting/votes/engine.ts';

/** A database of its own with voters, engines on it, and ways to see and to disturb their batches. */
export async function openVoteEngines() {
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

  const numbersOf = (array: Buffer): number[] =>
    Array.from({ length: array.readInt32BE(12) }, (_, index) => Number(array.readBigInt64BE(24 + 12 * index)));

  function watched(fail?: (projectIds: number[], call: number) => Error | null) {
    const sizes: number[] = [];
    const batches: number[][] = [];
    const spy = Object.create(pool) as pg.Pool;
    const query = async (config: pg.QueryConfig<Buffer[]>) => {
      const projectIds = numbersOf(config.values?.[2] as Buffer);
      sizes.push(projectIds.length);
      batches.push(projectIds);
      const error = fail?.(projectIds, sizes.length);
      if (error) throw error;
      return pool.query(config);
    };
    spy.query = query as typeof pool.query;
    return { spy, sizes, batches };
  }

  async function countBlocked(): Promise<number> {
    const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
    return rows[0]?.n ?? 0;
  }

  const CAST_ONE = `SELECT outcome FROM cast_votes(ARRAY[$1::bytea], ARRAY[$2::bigint], ARRAY[$3::bigint], ARRAY[true], 25, '6 hours')`;

  async function castBehind(transaction: (client: pg.Client) => Promise<unknown>, vote: Vote): Promise<VoteOutcome> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query('BEGIN');
      await transaction(client);
      const outcome = engineOn(pool).castVote(vote);
      await expect.poll(countBlocked).toBeGreaterThan(0);
      await client.query('COMMIT');
      return await outcome;
    } finally {
      await client.end();
    }
  }

  const sqlError = (code: string) => Object.assign(new Error(`SQLSTATE ${code}`), { code });
  const engineOn = (target: pg.Pool, options?: EngineOptions) => createVoteEngine(target, options);

  const beginPeriod = (projectId: number) =>
    sql`UPDATE projects SET period_starts = period_starts || clock_timestamp() WHERE id = ${projectId}`.execute(db);

  const castElsewhere = (
    client: pg.Client,
    { tokenHash, userId }: Pick<Vote, 'tokenHash' | 'userId'>,
    projectId: number,
  ) => client.query(CAST_ONE, [tokenHash, userId, projectId]);

  const statsOf = (projectId: number) =>
    db.selectFrom('projectStats').selectAll().where('projectId', '=', projectId).executeTakeFirstOrThrow();

  return {
    CAST_ONE,
    db,
    pool,
    database,
    voter,
    watched,
    countBlocked,
    castBehind,
    sqlError,
    engineOn,
    beginPeriod,
    castElsewhere,
    statsOf,
  };
}
